/** Occupies the machine's processors, so that a browser gets too little time for its pictures. */
import { spawn } from "node:child_process";
import { availableParallelism, setPriority } from "node:os";

/**
 * Begins endless loops, one for each processor, that the system prefers to the browser. Raising a priority needs root.
 *
 * @param priority of the loops, -20 (most of the time) to 0 (a fair share)
 * @returns ends them
 */
export function occupyProcessors(priority: number): () => void {
  const loops = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
  );
  for (const { pid } of loops) if (pid !== undefined) setPriority(pid, priority);
  return () => {
    for (const loop of loops) loop.kill("SIGKILL");
  };
}

/** Whether this process may raise priorities. */
export const mayOccupy = (): boolean => process.getuid?.() === 0;
