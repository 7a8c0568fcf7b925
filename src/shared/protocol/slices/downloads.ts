import { z } from "../../zod.ts";
import { TRANSFER_STATES } from "../../domain/transfer-states.ts";
import { wireErrorSchema } from "../wire-error.ts";

/** A file on its way from the server. */
export const downloadEntrySchema = z.object({
  /** The name under which it is saved. */
  name: z.string(),
  /** bytes received, of all (null while the server has not said it), and in a second */
  received: z.number(),
  size: z.number().nullable(),
  rate: z.number(),
  state: z.enum(TRANSFER_STATES),
  /** Why it failed; null otherwise. */
  error: wireErrorSchema.nullable(),
  /** When it was begun, ms since the epoch; the oldest is fetched first. */
  at: z.number(),
  /** The tab that began it. */
  tabId: z.string(),
  /** Whether the header lists it: those that are over within a moment are not worth it. */
  listed: z.boolean(),
});
export type DownloadEntry = z.infer<typeof downloadEntrySchema>;

/** The downloads of all tabs (docs/session.md#downloads), by the keys that the tabs chose. */
export const downloadsSliceSchema = z.object({
  byKey: z.record(z.string(), downloadEntrySchema),
});
