/** The frames of one track: read, changed, written. What is common to picture and sound. */
import { type Frame, writeFrames } from "../../shared/domain/write-frames.ts";
import { type EffectEvent, effectStartSchema } from "../../shared/protocol/effects-worker.ts";

/** Frames after which a worker says what they took. */
const REPORT_FRAMES = 24;

export interface Change<T extends Frame> {
  /** Consumes the frame. Answers with what is written instead of it, and the ms that it took. */
  change(frame: T): Promise<{ readonly frames: readonly T[]; readonly ms: number }>;
  /** Whether the machine does not keep up. */
  readonly isSlow: boolean;
}

/** Runs until the track ends. Posts `slow` or `failed` at most once, and then writes nothing more. */
export async function flow<T extends Frame>(
  from: ReadableStream<T>,
  to: WritableStream<T>,
  prepare: () => Promise<Change<T>>,
  post: (event: EffectEvent) => void,
): Promise<void> {
  const reader = from.getReader();
  const writer = to.getWriter();
  let spent: number[] = [];
  let isRunning = false;
  try {
    const effect = await prepare();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const { frames, ms } = await effect.change(value);
      await writeFrames(writer, frames);
      if (!isRunning && frames.length > 0) {
        isRunning = true;
        post({ t: "running" });
      }
      spent.push(ms);
      if (spent.length >= REPORT_FRAMES) {
        post({ t: "spent", ms: spent });
        spent = [];
      }
      if (effect.isSlow) {
        post({ t: "slow" });
        break;
      }
    }
  } catch (error) {
    post({ t: "failed", reason: String(error) });
  }
  await Promise.allSettled([reader.cancel(), writer.close()]);
}

/** Begins with the message that transfers the streams. */
export function listen<T extends Frame>(prepare: () => Promise<Change<T>>): void {
  addEventListener(
    "message",
    (event: MessageEvent) => {
      const { readable, writable } = effectStartSchema.parse(event.data);
      void flow(readable as ReadableStream<T>, writable as WritableStream<T>, prepare, (event) =>
        postMessage(event),
      );
    },
    { once: true },
  );
}
