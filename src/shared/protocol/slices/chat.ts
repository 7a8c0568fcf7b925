/** Conversations, groups and presence. */
import { z } from "../../zod.ts";
import { chatKeepingSchema } from "../chat-parts.ts";
import { chatFriendsSchema } from "../friend-model.ts";
import { groupRequestSchema } from "../group-model.ts";
import { connectionStateSchema } from "./connection.ts";
import { chatGroupSchema } from "./group.ts";
import { chatMessageSchema } from "./message.ts";

export const conversationSchema = z.object({
  chatId: z.string(),
  name: z.string(),
  unread: z.number().int(),
  /** Local ids, oldest first. */
  order: z.array(z.string()),
  /** The first of the newest messages, while messages are missing between it and the one before it (docs/chat.md#messages-in-memory). */
  tail: z.string().optional(),
  messages: z.record(z.string(), chatMessageSchema),
  historyLoaded: z.boolean(),
  historyEnd: z.boolean(),
});

export const chatSliceSchema = z.object({
  connection: connectionStateSchema,
  /** Text of docs/chat.md#connection: logged in, logged out, network connected, network disconnected. */
  statusText: z.enum(["logged-in", "logged-out", "network-connected", "network-disconnected"]),
  /** The conversations that an earlier core stored are loaded. Before that, an empty list means nothing. */
  restored: z.boolean(),
  conversations: z.record(z.string(), conversationSchema),
  /** Share of a file that is uploaded, 0 to 1, by the message's local id. */
  uploads: z.record(z.string(), z.number()),
  /** Who is writing to this person just now, by chat user name. */
  typing: z.record(z.string(), z.literal(true)),
  /** Presence by chat user name. */
  online: z.record(z.string(), z.boolean()),
  /** The groups of which this person is a member, by group id. */
  groups: z.record(z.string(), chatGroupSchema),
  /** Invitations and applications that wait for an answer, the newest first. */
  groupRequests: z.array(groupRequestSchema),
  friends: chatFriendsSchema,
  /** Display names by chat user name, as far as they are known. */
  names: z.record(z.string(), z.string()),
  keeping: chatKeepingSchema,
});
export type ChatSlice = z.infer<typeof chatSliceSchema>;
