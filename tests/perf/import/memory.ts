/** Peak memory of a browser's renderers, as the kernel keeps it (VmHWM): no sampling, nothing missed. */
import { readFileSync, readdirSync, writeFileSync } from "node:fs";

function renderers(browser: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
    } catch {
      // it ended while we looked
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

/** Starts the peak anew. @returns a function that says how many MiB the renderer that grew most has gone above now */
export function peakMemory(browser: number): () => number {
  const before = renderers(browser).map((pid) => {
    // 5: the peak is what there is now
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
    return { pid, now: status(pid, "VmRSS") };
  });
  return () => Math.max(...before.map(({ pid, now }) => status(pid, "VmHWM") - now));
}
