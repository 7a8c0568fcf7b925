/** A page that only does what every page does; its frames and long tasks are recorded while a worker reads. */
import type { Answer, PageResult, ReaderName } from "./protocol.ts";

declare global {
  var importBench: {
    load(reader: ReaderName): Promise<void>;
    read(): Promise<PageResult>;
  };
}

let worker: Worker | null = null;

const next = (from: Worker): Promise<Answer | "loaded"> =>
  new Promise((resolve, reject) => {
    from.onmessage = ({ data }: MessageEvent<Answer | "loaded">) => resolve(data);
    from.onerror = (event) => reject(new Error(event.message));
  });

globalThis.importBench = {
  async load(reader) {
    worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    const loaded = next(worker);
    worker.postMessage(reader);
    const answer = await loaded;
    if (answer !== "loaded" && "error" in answer) throw new Error(answer.error);
  },
  async read() {
    const file = document.querySelector("input")?.files?.[0];
    if (file === undefined || worker === null) throw new Error("no file or no worker");
    let longestTask = 0;
    let longestGap = 0;
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longestTask = Math.max(longestTask, duration);
    });
    observer.observe({ type: "longtask" });
    let watching = true;
    let at = performance.now();
    const frame = (): void => {
      const now = performance.now();
      longestGap = Math.max(longestGap, now - at);
      at = now;
      if (watching) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    const answered = next(worker);
    worker.postMessage(file);
    const answer = await answered;
    watching = false;
    observer.disconnect();
    if (answer === "loaded") throw new Error("loaded twice");
    if ("error" in answer) throw new Error(answer.error);
    return { measured: answer.measured, longestTask, longestGap };
  },
};
