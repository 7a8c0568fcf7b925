/** The processes below a process, and their memory as proportional set size (PSS), from /proc. */
import { readFileSync, readdirSync } from "node:fs";

function children(): Map<number, number[]> {
  const map = new Map<number, number[]>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
      map.set(parent, [...(map.get(parent) ?? []), Number(name)]);
    } catch {
      // The process ended meanwhile.
    }
  }
  return map;
}

/** @returns the process and its descendants, each before those below it */
export function processTree(pid: number): number[] {
  const tree = children();
  const all: number[] = [];
  const walk = (id: number): void => {
    all.push(id);
    for (const child of tree.get(id) ?? []) walk(child);
  };
  walk(pid);
  return all;
}

/** @returns MiB of the process and its descendants */
export function treeMemory(pid: number): number {
  let kib = 0;
  for (const id of processTree(pid)) {
    try {
      const match = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, "utf8"));
      kib += Number(match?.[1] ?? 0);
    } catch {
      // The process ended meanwhile.
    }
  }
  return kib / 1024;
}

/** @returns the pid of the media process of a server, other than `dead`; 0 while none runs */
export function mediaProcess(server: number, dead = 0): number {
  const isMedia = (pid: number): boolean => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("process-entry.mjs");
    } catch {
      // It ended meanwhile.
      return false;
    }
  };
  return (children().get(server) ?? []).find((pid) => pid !== dead && isMedia(pid)) ?? 0;
}
