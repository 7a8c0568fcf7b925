/** CPU and memory of a process with all its threads, from /proc; Linux only. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

let hertz = 0;

/** CPU time so far in ms; 0 where the system does not report it. */
export function cpuMs(pid: number): number {
  try {
    hertz ||= Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / hertz;
  } catch {
    return 0;
  }
}

/** Resident memory, MB. */
export function memoryMb(pid: number): number {
  try {
    const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(kb ?? 0) / 1024;
  } catch {
    return 0;
  }
}
