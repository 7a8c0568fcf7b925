/**
 * Changes the state of messages (docs/chat.md#status): sent, delivered, read, recalled. The events may arrive in any order. The
 * message list (message-list.ts) keeps the messages themselves.
 */
import { nextStatus, recallText } from "../../../shared/domain/chat.ts";
import type { ChatMessage } from "../../../shared/protocol/state.ts";
import type { Store } from "../contracts.ts";
import { createEarly } from "./early.ts";
import { chatIdOf, toChatMessage } from "./message.ts";
import { type Conversation, createMessageList } from "./message-list.ts";
import type { Receipt, ReceivedMessage } from "./port.ts";

export interface Conversations {
  get(chatId: string): Readonly<Conversation> | undefined;
  all(): readonly Readonly<Conversation>[];
  /** Creates a missing conversation; a given name replaces the old one. @returns whether it was missing */
  ensure(chatId: string, name?: string): boolean;
  /** Replaces all conversations, from the stored copy. */
  restore(conversations: readonly Conversation[]): void;
  clear(): void;
  /** Adds or replaces a message of the own outbox. */
  putOwn(message: ChatMessage): void;
  /** Adds a message from the connection. @returns its key when it is new, else null */
  receive(me: string, message: ReceivedMessage): string | null;
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
  /** Drops messages from before `time` (ms since the epoch) that the server has, because messages may be missing after them. */
  dropBefore(chatId: string, time: number): void;
  setStatus(chatId: string, id: string, status: ChatMessage["status"]): void;
  /** The server has taken the message. */
  sent(chatId: string, id: string, mid: string, time: number | null): void;
  /** A receipt for one own message. */
  receipt(chatId: string, mid: string, status: "sent" | "read"): void;
  /** The other side has read all own messages up to `time`. */
  readByPeer(chatId: string, time: number): void;
  /** @returns whether anything was unread */
  markRead(chatId: string): boolean;
  recall(me: string, receipt: Receipt): void;
  /** Marks the conversation for storing its copy again. */
  touch(chatId: string): void;
  setHistory(chatId: string, loaded: boolean, end: boolean): void;
  /** Server id of the oldest message that has one. */
  oldestMid(chatId: string): string | null;
}

