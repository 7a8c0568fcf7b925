/** What the outbox stores of a message. */
import { LOCAL_ID } from "../../../../shared/domain/chat.ts";
import { FILE_KINDS } from "../../../../shared/domain/chat-files.ts";
import {
  chatCustomSchema,
  chatPlaceSchema,
  chatQuoteSchema,
} from "../../../../shared/protocol/chat-parts.ts";
import { z } from "../../../../shared/zod.ts";

const fileSchema = z.object({
  kind: z.enum(FILE_KINDS),
  name: z.string(),
  /** bytes */
  size: z.number(),
  width: z.number().nullable(),
  height: z.number().nullable(),
  length: z.number().nullable(),
  /** Names the stored contents. */
  key: z.string(),
  /** Null until the server has the file. The message names it, so it is stored before the message is sent. */
  uploaded: z.object({ url: z.string(), secret: z.string() }).nullable(),
});
export type EntryFile = z.infer<typeof fileSchema>;

const entrySchema = z.object({
  id: z.string().regex(LOCAL_ID),
  /** Id of the command that made it; outboxes of earlier versions have none. */
  key: z.string().optional(),
  to: z.string(),
  text: z.string(),
  /** ms since the epoch, when it was written */
  time: z.number(),
  /** The server refused it; a person may send it again. */
  failed: z.boolean(),
  /** Extension fields of the sent message. */
  ext: z.record(z.string(), z.unknown()).optional(),
  file: fileSchema.optional(),
  /** Makes it a combined message; `file` has the messages. */
  combined: z.object({ title: z.string(), summary: z.string(), level: z.number() }).optional(),
  place: chatPlaceSchema.optional(),
  custom: chatCustomSchema.optional(),
  quote: chatQuoteSchema.optional(),
  asksReaders: z.literal(true).optional(),
});
export type OutboxEntry = z.infer<typeof entrySchema>;
const landedSchema = entrySchema.omit({ failed: true, ext: true }).extend({ mid: z.string() });
/** A message that the server has taken: an entry with the server's id and time. */
export type LandedEntry = z.infer<typeof landedSchema>;
export const storedSchema = z.object({
  entries: z.array(entrySchema),
  /** Command ids and their messages, so that a command that a tab repeats at a new core makes no second message. */
  made: z.array(z.tuple([z.string(), z.string()])),
  /** Messages that the server has taken but that no stored copy of the conversation contains yet. */
  landed: z.array(landedSchema).default([]),
});
/** An outbox as it is stored. */
export interface OutboxStored {
  readonly entries: readonly OutboxEntry[];
  readonly made: readonly (readonly [string, string])[];
  readonly landed: readonly LandedEntry[];
}

/** Commands and taken messages that are remembered; the oldest are dropped. */
export const MADE_KEPT = 200;
export const LANDED_KEPT = 100;

/** The stored entries come first. Where both have an entry, the one of now counts. */
export function joined(stored: OutboxStored, now: OutboxStored): OutboxStored {
  const known = new Set(now.entries.map((entry) => entry.id));
  return {
    entries: [...stored.entries.filter((entry) => !known.has(entry.id)), ...now.entries],
    made: [...stored.made, ...now.made].slice(-MADE_KEPT),
    landed: [...stored.landed, ...now.landed].slice(-LANDED_KEPT),
  };
}
