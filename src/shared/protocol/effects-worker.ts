/**
 * Messages between a tab and a worker that changes the own picture or the own sound before it is sent (docs/calls.md#effects). Frames
 * flow through two streams that the first message transfers. They pass neither this port nor the main thread.
 */
import { z } from "../zod.ts";

/** What changes the own picture, and what changes the own sound. */
export type EffectKind = "background" | "noise";

const stream = z.custom<object>((value) => typeof value === "object" && value !== null);

/** To the worker: begin. */
export const effectStartSchema = z.object({
  /** A ReadableStream of VideoFrame or AudioData. */
  readable: stream,
  /** A WritableStream of the same. */
  writable: stream,
});

export const effectEventSchema = z.discriminatedUnion("t", [
  /** The first changed frame was written. */
  z.object({ t: z.literal("running") }),
  /** ms of the worker that the last frames took, oldest first. */
  z.object({ t: z.literal("spent"), ms: z.array(z.number()).max(1000) }),
  /** The machine does not keep up. The worker has stopped. */
  z.object({ t: z.literal("slow") }),
  /** The effect could not start or continue. The worker has stopped. */
  z.object({ t: z.literal("failed"), reason: z.string() }),
]);
export type EffectEvent = z.infer<typeof effectEventSchema>;
