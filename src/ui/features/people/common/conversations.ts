/** Converts the chat slice's conversations for lists. Pure. */
import type { TFunction } from "i18next";
import { groupIdOf } from "../../../../shared/domain/group-chat.ts";
import type { ChatKeeping } from "../../../../shared/protocol/chat-parts.ts";
import type { ChatMessage } from "../../../../shared/protocol/state.ts";

export interface ConversationView {
  readonly chatId: string;
  readonly name: string;
  readonly unread: number;
  readonly order: readonly string[];
  /** The first of the newest messages, while messages before it are missing. */
  readonly tail?: string | undefined;
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
  return newestFirst(
    Object.values(conversations).filter((c) => c.order.length > 0),
    (c) => lastMessage(c)?.time ?? 0,
  );
}

/** @param timeOf ms since the epoch */
export const newestFirst = <R>(rows: readonly R[], timeOf: (row: R) => number): R[] =>
  rows.toSorted((a, b) => timeOf(b) - timeOf(a));

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

/** Pinned conversations first, the last pinned on top; the others keep their order. */
export const pinnedFirst = <R extends { readonly chatId: string }>(
  rows: readonly R[],
  pinned: ChatKeeping["pinned"],
): R[] => {
  const at = ({ chatId }: R): number =>
    Object.hasOwn(pinned, chatId) ? (pinned[chatId] ?? 0) : -1;
  return rows.toSorted((a, b) => at(b) - at(a));
};

export const LIST_FILTERS = ["all", "unread", "mention", "groups"] as const;
export type ListFilter = (typeof LIST_FILTERS)[number];

/** Whether somebody wrote to this person by name, and the message is unread. */
export const isMentioned = ({ unread, order, messages }: ConversationView): boolean =>
  unread > 0 &&
  order.some((id) => messages[id]?.mention === true && messages[id].status === "unread");

export function passesFilter(
  filter: ListFilter,
  row: { readonly chatId: string; readonly conversation: ConversationView | undefined },
): boolean {
  switch (filter) {
    case "all":
      return true;
    case "unread":
      return (row.conversation?.unread ?? 0) > 0;
    case "mention":
      return row.conversation !== undefined && isMentioned(row.conversation);
    case "groups":
      return groupIdOf(row.chatId) !== null;
  }
}

/** Most messages that a search shows. */
const HITS = 30;

export interface Hit {
  readonly name: string;
  readonly message: ChatMessage & { readonly mid: string };
}

/** The newest messages whose text or file name contains the words, of all conversations. Messages that were taken back are left out. */
export function searchMessages(
  conversations: Readonly<Record<string, ConversationView>>,
  keyword: string,
): Hit[] {
  const word = keyword.trim().toLowerCase();
  if (word === "") return [];
  return Object.values(conversations)
    .flatMap(({ name, messages }) =>
      Object.values(messages).flatMap((message): Hit[] => {
        const { mid, status, msg } = message;
        if (mid === null || status === "recall" || !msg.toLowerCase().includes(word)) return [];
        return [{ name, message: { ...message, mid } }];
      }),
    )
    .sort((a, b) => b.message.time - a.message.time)
    .slice(0, HITS);
}
