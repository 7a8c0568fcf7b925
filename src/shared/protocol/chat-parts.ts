/** Parts of a chat message that travel with it between threads, and in the storage of the core (docs/chat.md). */
import {
  CHAT_QUOTE_MAX,
  CHAT_REACTION_NAMES,
  CHAT_REACTIONS_SHOWN,
} from "../domain/chat-limits.ts";
import { z } from "../zod.ts";
import { chatUserNameSchema } from "./rest/entities.ts";

export const chatTypeSchema = z.enum([
  "text",
  "img",
  "file",
  "audio",
  "video",
  "combined",
  "location",
  "card",
  "custom",
]);

/** A place. */
export const chatPlaceSchema = z.object({
  /** "" when the sender did not say it. */
  address: z.string(),
  /** Degrees; null when the sender gave none that are on the earth. */
  at: z.object({ latitude: z.number(), longitude: z.number() }).nullable(),
});
export type ChatPlace = z.infer<typeof chatPlaceSchema>;

/** A message of a client's own kind; one of them is the card of a person (`isCard`). */
export const chatCustomSchema = z.object({
  event: z.string(),
  fields: z.record(z.string(), z.string()),
});
export type ChatCustom = z.infer<typeof chatCustomSchema>;

/** The event of a card, as the vendor's own kits name it. Its fields are `uid` and `nickname`. */
export const CARD_EVENT = "userCard";
export const isCard = ({ event, fields }: ChatCustom): boolean =>
  event === CARD_EVENT && chatUserNameSchema.safeParse(fields["uid"]).success;

/** A message that holds others, as its bubble shows it (docs/chat.md#combined-messages). */
export const chatCombinedSchema = z.object({
  title: z.string(),
  /** The first of its messages, each in a line. */
  summary: z.string(),
  /** 1, or one more than the highest level of its messages. */
  level: z.number().int(),
  /** Where its messages can be read, with the secret; null until they are uploaded. */
  url: z.string().nullable(),
});
export type ChatCombined = z.infer<typeof chatCombinedSchema>;

/** How the person keeps the conversations (docs/chat.md#settings). */
export const chatKeepingSchema = z.object({
  /** When a conversation was pinned, ms since the epoch, by its key. */
  pinned: z.record(z.string(), z.number()),
  /** Conversations without notifications, by their keys. */
  muted: z.record(z.string(), z.literal(true)),
  /** No notifications at all. */
  quiet: z.boolean(),
});
export type ChatKeeping = z.infer<typeof chatKeepingSchema>;

/** What a message answers: another message of its conversation, as the writer saw it. */
export const chatQuoteSchema = z.object({
  /** The server's id of the quoted message. */
  mid: z.string().regex(/^\d{1,20}$/),
  /** Chat user name of its sender. */
  from: z.string().min(1).max(64),
  type: chatTypeSchema,
  /** Its beginning: the text, or the name of a file. */
  text: z.string().max(CHAT_QUOTE_MAX),
});
export type ChatQuote = z.infer<typeof chatQuoteSchema>;

/** A reaction to a message, with all who reacted so. */
const chatReactionSchema = z.object({
  /** An emoji. */
  reaction: z.string().min(1).max(32),
  count: z.number().int().positive(),
  /** Chat user names of the first of them. */
  users: z.array(z.string()).max(CHAT_REACTION_NAMES),
  /** This person is among them. */
  bySelf: z.boolean(),
});
type Reaction = z.infer<typeof chatReactionSchema>;
export type ChatReaction = Readonly<Omit<Reaction, "users">> & {
  readonly users: readonly string[];
};
/** Read-only without being frozen, so that what a tab mirrors has the same type. */
export const chatReactionsSchema = z
  .array(chatReactionSchema)
  .max(CHAT_REACTIONS_SHOWN)
  .transform((list): readonly ChatReaction[] => list);
