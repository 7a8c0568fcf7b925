/** Converts messages of the connection and of the outbox to messages of a conversation. */
import { isSafeKey, messageKey } from "../../../shared/domain/chat.ts";
import { chatUserNameSchema } from "../../../shared/protocol/rest/entities.ts";
import type { ChatMessage } from "../../../shared/protocol/state.ts";
import type { LandedEntry, OutboxEntry } from "./outbox.ts";
import type { ReceivedMessage } from "./port.ts";

/** The other side of a message; null when this person is on neither side, or the other side's name is not valid. */
export function chatIdOf(me: string, message: { from: string; to: string }): string | null {
  const peer = message.from === me ? message.to : message.from;
  if (message.from !== me && message.to !== me) return null;
  return chatUserNameSchema.safeParse(peer).success && isSafeKey(peer) ? peer : null;
}

/** A received message as its conversation shows it. */
export function toChatMessage(me: string, chatId: string, message: ReceivedMessage): ChatMessage {
  const bySelf = message.from === me;
  return {
    id: messageKey({ ...message, bySelf }),
    mid: message.mid,
    chatId,
    from: message.from,
    bySelf,
    type: message.type,
    msg: message.msg,
    status: bySelf ? (message.read ? "read" : "sent") : "unread",
    time: message.time,
  };
}

/** A message of the outbox as its conversation shows it. */
export const pendingMessage = (entry: OutboxEntry, from: string): ChatMessage => ({
  id: entry.id,
  mid: null,
  chatId: entry.to,
  from,
  bySelf: true,
  type: "text",
  msg: entry.text,
  status: entry.failed ? "failed" : "sending",
  time: entry.time,
});

/** A message that the server took just before an earlier core died. */
export const landedMessage = (entry: LandedEntry, from: string): ChatMessage => ({
  ...pendingMessage({ ...entry, failed: false }, from),
  mid: entry.mid,
  status: "sent",
});
