import type { Answer, Task } from "./protocol.ts";
import { runOf } from "./readers.ts";

/** In two steps, so that the page can look at the memory before anything is read: "load", then the file. */
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
