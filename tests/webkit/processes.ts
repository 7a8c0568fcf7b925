/** Finds the process of a WebKit that holds the SharedWorker. Linux only (/proc). */
import { readdirSync, readFileSync } from "node:fs";

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // The process ended in the meantime.
  }
};

/** The kernel keeps the last 15 characters of "WebCore: SharedWorker". */
const THREAD = "e: SharedWorker";

/** @param driver process that started the browser */
export function sharedWorkerProcess(driver: number): number {
  const parents = new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((name) => {
        const stat = read(`/proc/${name}/stat`);
        return [Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])];
      }),
  );
  const isOfDriver = (pid: number): boolean => {
    for (let at = pid; at > 1; at = parents.get(at) ?? 0) if (at === driver) return true;
    return false;
  };
  const threads = (pid: number): string[] => {
    try {
      return readdirSync(`/proc/${pid}/task`).map((id) => read(`/proc/${pid}/task/${id}/comm`));
    } catch {
      return [];
    }
  };
  const found = [...parents.keys()].find(
    (pid) => isOfDriver(pid) && threads(pid).some((name) => name.trim() === THREAD),
  );
  if (found === undefined) throw new Error("no process of WebKit holds a SharedWorker");
  return found;
}
