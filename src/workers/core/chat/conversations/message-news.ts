/**
 * News about single messages, for conversations.ts: receipts, recalls, edits, reactions (docs/chat.md#receipts). They may come before
 * their message and are kept until it is there.
 */
import { nextStatus, recallText } from "../../../../shared/domain/chat.ts";
import type { ChatMessage } from "../../../../shared/protocol/state.ts";
import type { Early } from "./early.ts";
import { chatIdOf, reactionsAfter } from "./message.ts";
import type { MessageList } from "./message-list.ts";
import type { ReactionNews, Receipt, ReceivedMessage } from "../provider/port.ts";

type Edited = Pick<ReceivedMessage, "mid" | "from" | "to" | "msg" | "edits">;

export interface MessageNews {
  /** A receipt for one own message. */
  receipt(chatId: string, mid: string, status: "sent" | "delivered" | "read"): void;
  /** How many members of the group have read an own message. */
  readBy(chatId: string, mid: string, count: number): void;
  recall(me: string, receipt: Receipt): void;
  /** A message has a new text, by this person or the other side. */
  edited(me: string, message: Edited): void;
  /** Somebody reacted to a message. */
  reacted(me: string, news: ReactionNews): void;
}

export function createMessageNews(deps: {
  readonly get: MessageList["get"];
  readonly find: MessageList["find"];
  readonly early: Pick<Early, "keep">;
  readonly change: (message: ChatMessage, fields: Partial<ChatMessage>) => void;
  readonly setUnread: (chatId: string, unread: number) => void;
  readonly onBad: (what: string) => void;
}): MessageNews & {
  /** Gives a known message the text of a newer edit. */
  rewrite(known: ChatMessage, edited: Edited): void;
} {
  const { get, find, early, change, setUnread } = deps;
  /**
   * Runs now if the message is known, else when it arrives.
   *
   * @param run `counted`: the message may be counted as unread already
   */
  const later = (
    chatId: string,
    mid: string,
    run: (message: ChatMessage, counted: boolean) => void,
  ): void => {
    const message = find(chatId, mid);
    if (message !== undefined) return run(message, true);
    early.keep(`${chatId}/${mid}`, (id) => {
      const found = get(chatId)?.messages[id];
      if (found !== undefined) run(found, false);
    });
  };
  /** Edits arrive late, twice and out of order: the one with the highest count is the newest. */
  const rewrite = (known: ChatMessage, { from, msg, edits }: Edited): void => {
    if (known.from !== from) return deps.onBad("an edit by someone other than the sender");
    if (known.status === "recall" || edits <= (known.edits ?? 0)) return;
    change(known, { msg, edits });
  };

  return {
    rewrite,
    receipt(chatId, mid, status) {
      later(chatId, mid, (message) => {
        const next = nextStatus(message.status, status);
        if (message.bySelf && next !== message.status) change(message, { status: next });
      });
    },
    readBy(chatId, mid, count) {
      later(chatId, mid, (message) => {
        const asks = message.bySelf && message.readers !== undefined && message.status !== "recall";
        if (asks && count > (message.readers ?? -1)) change(message, { readers: count });
      });
    },
    recall(me, receipt) {
      const chatId = chatIdOf(me, receipt);
      if (chatId === null) return deps.onBad("a recall in a conversation without this person");
      later(chatId, receipt.mid, (message, counted) => {
        if (message.from !== receipt.from)
          return deps.onBad("a recall by someone other than the sender");
        if (message.status === "recall") return;
        const unread = counted && message.status === "unread";
        change(message, {
          status: "recall",
          msg: recallText(message.bySelf),
          type: "text",
          file: undefined,
          combined: undefined,
          place: undefined,
          custom: undefined,
          quote: undefined,
          readers: undefined,
          edits: undefined,
          reactions: undefined,
        });
        if (unread) setUnread(chatId, Math.max(0, (get(chatId)?.unread ?? 0) - 1));
      });
    },
    edited(me, message) {
      const chatId = chatIdOf(me, message);
      if (chatId === null) return deps.onBad("an edit in a conversation without this person");
      later(chatId, message.mid, (known) => rewrite(known, message));
    },
    reacted(me, news) {
      const chatId = chatIdOf(me, news);
      if (chatId === null) return deps.onBad("a reaction in a conversation of others");
      later(chatId, news.mid, (known) => {
        if (known.status === "recall") return;
        const reactions = reactionsAfter(me, known.reactions ?? [], news);
        change(known, { reactions: reactions.length === 0 ? undefined : reactions });
      });
    },
  };
}
