/**
 * Kills the process of a Firefox page. There is no command for it, so the process is found by its CPU use. Linux only (/proc).
 */
import { readdirSync, readFileSync } from "node:fs";
import type { Page } from "@playwright/test";

const BUSY_MS = 600;

/** Parent and CPU time (ticks) of a process; null when it has ended. */
function statOf(pid: number): { parent: number; ticks: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) };
  } catch {
    return null;
  }
}

/** Content processes of the browsers that this process launched, with their CPU time in ticks. */
function contentProcesses(): Map<number, number> {
  const all = new Map<number, { parent: number; ticks: number }>();
  for (const name of readdirSync("/proc")) {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : null;
    if (stat !== null) all.set(Number(name), stat);
  }
  const isMine = (pid: number): boolean => {
    for (let at = pid; at > 1; at = all.get(at)?.parent ?? 0) if (at === process.pid) return true;
    return false;
  };
  const isContent = (pid: number): boolean => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("-isForBrowser");
    } catch {
      return false;
    }
  };
  return new Map(
    [...all].flatMap(([pid, { ticks }]) => (isMine(pid) && isContent(pid) ? [[pid, ticks]] : [])),
  );
}

const isGone = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return true;
  }
};

/**
 * Kills the page's process and waits until it is gone. Playwright emits no `crash` event, and a later `page.close()` would hang.
 *
 * @returns the time of the kill, ms since the epoch
 */
export async function killFirefoxPage(page: Page): Promise<number> {
  const before = contentProcesses();
  await page.evaluate((ms) => {
    const end = performance.now() + ms;
    while (performance.now() < end);
  }, BUSY_MS);
  const after = contentProcesses();
  const [busiest] = [...after]
    .map(([pid, ticks]) => ({ pid, grown: ticks - (before.get(pid) ?? 0) }))
    .sort((a, b) => b.grown - a.grown);
  if (busiest === undefined) throw new Error("no content process of Firefox was found");
  const at = Date.now();
  process.kill(busiest.pid, "SIGKILL");
  while (!isGone(busiest.pid)) await new Promise((resolve) => setTimeout(resolve, 10));
  return at;
}
