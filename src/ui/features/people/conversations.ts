/** Converts the chat slice's conversations for lists. Pure. */
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

/** Conversations with messages, newest first. */
export function recentConversations<C extends ConversationView>(
  conversations: Readonly<Record<string, C>>,
): C[] {
  return Object.values(conversations)
    .filter((c) => c.order.length > 0)
    .sort((a, b) => (lastMessage(b)?.time ?? 0) - (lastMessage(a)?.time ?? 0));
}

/** A message shortened to one line. */
export function messagePreview(message: ChatMessage, t: TFunction): string {
  if (message.status === "recall") {
    return t(message.bySelf ? "people.recalledBySelf" : "people.recalledByOther");
  }
  if (message.type !== "text") return t(`people.media.${message.type}`);
  return message.msg.replaceAll(/\s+/g, " ");
}

/** ms between two messages after which the time is shown between them. */
export const TIME_GAP = 5 * 60_000;

/** Ids of the messages above which the time is shown. */
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
