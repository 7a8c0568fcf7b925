/** Who gets the machine's processors: a browser that gets too little time for its calls, or a server that must get enough. */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { availableParallelism, setPriority } from "node:os";

/** s after which a loop ends by itself, should the test be killed. */
const LONGEST = 120;
const LOOP = `for (const end = Date.now() + ${LONGEST}_000; Date.now() < end; );`;

/**
 * Linux shares the processors among sessions before it shares them among the processes of each, and a browser has a session of its own. So
 * the priority of a process counts against the others of its session alone, and that of a session against other sessions.
 */
function preferSession(pid: number | "self", priority: number): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(priority));
  } catch {
    // This system knows no priority of sessions.
  }
}

/**
 * Gives this session, with the server and its media node, the processors before the browsers, as if these ran on machines of their own.
 * Without root nothing changes.
 *
 * @returns ends it; idempotent
 */
export function preferServer(): () => void {
  preferSession("self", -20);
  return () => preferSession("self", 0);
}

/**
 * Begins endless loops, one for each processor, that the system prefers to the browser, and prefers this session, with the network
 * and the server in it, to the loops. Needs root.
 *
 * @param priority of the loops, -19 (nearly all of the time) to 0 (a fair share)
 * @returns ends them; idempotent
 */
export function occupyProcessors(priority: number): () => void {
  const release = preferServer();
  const loops = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ["-e", LOOP], { stdio: "ignore", detached: true }),
  );
  for (const { pid } of loops) {
    if (pid === undefined) continue;
    preferSession(pid, priority);
    setPriority(pid, priority);
  }
  return () => {
    for (const loop of loops) loop.kill("SIGKILL");
    release();
  };
}

/** The reason why processors cannot be occupied here, or null. */
export const whyNotOccupied = (): string | null =>
  process.getuid?.() === 0 ? null : "raising a priority needs root";
