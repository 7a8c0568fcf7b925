/** What hidden tabs hear of chat (docs/chat.md#notifications): the number in the title, and the messages that the system shows. */
import { chatTypeSchema } from "./chat-parts.ts";
import { z } from "../zod.ts";

/** Characters of a message's text that a notification shows. */
export const NEWS_TEXT_MAX = 200;

export const newsEntrySchema = z.object({
  chatId: z.string(),
  /** Server id of the message. */
  mid: z.string(),
  /** Of the person or group; "" while it is unknown. */
  name: z.string(),
  /** Who wrote to a group; null in the conversation with a person. */
  sender: z.string().nullable(),
  type: chatTypeSchema,
  text: z.string(),
  /** The tab that shows it; null when the person saw a tab of the console as it came. */
  tabId: z.string().nullable(),
});
export type NewsEntry = z.infer<typeof newsEntrySchema>;

export const newsSliceSchema = z.object({
  /** Unread messages of conversations that are not silent. */
  unread: z.number().int(),
  /** The newest unread message of a conversation, by its key; only messages that may be shown. */
  messages: z.record(z.string(), newsEntrySchema),
});
export type NewsSlice = z.infer<typeof newsSliceSchema>;
