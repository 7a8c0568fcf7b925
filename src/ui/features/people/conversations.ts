/** Conversations of the chat slice as lists need them. Pure. */
import type { TFunction } from "i18next";
import type { ChatMessage } from "../../../shared/protocol/state.ts";

export interface ConversationView {
  readonly chatId: string;
  readonly name: string;
  readonly unread: number;
  readonly order: readonly string[];
  readonly messages: Readonly<Record<string, ChatMessage>>;
}

export function lastMessage(conversation: ConversationView): ChatMessage | undefined {
  const id = conversation.order.at(-1);
  return id === undefined ? undefined : conversation.messages[id];
}

/** Those with messages, the newest first. */
export function recentConversations<C extends ConversationView>(
  conversations: Readonly<Record<string, C>>,
): C[] {
  return Object.values(conversations)
    .filter((c) => c.order.length > 0)
    .sort((a, b) => (lastMessage(b)?.time ?? 0) - (lastMessage(a)?.time ?? 0));
}

/** A message in one line. */
export function messagePreview(message: ChatMessage, t: TFunction): string {
  if (message.status === "recall") {
    return t(message.bySelf ? "people.recalledBySelf" : "people.recalledByOther");
  }
  if (message.type !== "text") return t(`people.media.${message.type}`);
  return message.msg.replaceAll(/\s+/g, " ");
}

/** A gap after which the time stands between two messages, ms. */
export const TIME_GAP = 5 * 60_000;

/** Ids before which the time is shown. */
export function timeMarks(conversation: ConversationView): ReadonlySet<string> {
  const marks = new Set<string>();
  let before = Number.NEGATIVE_INFINITY;
  for (const id of conversation.order) {
    const message = conversation.messages[id];
    if (message === undefined) continue;
    if (message.time - before >= TIME_GAP) marks.add(id);
    before = message.time;
  }
  return marks;
}
