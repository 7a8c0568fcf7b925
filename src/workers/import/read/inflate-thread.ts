/**
 * Inflating on a thread of its own, while this one reads what came before: on two cores a large sheet takes as long as the slower of
 * the two. What the thread may be ahead by is bounded. Where it cannot be had, or breaks down, it is done here.
 */
import {
  fromInflateSchema,
  type FromInflate,
  type ToInflate,
} from "../../../shared/protocol/inflate.ts";
import type { Inflate, Inflated } from "../contracts.ts";
import { fileGone } from "./faults.ts";
import { inflateHere } from "./inflate.ts";

/** Packed bytes below which the way to the other thread costs more than it saves. */
const WORTH = 1 << 19;
/** Chunks that may be on their way. */
const AHEAD = 8;

/** What is needed of a Worker. */
export interface InflateWorker {
  postMessage(message: ToInflate): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<unknown>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

interface Job {
  readonly coming: FromInflate[];
  wake: (() => void) | null;
}

/** @param open starts the thread, at once: it takes a moment. Throws where there are no workers of workers */
export function createInflateThread(open: () => InflateWorker): {
  readonly inflate: Inflate;
  close(): void;
} {
  const jobs = new Map<number, Job>();
  let worker: InflateWorker | null = null;
  let last = 0;

  const alive = (): boolean => worker !== null;
  const close = (): void => {
    worker?.terminate();
    worker = null;
    for (const job of jobs.values()) job.wake?.();
  };
  try {
    worker = open();
    worker.onerror = close;
    worker.onmessage = ({ data }) => {
      const parsed = fromInflateSchema.safeParse(data);
      const job = parsed.success ? jobs.get(parsed.data.id) : undefined;
      if (!parsed.success || job === undefined) return;
      job.coming.push(parsed.data);
      job.wake?.();
    };
  } catch {
    close();
  }

  function there(packed: Blob, thread: InflateWorker): Inflated {
    const id = (last += 1);
    const job: Job = { coming: [], wake: null };
    jobs.set(id, job);
    thread.postMessage({ id, packed, chunks: AHEAD });
    /** Bytes had, which another go leaves out. */
    let had = 0;
    let here: Inflated | null = null;

    const message = async (): Promise<FromInflate | null> => {
      while (job.coming.length === 0 && alive()) {
        await new Promise<void>((resolve) => {
          job.wake = resolve;
        });
        job.wake = null;
      }
      return job.coming.shift() ?? null;
    };
    /** The thread is no more: all over again, without what was had. */
    const again = async (): Promise<Uint8Array | null> => {
      here = inflateHere(packed);
      let skip = had;
      for (let chunk = await here.next(); chunk !== null; chunk = await here.next()) {
        if (chunk.length > skip) return chunk.subarray(skip);
        skip -= chunk.length;
      }
      return null;
    };
    return {
      async next() {
        if (here !== null) return here.next();
        const said = await message();
        if (said === null) return again();
        if ("chunk" in said) {
          had += said.chunk.length;
          worker?.postMessage({ id, more: true });
          return said.chunk;
        }
        jobs.delete(id);
        if ("end" in said) return null;
        if (said.failed === "data") throw new Error("the data cannot be inflated");
        throw fileGone();
      },
      close() {
        here?.close();
        if (jobs.delete(id)) worker?.postMessage({ id, cancel: true });
        job.coming.length = 0;
      },
    };
  }

  return {
    inflate: (packed) =>
      worker === null || packed.size < WORTH ? inflateHere(packed) : there(packed, worker),
    close,
  };
}
