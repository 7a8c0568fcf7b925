/** The answering end of inflate-thread.ts, wherever it runs. */
import { AppError } from "../../../shared/errors.ts";
import { type FromInflate, toInflateSchema } from "../../../shared/protocol/inflate.ts";
import { inflateHere } from "./inflate.ts";

/** Bytes that go back at once: a message costs the same for any number. */
const CHUNK = 1 << 18;

interface Job {
  credit: number;
  cancelled: boolean;
  wake: (() => void) | null;
}

/** @returns takes one message */
export function createInflateServer(
  say: (message: FromInflate, transfer?: Transferable[]) => void,
): (message: unknown) => void {
  const jobs = new Map<number, Job>();

  async function run(id: number, packed: Blob, job: Job): Promise<void> {
    const inflated = inflateHere(packed);
    let out = new Uint8Array(CHUNK);
    let length = 0;
    const send = async (): Promise<void> => {
      while (job.credit === 0 && !job.cancelled) {
        await new Promise<void>((resolve) => {
          job.wake = resolve;
        });
      }
      if (job.cancelled) return;
      job.credit -= 1;
      say({ id, chunk: out.subarray(0, length) }, [out.buffer]);
      out = new Uint8Array(CHUNK);
      length = 0;
    };
    try {
      for (let chunk = await inflated.next(); chunk !== null; chunk = await inflated.next()) {
        for (let used = 0; used < chunk.length && !job.cancelled;) {
          const part = chunk.subarray(used, used + CHUNK - length);
          out.set(part, length);
          length += part.length;
          used += part.length;
          if (length === CHUNK) await send();
        }
        if (job.cancelled) return;
      }
      if (length > 0) await send();
      if (!job.cancelled) say({ id, end: true });
    } catch (error) {
      say({ id, failed: error instanceof AppError ? "file" : "data" });
    } finally {
      inflated.close();
      jobs.delete(id);
    }
  }

  return (given) => {
    const message = toInflateSchema.parse(given);
    const { id } = message;
    if ("packed" in message) {
      const job: Job = { credit: message.chunks, cancelled: false, wake: null };
      jobs.set(id, job);
      void run(id, message.packed as Blob, job);
      return;
    }
    const job = jobs.get(id);
    if (job === undefined) return;
    if ("cancel" in message) job.cancelled = true;
    else job.credit += 1;
    job.wake?.();
  };
}
