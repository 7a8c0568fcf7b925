/** The test commands install the Debian packages that are missing, and only those that the command needs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
// @ts-expect-error a script has no types
import { DEBIAN_PACKAGES, ensureDebian } from "../../scripts/lib/debian.mjs";

interface Package {
  readonly name: string;
  readonly needs: string;
  readonly when: readonly string[];
  find(): string | undefined;
}
type Missing = { readonly name: string; readonly needs: string };
const packages = DEBIAN_PACKAGES as readonly Package[];
const ensure = ensureDebian as (
  command: string,
  packages: readonly Package[],
  install: (names: string[]) => void,
) => Missing[];

/** A machine that has these packages, and a record of what was installed on it. */
function machine(has: readonly string[], mayInstall: boolean) {
  const there = new Set(has);
  const installed: string[][] = [];
  const list = packages.map((one) => ({
    ...one,
    find: () => (there.has(one.name) ? `/usr/bin/${one.name}` : undefined),
  }));
  return {
    installed,
    run: (command: string): string[] =>
      ensure(command, list, (names) => {
        installed.push(names);
        if (mayInstall) for (const name of names) there.add(name);
      }).map(({ name }) => name),
  };
}

describe("Debian packages", () => {
  it("A plain machine gets every package that npm test needs, so nothing is skipped", () => {
    const plain = machine([], true);
    expect(plain.run("test")).toEqual([]);
    expect(plain.installed).toEqual([
      [
        "chromium",
        "chromium-headless-shell",
        "fonts-noto-cjk",
        "postgresql",
        "redis-server",
        "nginx",
        "caddy",
        "curl",
        "openssl",
      ],
    ]);
  });

  it("npm run test:torture adds only other browser engines, Janus, coturn, ffmpeg and network tools", () => {
    const tested = machine(
      packages.filter(({ when }) => when.includes("test")).map(({ name }) => name),
      true,
    );
    expect(tested.run("test")).toEqual([]);
    expect(tested.installed).toEqual([]);
    expect(tested.run("torture")).toEqual([]);
    expect(tested.installed).toEqual([
      [
        "janus",
        "coturn",
        "ffmpeg",
        "iproute2",
        "firefox-esr",
        "webkit2gtk-driver",
        "libwebkit2gtk-4.1-0",
        "xvfb",
      ],
    ]);
  });

  it("Without the right to install, the missing packages are named", () => {
    const foreign = machine(["chromium", "chromium-headless-shell", "fonts-noto-cjk"], false);
    expect(foreign.run("bench")).toEqual(["postgresql", "janus", "iproute2"]);
  });
});

it("The test commands install from this list", () => {
  for (const [script, command] of [
    ["test", "test"],
    ["browsers", "test"],
    ["timed", "test"],
    ["torture", "torture"],
    ["bench", "bench"],
  ] as const) {
    const text = readFileSync(join(import.meta.dirname, `../../scripts/${script}.mjs`), "utf8");
    expect(text).toContain(`ensurePrograms("${command}")`);
  }
});
