/** Assets of earlier builds stay for a while (docs/shell.md#assets-of-earlier-builds). */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type BuildList,
  BUILDS_KEPT,
  keepBuilds,
  KEPT_FOR,
  keptLists,
  presentAssets,
} from "../../scripts/lib/keep-builds.ts";

const DAY = 24 * 60 * 60_000;
const list = (build: string, builtAt: number): BuildList => ({ build, builtAt, assets: [] });
const names = (lists: readonly BuildList[]): string[] => lists.map(({ build }) => build);

describe("Of the builds before the present one", () => {
  it("the last three stay", () => {
    const lists = ["b6", "b5", "b4", "b3", "b2", "b1"].map((name, i) => list(name, 100 - i));
    expect(BUILDS_KEPT).toBe(3);
    expect(names(keptLists(lists, 100))).toEqual(["b5", "b4", "b3"]);
  });

  it("each stays until fourteen days after it was replaced, however old it is", () => {
    const lists = [list("b3", 100 * DAY), list("b2", 90 * DAY), list("b1", 0)];
    expect(names(keptLists(lists, 100 * DAY))).toEqual(["b2", "b1"]);
    expect(names(keptLists(lists, 104 * DAY))).toEqual(["b2", "b1"]);
    expect(names(keptLists(lists, 104 * DAY + 1))).toEqual(["b2"]);
    expect(names(keptLists(lists, 100 * DAY + KEPT_FOR + 1))).toEqual([]);
  });

  it("the present one stays for ever", () => {
    expect(keptLists([list("b1", 0)], 1000 * DAY)).toEqual([]);
  });
});

describe("A build in a folder of earlier builds", () => {
  let root = "";
  const out = (): string => join(root, "dist");
  const inOut = (): string[] =>
    readdirSync(out(), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(out().length + 1))
      .toSorted();
  /** Assets by the start of their names. */
  const assets = (paths: readonly string[], name: string): string[] =>
    paths.filter((path) => path.startsWith(`assets/${name}`));

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "keep-builds-"));
    mkdirSync(join(root, "public"));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  async function make(name: string, at: number): Promise<string[]> {
    writeFileSync(join(root, "index.html"), '<script type="module" src="/main.js"></script>');
    writeFileSync(join(root, "main.js"), `import("./page.js"); console.log("${name}");`);
    writeFileSync(join(root, "page.js"), `console.log("page of ${name}");`);
    writeFileSync(join(root, "public", "same.txt"), name);
    await build({
      root,
      configFile: false,
      logLevel: "silent",
      plugins: [keepBuilds(name, () => at)],
      build: { sourcemap: true },
    });
    return inOut();
  }

  it("keeps their assets without source maps, and nothing else of them", async () => {
    const first = await make("b1", 1);
    writeFileSync(join(root, "public", "gone.txt"), "x");
    await make("b2", 2);
    rmSync(join(root, "public", "gone.txt"));
    const scripts = first.filter((path) => /^assets\/.*\.js$/.test(path));
    expect(scripts).toHaveLength(2);
    for (const script of scripts) writeFileSync(join(out(), `${script}.br`), "packed");
    const third = await make("b3", 3);
    for (const script of scripts) {
      expect(third).toContain(script);
      expect(third).toContain(`${script}.br`);
      expect(third).not.toContain(`${script}.map`);
    }
    expect(assets(third, "page").filter((path) => path.endsWith(".js"))).toHaveLength(3);
    expect(third.filter((path) => path.endsWith(".txt"))).toEqual(["same.txt"]);
    expect(presentAssets(out()).filter((path) => path.endsWith(".js"))).toHaveLength(2);
  });

  it("removes the assets of the fifth build before, so that the folder does not grow for ever", async () => {
    const sizes: number[] = [];
    for (let n = 1; n <= 6; n += 1) sizes.push((await make(`b${n}`, n)).length);
    expect(sizes[4]).toBe(sizes[3]);
    expect(sizes[5]).toBe(sizes[3]);
    expect(readdirSync(join(out(), ".builds")).toSorted()).toEqual([
      "b3.json",
      "b4.json",
      "b5.json",
      "b6.json",
    ]);
  });

  it("keeps no build twice that is built again, and removes assets that no build lists", async () => {
    await make("b1", 1);
    await make("b2", 2);
    writeFileSync(join(out(), "assets", "stray.js"), "");
    const again = await make("b2", 3);
    expect(again).not.toContain("assets/stray.js");
    expect(readdirSync(join(out(), ".builds")).toSorted()).toEqual(["b1.json", "b2.json"]);
    writeFileSync(join(out(), ".builds", "b1.json"), "{");
    await make("b2", 4);
    expect(existsSync(join(out(), ".builds", "b1.json"))).toBe(false);
  });
});
