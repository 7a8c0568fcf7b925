import { z } from "../../zod.ts";
import { TRANSFER_STATES } from "../../domain/transfer-states.ts";
import { wireErrorSchema } from "../wire-error.ts";

/** A file on its way to the company's. */
export const uploadEntrySchema = z.object({
  name: z.string(),
  /** bytes sent, of all, and in a second */
  sent: z.number(),
  size: z.number(),
  rate: z.number(),
  state: z.enum(TRANSFER_STATES),
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

/** A file of a chat message on its way. It goes with its message, from the outbox (docs/chat.md#outbox). */
const chatUploadSchema = z.object({
  chatId: z.string(),
  name: z.string(),
  /** bytes of all, and sent */
  size: z.number(),
  sent: z.number(),
  state: z.enum(["waiting", "running", "paused", "failed"]),
  /** When the message was written, ms since the epoch. */
  at: z.number(),
});
export type ChatUpload = z.infer<typeof chatUploadSchema>;

/** The uploads of all tabs (docs/session.md#uploads), by the keys that the tabs chose. */
export const uploadsSliceSchema = z.object({
  /** The uploads of this person that a former core had are known too. */
  ready: z.boolean(),
  byKey: z.record(z.string(), uploadEntrySchema),
  /** Those of chat, by the local ids of their messages. */
  chat: z.record(z.string(), chatUploadSchema),
});
