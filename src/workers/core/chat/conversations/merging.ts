/** Adds pages of history to a conversation, for conversations.ts (docs/chat.md#history). */
import type { ChatMessage } from "../../../../shared/protocol/state.ts";
import type { Store } from "../../contracts.ts";
import { chatIdOf } from "./message.ts";
import type { MessageList } from "./message-list.ts";
import type { ReceivedMessage } from "../provider/port.ts";

export interface Merging {
  /**
   * Adds a page of history.
   *
   * @param unreadAfter ms since the epoch; new messages after it count as unread. Null: none does
   * @returns whether any of it was already known
   */
  merge(
    me: string,
    chatId: string,
    page: readonly ReceivedMessage[],
    unreadAfter: number | null,
  ): boolean;
  /** Adds the page before the oldest message. */
  mergeOlder(me: string, chatId: string, page: readonly ReceivedMessage[], isLast: boolean): void;
  /** Adds the page after the old messages that are in memory. @param isLast the page ends with the newest message */
  mergeNewer(me: string, chatId: string, page: readonly ReceivedMessage[], isLast: boolean): void;
  /** Makes messages of another place of the history the old ones in memory. @param isFirst the page begins with the first message */
  place(me: string, chatId: string, page: readonly ReceivedMessage[], isFirst: boolean): void;
  setHistory(chatId: string, loaded: boolean, end: boolean): void;
}

export function createMerging(deps: {
  readonly store: Pick<Store, "set">;
  readonly list: MessageList;
  /** Adds a message. @returns its key when it is new, else null */
  readonly accept: (me: string, chatId: string, message: ReceivedMessage) => string | null;
  /** History has a known message as it is now. */
  readonly reread: (chatId: string, message: ReceivedMessage) => void;
  readonly change: (message: ChatMessage, fields: Partial<ChatMessage>) => void;
  readonly countNew: (chatId: string, id: string) => void;
}): Merging {
  const { store, list, accept, reread, change, countNew } = deps;
  const { get, ensure, path, window } = list;
  const merge: Merging["merge"] = (me, chatId, page, unreadAfter) => {
    ensure(chatId);
    let overlap = false;
    for (const message of page) {
      if (chatIdOf(me, message) !== chatId) continue;
      const id = accept(me, chatId, message);
      if (id === null) {
        overlap = true;
        reread(chatId, message);
      }
      const merged = id === null ? undefined : get(chatId)?.messages[id];
      if (id === null || merged?.status !== "unread") continue;
      if (unreadAfter === null || message.time <= unreadAfter) change(merged, { status: "read" });
      else countNew(chatId, id);
    }
    return overlap;
  };
  const setHistory = (chatId: string, loaded: boolean, end: boolean): void => {
    if (get(chatId)?.historyLoaded !== loaded)
      store.set([...path(chatId), "historyLoaded"], loaded);
    if (get(chatId)?.historyEnd !== end) store.set([...path(chatId), "historyEnd"], end);
  };
  /** Adds messages between the window and the newest ones. */
  const fill = (
    me: string,
    chatId: string,
    page: readonly ReceivedMessage[],
    isLast: boolean,
  ): void => {
    window.read(chatId, "newer");
    const meets = isLast || page.some(({ mid }) => window.inTail(chatId, mid));
    merge(me, chatId, page, null);
    if (meets) window.joinTail(chatId);
  };

  return {
    merge,
    mergeOlder(me, chatId, page, isLast) {
      window.read(chatId, "older");
      merge(me, chatId, page, null);
      setHistory(chatId, true, isLast || page.length === 0);
    },
    mergeNewer: fill,
    place(me, chatId, page, isFirst) {
      window.keepTail(chatId);
      fill(me, chatId, page, false);
      window.read(chatId, "older");
      setHistory(chatId, true, isFirst);
    },
    setHistory,
  };
}
