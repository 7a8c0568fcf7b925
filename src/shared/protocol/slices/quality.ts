/** What the call monitor measures. */
import { z } from "../../zod.ts";
import { connectionStateSchema } from "./connection.ts";

/** One sample of one stream in kbit/s, %, ms and frames/s; null where the stream has no such value. */
export const qualityPointSchema = z.object({
  at: z.number(),
  kbps: z.number().nullable(),
  loss: z.number().nullable(),
  rtt: z.number().nullable(),
  fps: z.number().nullable(),
  jitter: z.number().nullable(),
  freezes: z.number().nullable(),
});
export const qualitySliceSchema = z.object({
  upload: connectionStateSchema,
  uploadAttempts: z.number().int(),
  uploadQueued: z.number().int(),
  /** By stream id (see streamSampleSchema); the newest 120 points. */
  streams: z.record(
    z.string(),
    z.object({
      id: z.string(),
      callId: z.string(),
      direction: z.enum(["local", "remote"]),
      kind: z.enum(["audio", "video"]),
      /** 2 good, 1 poor, 0 disconnected. */
      quality: z.union([z.literal(0), z.literal(1), z.literal(2)]),
      /** Estimated audio MOS, see facts; null for video. */
      mos: z.number().nullable(),
      points: z.array(qualityPointSchema),
    }),
  ),
  /** Newest first, at most 100. */
  events: z.array(z.object({ at: z.number(), kind: z.string(), text: z.string() })),
});
export type QualitySlice = z.infer<typeof qualitySliceSchema>;
