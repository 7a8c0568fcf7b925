/**
 * A browser on a simulated second machine: a network namespace connected by a virtual cable, so that a test can unplug the
 * cable or change the address. Needs root and Linux's `ip`; without them the tests report the reason and skip.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "@playwright/test";
import { chromiumPath, launchOptions } from "./chromium.ts";

const ip = (...args: string[]): void => {
  execFileSync("ip", args, { stdio: "pipe" });
};

/** The reason why no namespace can be created here, or null. */
export function noNamespaces(): string | null {
  if (process.getuid?.() !== 0) return "network namespaces need root";
  const name = `probe${process.pid}`;
  const made = spawnSync("ip", ["netns", "add", name], { stdio: "pipe" });
  if (made.error !== undefined) return "the program `ip` (iproute2) is not installed";
  if (made.status !== 0) return "network namespaces are not allowed here";
  spawnSync("ip", ["netns", "del", name], { stdio: "pipe" });
  return null;
}

export interface OtherMachine {
  /** Address of this side, for servers that listen on all addresses. */
  readonly gateway: string;
  /** Starts a browser there. It treats `origin` as secure, so that devices and locks work. */
  launch(origin: string): Promise<Browser>;
  unplug(): void;
  /** Nothing by UDP passes any more, in neither direction, as behind a strict firewall; TCP stays. */
  cutUdp(): void;
  mendUdp(): void;
  plug(): void;
  /** Changes the address, as when a laptop changes its network. */
  moveTo(host: number): void;
  dispose(): Promise<void>;
}

/** @param net third number of its 10.213.x.0/24 network */
export function otherMachine(net: number): OtherMachine {
  const name = `console${process.pid}x${net}`;
  const here = `vh${process.pid % 10_000}x${net}`;
  const there = `vt${process.pid % 10_000}x${net}`;
  const gateway = `10.213.${net}.1`;
  const folder = mkdtempSync(join(tmpdir(), "console-netns-"));
  const wrapper = join(folder, "chromium");
  const browsers: Browser[] = [];
  let host = 2;
  const inside = (...args: string[]): void => ip("netns", "exec", name, "ip", ...args);
  const address = (): string => `10.213.${net}.${host}/24`;
  const route = (): void => inside("route", "replace", "default", "via", gateway);

  ip("netns", "add", name);
  ip("link", "add", here, "type", "veth", "peer", "name", there);
  ip("link", "set", there, "netns", name);
  ip("addr", "add", `${gateway}/24`, "dev", here);
  ip("link", "set", here, "up");
  inside("link", "set", "lo", "up");
  inside("addr", "add", address(), "dev", there);
  inside("link", "set", there, "up");
  // The rule of local addresses moves back, so that a rule against UDP also holds for what comes in.
  inside("rule", "add", "pref", "2", "lookup", "local");
  inside("rule", "del", "pref", "0");
  route();
  writeFileSync(wrapper, `#!/bin/sh\nexec ip netns exec ${name} ${chromiumPath()} "$@"\n`);
  chmodSync(wrapper, 0o755);

  return {
    gateway,
    async launch(origin) {
      const options = launchOptions([`--unsafely-treat-insecure-origin-as-secure=${origin}`]);
      const browser = await chromium.launch({ ...options, executablePath: wrapper });
      browsers.push(browser);
      return browser;
    },
    unplug: () => inside("link", "set", there, "down"),
    cutUdp: () => inside("rule", "add", "pref", "1", "ipproto", "udp", "blackhole"),
    mendUdp: () => inside("rule", "del", "pref", "1"),
    plug() {
      inside("link", "set", there, "up");
      route();
    },
    moveTo(next) {
      inside("addr", "del", address(), "dev", there);
      host = next;
      inside("addr", "add", address(), "dev", there);
      route();
    },
    async dispose() {
      await Promise.all(browsers.map((browser) => browser.close().catch(() => undefined)));
      spawnSync("ip", ["netns", "del", name], { stdio: "pipe" });
      spawnSync("ip", ["link", "del", here], { stdio: "pipe" });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
