import type { Answer, Task } from "./protocol.ts";
import { runOf } from "./readers.ts";

/** Works in two steps ("load", then the file), so that the page can measure the memory before reading starts. */
let run: ReturnType<typeof runOf> | null = null;

globalThis.onmessage = ({ data }: MessageEvent<Task["reader"] | File>) => {
  const answer = (message: Answer | "loaded"): void => globalThis.postMessage(message);
  const fail = (error: unknown): void =>
    answer({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  if (typeof data === "string") {
    run = runOf(data);
    run.then(() => answer("loaded"), fail);
  } else {
    run?.then((read) => read(data)).then((measured) => answer({ measured }), fail);
  }
};