export function createConversations(deps: {
  readonly store: Pick<Store, "get" | "set" | "del">;
  readonly onChange: (chatId: string) => void;
  readonly onBad: (what: string) => void;
  /** The server already has this own message, so the outbox need not send it. */
  readonly onConfirmed: (id: string) => void;
}): Conversations {
  const { store } = deps;
  const list = createMessageList(deps);
  const { get, ensure, put, find, path } = list;
  const early = createEarly();
  /** Time up to which the other side has read; a receipt may arrive before its messages. */
  const readUntil = new Map<string, number>();
  const change = (message: ChatMessage, fields: Partial<ChatMessage>): void =>
    put({ ...message, ...fields });
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
  const settleEarly = (chatId: string, mid: string, id: string): void =>
    early.settle(`${chatId}/${mid}`, id);
  const setUnread = (chatId: string, unread: number): void => {
    if (get(chatId)?.unread !== unread) store.set([...path(chatId), "unread"], unread);
  };

  /** @returns the key of a new message, null for a known one */
  const accept = (me: string, chatId: string, message: ReceivedMessage): string | null => {
    const seen = message.time <= (readUntil.get(chatId) ?? 0);
    const fresh = toChatMessage(me, chatId, { ...message, read: message.read || seen });
    const knownId = list.keyOf(chatId, message.mid) ?? fresh.id;
    const known = get(chatId)?.messages[knownId];
    if (known !== undefined) {
      if (known.mid === null) {
        change(known, {
          mid: fresh.mid,
          time: fresh.time,
          status: nextStatus(known.status, fresh.status),
        });
        deps.onConfirmed(known.id);
        settleEarly(chatId, message.mid, known.id);
      } else if (known.bySelf && fresh.status === "read" && known.status === "sent") {
        change(known, { status: "read" });
      }
      return null;
    }
    put(fresh);
    if (fresh.bySelf) deps.onConfirmed(fresh.id);
    settleEarly(chatId, message.mid, fresh.id);
    return fresh.id;
  };

  /** Counts a new message as unread, unless its recall arrived first. */
  const countNew = (chatId: string, id: string): void => {
    const conversation = get(chatId);
    if (conversation?.messages[id]?.status === "unread") {
      setUnread(chatId, conversation.unread + 1);
    }
  };

  return {
    get,
    ensure,
    all: list.all,
    restore(conversations) {
      early.clear();
      readUntil.clear();
      list.replaceAll(conversations);
    },
    clear() {
      early.clear();
      readUntil.clear();
      list.replaceAll([]);
      store.set(["chat", "online"], {});
    },
    putOwn: put,
    receive(me, message) {
      const chatId = chatIdOf(me, message);
      if (chatId === null) {
        deps.onBad("chat: a message of a conversation without this person");
        return null;
      }
      const id = accept(me, chatId, message);
      if (id !== null) countNew(chatId, id);
      return id;
    },
    merge(me, chatId, page, unreadAfter) {
      ensure(chatId);
      let overlap = false;
      for (const message of page) {
        if (chatIdOf(me, message) !== chatId) continue;
        const id = accept(me, chatId, message);
        if (id === null) overlap = true;
        const merged = id === null ? undefined : get(chatId)?.messages[id];
        if (id === null || merged?.status !== "unread") continue;
        if (unreadAfter === null || message.time <= unreadAfter) change(merged, { status: "read" });
        else countNew(chatId, id);
      }
      return overlap;
    },
    dropBefore: list.dropBefore,
    setStatus(chatId, id, status) {
      const message = get(chatId)?.messages[id];
      if (message === undefined) return;
      const next = nextStatus(message.status, status);
      if (next !== message.status) change(message, { status: next });
    },
    sent(chatId, id, mid, time) {
      const message = get(chatId)?.messages[id];
      if (message === undefined) return;
      const status = nextStatus(message.status, "sent");
      change(message, { mid, time: time ?? message.time, status });
      settleEarly(chatId, mid, id);
    },
    receipt(chatId, mid, status) {
      later(chatId, mid, (message) => {
        const next = nextStatus(message.status, status);
        if (message.bySelf && next !== message.status) change(message, { status: next });
      });
    },
    readByPeer(chatId, time) {
      readUntil.set(chatId, Math.max(time, readUntil.get(chatId) ?? 0));
      for (const message of Object.values(get(chatId)?.messages ?? {})) {
        if (!message.bySelf || message.status !== "sent") continue;
        if (time > 0 && message.time > time) continue;
        change(message, { status: "read" });
      }
    },
    markRead(chatId) {
      const conversation = get(chatId);
      if (conversation === undefined) return false;
      const unread = Object.values(conversation.messages).filter((m) => m.status === "unread");
      for (const message of unread) change(message, { status: "read" });
      const any = unread.length > 0 || conversation.unread > 0;
      if (any) {
        setUnread(chatId, 0);
        deps.onChange(chatId);
      }
      return any;
    },
    recall(me, receipt) {
      const chatId = chatIdOf(me, receipt);
      if (chatId === null)
        return deps.onBad("chat: a recall in a conversation without this person");
      later(chatId, receipt.mid, (message, counted) => {
        if (message.from !== receipt.from)
          return deps.onBad("chat: a recall by someone other than the sender");
        if (message.status === "recall") return;
        const unread = counted && message.status === "unread";
        change(message, { status: "recall", msg: recallText(message.bySelf), type: "text" });
        if (unread) setUnread(chatId, Math.max(0, (get(chatId)?.unread ?? 0) - 1));
      });
    },
    touch: deps.onChange,
    setHistory(chatId, loaded, end) {
      if (get(chatId)?.historyLoaded !== loaded) {
        store.set([...path(chatId), "historyLoaded"], loaded);
      }
      if (get(chatId)?.historyEnd !== end) store.set([...path(chatId), "historyEnd"], end);
    },
    oldestMid: list.oldestMid,
  };
}
