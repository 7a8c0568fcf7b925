/** Limits what of a conversation is in memory, for message-list.ts (docs/chat.md#messages-in-memory). */
import {
  cacheOf,
  CHAT_TAIL,
  type Reading,
  shorten,
  tailAt,
} from "../../../../shared/domain/chat-window.ts";
import type { Slices } from "../../../../shared/protocol/state.ts";
import type { Store } from "../../contracts.ts";

type Conversation = Slices["chat"]["conversations"][string];

export interface MessageWindow {
  /** Where the person reads; it decides which messages go when there are too many. */
  read(chatId: string, reading: Reading): void;
  reading(chatId: string): Reading;
  /** Drops messages when there are too many. */
  trim(chatId: string): void;
  /** @param tail key of the first of the newest messages; undefined: no messages are missing before them */
  setTail(chatId: string, tail: string | undefined): void;
  /** Server id of the last message before the newest ones; null when none is missing there. */
  lastBeforeTail(chatId: string): string | null;
  /** Whether the message belongs to the newest ones. */
  inTail(chatId: string, mid: string): boolean;
  /** Makes space for messages from another place of the history: the newest ones alone stay. */
  keepTail(chatId: string): void;
  /** Nothing is missing before the newest messages any more. */
  joinTail(chatId: string): void;
  /** Keeps the newest messages alone, without a window before them. */
  newest(chatId: string): void;
  clear(): void;
}

export function createMessageWindow(deps: {
  readonly store: Pick<Store, "set" | "del">;
  readonly get: (chatId: string) => Readonly<Conversation> | undefined;
  readonly path: (chatId: string) => readonly ["chat", "conversations", string];
  /** Keys of a conversation's messages by server id. */
  readonly midsOf: (chatId: string) => Map<string, string>;
}): MessageWindow {
  const { store, get, path, midsOf } = deps;
  /** Where the person reads, by conversation; missing: at the newest messages. */
  const readings = new Map<string, Reading>();
  const setTail = (chatId: string, tail: string | undefined): void => {
    if (get(chatId)?.tail === tail) return;
    if (tail === undefined) store.del([...path(chatId), "tail"]);
    else store.set([...path(chatId), "tail"], tail);
  };
  /** Takes messages out of memory; they come back by history. */
  const forget = (chatId: string, ids: readonly string[], order: readonly string[]): void => {
    for (const id of ids) {
      const mid = get(chatId)?.messages[id]?.mid;
      if (mid !== undefined && mid !== null) midsOf(chatId).delete(mid);
      store.del([...path(chatId), "messages", id]);
    }
    store.set([...path(chatId), "order"], order);
  };
  const isUnsent = (chatId: string, id: string): boolean => get(chatId)?.messages[id]?.mid === null;

  const newest = (chatId: string): void => {
    const conversation = get(chatId);
    readings.delete(chatId);
    if (conversation?.tail === undefined) return;
    const at = tailAt(conversation);
    const gone = conversation.order.slice(0, at).filter((id) => !isUnsent(chatId, id));
    const drop = new Set(gone);
    forget(
      chatId,
      gone,
      conversation.order.filter((id) => !drop.has(id)),
    );
    setTail(chatId, undefined);
    store.set([...path(chatId), "historyEnd"], false);
  };

  const trim = (chatId: string): void => {
    const conversation = get(chatId);
    if (conversation === undefined) return;
    const reading = readings.get(chatId) ?? "newest";
    const less = shorten(conversation, cacheOf(chatId), reading, (id) => isUnsent(chatId, id));
    if (less === null) return;
    forget(chatId, less.dropped, less.order);
    setTail(chatId, less.tail);
    if (less.beginningCut) store.set([...path(chatId), "historyEnd"], false);
  };

  return {
    reading: (chatId) => readings.get(chatId) ?? "newest",
    trim,
    setTail,
    read(chatId, reading) {
      if (reading === "newest") readings.delete(chatId);
      else readings.set(chatId, reading);
    },
    lastBeforeTail(chatId) {
      const conversation = get(chatId);
      if (conversation?.tail === undefined) return null;
      const before = conversation.order.slice(0, tailAt(conversation));
      return before.flatMap((id) => conversation.messages[id]?.mid ?? []).at(-1) ?? null;
    },
    inTail(chatId, mid) {
      const conversation = get(chatId);
      const id = midsOf(chatId).get(mid);
      if (conversation === undefined || id === undefined) return false;
      return conversation.order.indexOf(id) >= tailAt(conversation);
    },
    keepTail(chatId) {
      const conversation = get(chatId);
      if (conversation === undefined) return;
      const { order, tail } = conversation;
      const at = tail === undefined ? Math.max(0, order.length - CHAT_TAIL) : tailAt(conversation);
      const before = order.slice(0, at);
      const unsent = before.filter((id) => isUnsent(chatId, id));
      forget(
        chatId,
        before.filter((id) => !isUnsent(chatId, id)),
        [...unsent, ...order.slice(at)],
      );
      setTail(chatId, order[at]);
    },
    joinTail(chatId) {
      setTail(chatId, undefined);
      readings.delete(chatId);
    },
    newest,
    clear: () => readings.clear(),
  };
}
