/**
 * Kills the process of a Firefox page. There is no command for it, so the process is found by the memory that the page takes. CPU
 * use does not tell it apart: on a busy machine, a page with a call can use more than one that only counts. Linux only (/proc).
 */
import { readdirSync, readFileSync } from "node:fs";
import type { Page } from "@playwright/test";

/** More than any page takes by itself between two readings. */
const BALLAST = 256 * 1024 * 1024;
/** Bytes of a memory page on the platforms that the suites run on. */
const MEMORY_PAGE = 4096;

const read = (path: string): string | null => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // The process has ended.
    return null;
  }
};

/** Parent of a process; null when it has ended. */
function parentOf(pid: number): number | null {
  const stat = read(`/proc/${pid}/stat`);
  return stat === null ? null : Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}

/** Content processes of the browsers that this process launched, with their resident memory in bytes. */
function contentProcesses(): Map<number, number> {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    const parent = /^\d+$/.test(name) ? parentOf(Number(name)) : null;
    if (parent !== null) parents.set(Number(name), parent);
  }
  const isMine = (pid: number): boolean => {
    for (let at = pid; at > 1; at = parents.get(at) ?? 0) if (at === process.pid) return true;
    return false;
  };
  return new Map(
    [...parents.keys()].flatMap((pid) => {
      if (!isMine(pid) || read(`/proc/${pid}/cmdline`)?.includes("-isForBrowser") !== true) {
        return [];
      }
      const resident = read(`/proc/${pid}/statm`)?.split(" ")[1];
      return resident === undefined ? [] : [[pid, Number(resident) * MEMORY_PAGE] as const];
    }),
  );
}

const isGone = (pid: number): boolean => read(`/proc/${pid}/stat`)?.includes(") Z ") ?? true;

/**
 * Kills the page's process and waits until it is gone. Playwright emits no `crash` event, and a later `page.close()` would hang.
 *
 * @returns the time of the kill, ms since the epoch
 */
export async function killFirefoxPage(page: Page): Promise<number> {
  const before = contentProcesses();
  await page.evaluate((bytes) => {
    Object.assign(globalThis, { ballast: new Uint8Array(bytes).fill(1) });
  }, BALLAST);
  const grown = [...contentProcesses()]
    .filter(([pid, resident]) => resident - (before.get(pid) ?? 0) > BALLAST / 2)
    .map(([pid]) => pid);
  const [pid] = grown;
  if (pid === undefined || grown.length > 1) {
    throw new Error(`${grown.length} content processes of Firefox took the page's memory`);
  }
  const at = Date.now();
  process.kill(pid, "SIGKILL");
  while (!isGone(pid)) await new Promise((resolve) => setTimeout(resolve, 10));
  return at;
}
