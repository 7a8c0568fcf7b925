/** Peak memory of a browser's renderers as the kernel records it (VmHWM), so no peak is missed between samples. */
import { readFileSync, readdirSync, writeFileSync } from "node:fs";

function renderers(browser: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
    } catch {
      // The process ended in the meantime.
    }
  }
  const isOurs = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === browser || isOurs(parents.get(pid)));
  return [...parents.keys()].filter((pid) => {
    try {
      return (
        isOurs(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--type=renderer")
      );
    } catch {
      return false;
    }
  });
}

function status(pid: number, key: "VmHWM" | "VmRSS"): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(new RegExp(`^${key}:\\s+(\\d+)`, "m").exec(text)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Resets the peak. @returns a function that gives the growth in MiB of the renderer that grew most since then */
export function peakMemory(browser: number): () => number {
  const before = renderers(browser).map((pid) => {
    // Writing 5 resets the peak to the current memory.
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
    return { pid, now: status(pid, "VmRSS") };
  });
  return () => Math.max(...before.map(({ pid, now }) => status(pid, "VmHWM") - now));
}
