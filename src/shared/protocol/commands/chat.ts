/** Conversations and messages. */
import { z } from "../../zod.ts";
import { FILE_KINDS } from "../../domain/chat-files.ts";
import {
  CHAT_COMBINED_MAX,
  CHAT_COMBINED_SUMMARY_MAX,
  CHAT_COMBINED_TITLE_MAX,
  CHAT_ERASE_MAX,
  CHAT_FORWARD_MAX,
} from "../../domain/chat-limits.ts";
import { chatIdSchema } from "../../domain/group-chat.ts";
import { blobSchema } from "../blob.ts";
import { chatQuoteSchema } from "../chat-parts.ts";
import { chatUserNameSchema } from "../rest/entities.ts";
import { combinedPartSchema } from "../slices/message.ts";
import { command, done, messageText } from "./command.ts";

/** px of a picture; null when they are unknown. */
const pixels = z.number().int().positive().max(100_000).nullable();

export const chatCommands = {
  /** Opens a conversation: history is fetched (10 messages) and the messages shown are marked read. */
  open: command(z.object({ chatId: chatIdSchema, name: z.string() }), done),
  older: command(z.object({ chatId: chatIdSchema }), done),
  /** Reads the page after the old messages that are in memory, until they meet the newest ones. */
  newer: command(z.object({ chatId: chatIdSchema }), done),
  /** Keeps the newest messages alone in memory: the person has left the old ones. */
  newest: command(z.object({ chatId: chatIdSchema }), done),
  /** Returns once the message is in the outbox; its status is in the chat slice. */
  send: command(
    z.object({
      chatId: chatIdSchema,
      text: messageText(5000),
      /** The message that this one answers. */
      quote: chatQuoteSchema.optional(),
      /** Identifies the message at every attempt, by any tab and at any core, so that it is sent once. */
      key: z.string().min(1).max(64).optional(),
    }),
    z.object({ id: z.string() }),
  ),
  /** Returns once the file is in the outbox; the core uploads it, and its progress is in the chat slice. */
  sendFile: command(
    z.object({
      chatId: chatIdSchema,
      kind: z.enum(FILE_KINDS),
      file: blobSchema,
      /** A smaller picture of a picture or film. */
      thumb: blobSchema.nullable(),
      name: z.string().min(1).max(255),
      width: pixels,
      height: pixels,
      /** seconds */
      length: z.number().nonnegative().max(1_000_000).nullable(),
      key: z.string().min(1).max(64).optional(),
    }),
    z.object({ id: z.string() }),
  ),
  /** The person is writing; the other side learns of it now and then. */
  typing: command(z.object({ chatId: chatIdSchema }), done),
  /** Sends the card of a person; returns once it is in the outbox. */
  sendCard: command(
    z.object({
      chatId: chatIdSchema,
      person: z.object({ userName: chatUserNameSchema, name: z.string().min(1).max(100) }),
      key: z.string().min(1).max(64).optional(),
    }),
    z.object({ id: z.string() }),
  ),
  /** Takes a file back that the server does not have yet; false when it is too late. */
  cancel: command(z.object({ chatId: chatIdSchema, id: z.string() }), z.boolean()),
  /** The picture of a message that is not uploaded yet, for its bubble; null when there is none. */
  picture: command(z.object({ id: z.string() }), blobSchema.nullable()),
  resend: command(z.object({ chatId: chatIdSchema, id: z.string() }), done),
  /** Changes an own text; returns once the server has the change. */
  edit: command(z.object({ chatId: chatIdSchema, id: z.string(), text: messageText(5000) }), done),
  /** Takes an own message back, within two minutes after it was sent. */
  recall: command(z.object({ chatId: chatIdSchema, id: z.string() }), done),
  /** Adds the person's reaction to a message, or takes it back. */
  react: command(
    z.object({
      chatId: chatIdSchema,
      id: z.string(),
      reaction: z.string().min(1).max(32),
      on: z.boolean(),
    }),
    done,
  ),
  /** Sends messages on; returns once they are in the outbox for each of the conversations. */
  forward: command(
    z.object({
      chatId: chatIdSchema,
      ids: z.array(z.string()).min(1).max(CHAT_COMBINED_MAX),
      to: z.array(chatIdSchema).min(1).max(CHAT_FORWARD_MAX),
      /** Makes one message of them for each conversation; null sends them one by one. */
      combined: z
        .object({
          title: messageText(CHAT_COMBINED_TITLE_MAX),
          summary: z.string().max(CHAT_COMBINED_SUMMARY_MAX),
        })
        .nullable(),
    }),
    done,
  ),
  /** Reads the messages of a combined one, by its address. */
  readCombined: command(z.object({ url: z.string().max(1000) }), z.array(combinedPartSchema)),
  /** Deletes messages from this person's own history. Others keep them. */
  erase: command(
    z.object({ chatId: chatIdSchema, ids: z.array(z.string()).min(1).max(CHAT_ERASE_MAX) }),
    done,
  ),
  /** Reads this message and those around it; false when it is not found. */
  reach: command(z.object({ chatId: chatIdSchema, mid: z.string().max(64) }), z.boolean()),
  /** Keeps a conversation on top of the list. */
  pin: command(z.object({ chatId: chatIdSchema, on: z.boolean() }), done),
  /** Takes a conversation out of the list, on all devices, until its next message. */
  forget: command(z.object({ chatId: chatIdSchema }), done),
  /** Ends the notifications of a conversation; null: of all. */
  mute: command(z.object({ chatId: chatIdSchema.nullable(), on: z.boolean() }), done),
  /** Somebody has seen the messages up to this one; left out: all. A later one may have come meanwhile and stays unread. */
  markRead: command(z.object({ chatId: chatIdSchema, upTo: z.string().optional() }), done),
} as const;
