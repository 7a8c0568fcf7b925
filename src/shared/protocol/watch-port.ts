/** Messages of the port over which a tab watches reads of the REST table (docs/session.md#live-data). */
import { wireErrorSchema } from "./wire-error.ts";
import { z } from "../zod.ts";

const watchId = z.number().int();

export const watchRequestSchema = z.discriminatedUnion("t", [
  z.object({
    t: z.literal("watch"),
    /** Chosen by the tab; unique on its port. */
    id: watchId,
    /** The company that the tab shows; null when it shows none. */
    supplierId: z.string().max(64).nullable(),
    call: z.string().max(64),
    params: z.unknown().optional(),
    query: z.unknown().optional(),
    body: z.unknown().optional(),
  }),
  /** The person wants the answer again. */
  z.object({ t: z.literal("again"), id: watchId }),
  z.object({ t: z.literal("end"), id: watchId }),
]);
export type WatchRequest = z.input<typeof watchRequestSchema>;

export const watchAnswerSchema = z.object({
  /** ready: `data` is there, perhaps an older answer while a newer one is fetched. */
  state: z.enum(["loading", "ready", "failed"]),
  data: z.unknown(),
  /** Why the last request failed; null after a success. */
  error: wireErrorSchema.nullable(),
  /** When `data` arrived, ms since the epoch; null without data. */
  at: z.number().nullable(),
});
export type WatchAnswer = z.infer<typeof watchAnswerSchema>;

export const watchEventSchema = z.object({ id: watchId, answer: watchAnswerSchema });
export type WatchEvent = z.infer<typeof watchEventSchema>;
