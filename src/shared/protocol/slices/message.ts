/** A chat message and its file, as every tab has them. */
import { z } from "../../zod.ts";
import {
  chatCombinedSchema,
  chatCustomSchema,
  chatPlaceSchema,
  chatQuoteSchema,
  chatReactionsSchema,
  chatTypeSchema,
} from "../chat-parts.ts";

/** The file of a message (docs/chat.md#files). */
export const chatFileSchema = z.object({
  name: z.string(),
  /** bytes */
  size: z.number(),
  /** px of a picture or film; null when the sender did not say them */
  width: z.number().nullable(),
  height: z.number().nullable(),
  /** seconds of a sound or film; null when the sender did not say them */
  length: z.number().nullable(),
  /** Where it can be read, with its secret; null until it is uploaded. */
  url: z.string().nullable(),
  /** A smaller picture of a picture or film. */
  thumb: z.string().nullable(),
});
export type ChatFile = z.infer<typeof chatFileSchema>;

export const chatMessageSchema = z.object({
  /** Local id; the same when the message is sent again. */
  id: z.string(),
  /** Set for messages of this person's tabs: the key that the tab gave to the command, by which it knows its message again. */
  key: z.string().optional(),
  /** The server's id, null until sent. */
  mid: z.string().nullable(),
  chatId: z.string(),
  from: z.string(),
  bySelf: z.boolean(),
  type: chatTypeSchema,
  msg: z.string(),
  status: z.enum(["unread", "read", "sending", "sent", "delivered", "recall", "failed"]),
  /** ms since the epoch: the server's time once known, else the local one. */
  time: z.number(),
  /** Set for pictures, files, sounds and films. */
  file: chatFileSchema.optional(),
  /** Set for combined messages alone. */
  combined: chatCombinedSchema.optional(),
  /** Set for places alone. */
  place: chatPlaceSchema.optional(),
  /** Set for cards of people and custom messages alone. */
  custom: chatCustomSchema.optional(),
  quote: chatQuoteSchema.optional(),
  /** Written to this person by name, or to everybody in the group. */
  mention: z.literal(true).optional(),
  /** How often it was edited. */
  edits: z.number().int().optional(),
  /** How many members of the group have read it; null while unknown, left out where nobody is asked. */
  readers: z.number().int().nullable().optional(),
  /** Left out when there are none. */
  reactions: chatReactionsSchema.optional(),
});
export type ChatMessage = z.infer<typeof chatMessageSchema>;

/** A message inside a combined one. */
export const combinedPartSchema = z.object({
  /** Chat user name of who wrote it. */
  from: z.string(),
  /** What the sender of the combined message calls the writer; null when it says nothing. */
  name: z.string().nullable(),
  /** ms since the epoch */
  time: z.number(),
  /** "other": a kind that this console does not show. */
  type: chatTypeSchema.or(z.literal("other")),
  text: z.string(),
  file: chatFileSchema.optional(),
  combined: chatCombinedSchema.optional(),
});
export type CombinedPart = z.infer<typeof combinedPartSchema>;
