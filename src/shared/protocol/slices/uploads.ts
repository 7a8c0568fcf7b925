import { z } from "../../zod.ts";
import { UPLOAD_STATES } from "../../domain/upload-queue.ts";
import { wireErrorSchema } from "../wire-error.ts";

/** A file on its way to the company's. */
export const uploadEntrySchema = z.object({
  name: z.string(),
  /** bytes sent, of all, and in a second */
  sent: z.number(),
  size: z.number(),
  rate: z.number(),
  state: z.enum(UPLOAD_STATES),
  /** Why it failed; null otherwise. */
  error: wireErrorSchema.nullable(),
  /** It goes on when its tab is closed. */
  survives: z.boolean(),
  /** When it was begun, ms since the epoch; the oldest is sent first. */
  at: z.number(),
  /** The name of the stored file, once it is done. */
  fileName: z.string().nullable(),
});
export type UploadEntry = z.infer<typeof uploadEntrySchema>;

/** The uploads of all tabs (docs/session.md#uploads), by the keys that the tabs chose. */
export const uploadsSliceSchema = z.object({
  /** The uploads of this person that a former core had are known too. */
  ready: z.boolean(),
  byKey: z.record(z.string(), uploadEntrySchema),
});
