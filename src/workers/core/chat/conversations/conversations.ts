/**
 * Changes the state of messages (docs/chat.md#status): sent, delivered, read, recalled. The events may arrive in any order. The
 * message list (message-list.ts) keeps the messages themselves.
 */
import { nextStatus } from "../../../../shared/domain/chat.ts";
import type { ChatMessage } from "../../../../shared/protocol/state.ts";
import type { Store } from "../../contracts.ts";
import { createEarly } from "./early.ts";
import { chatIdOf, toChatMessage } from "./message.ts";
import { createMerging, type Merging } from "./merging.ts";
import { createMessageNews, type MessageNews } from "./message-news.ts";
import { type Conversation, createMessageList } from "./message-list.ts";
import type { ListedConversation, ReceivedMessage } from "../provider/port.ts";

/** The server has the message, and it is not known to be read. */
const isWithThem = ({ status }: ChatMessage): boolean =>
  status === "sent" || status === "delivered";

export interface Conversations extends Merging, MessageNews {
  get(chatId: string): Readonly<Conversation> | undefined;
  all(): readonly Readonly<Conversation>[];
  /** Whether a message with this server id is there. */
  has(chatId: string, mid: string): boolean;
  /** Creates a missing conversation; a given name replaces the old one. @returns whether it was missing */
  ensure(chatId: string, name?: string): boolean;
  /** Replaces all conversations, from the stored copy. */
  restore(conversations: readonly Conversation[]): void;
  clear(): void;
  /** Adds or replaces a message of the own outbox. */
  putOwn(message: ChatMessage): void;
  /** Adds a message from the connection. @returns its key when it is new, else null */
  receive(me: string, message: ReceivedMessage): string | null;
  /** Server id of the last of the old messages in memory; null when nothing is missing after them. */
  lastBeforeTail(chatId: string): string | null;
  /** Keeps the newest messages alone in memory. */
  newest(chatId: string): void;
  /** Drops messages from before `time` (ms since the epoch) that the server has, because messages may be missing after them. */
  dropBefore(chatId: string, time: number): void;
  /**
   * Shows a conversation as the provider has it. Messages up to its last one are not counted again, whenever they come.
   *
   * @param asOf what `readings` said when the provider was asked; a conversation that was read since then keeps its count
   * @returns whether the provider counts messages as unread that were read here
   */
  listed(me: string, row: ListedConversation, asOf: number): boolean;
  /** Grows with each reading of a conversation. */
  readings(): number;
  /** Takes a conversation out of the list; its next message brings it back. */
  drop(chatId: string): void;
  setStatus(chatId: string, id: string, status: ChatMessage["status"]): void;
  /** The file of an own message is uploaded. */
  setContents(chatId: string, id: string, contents: Pick<ChatMessage, "file" | "combined">): void;
  /** Takes out an own message that the server does not have. */
  remove(chatId: string, id: string): void;
  /** The server has taken the message. */
  sent(chatId: string, id: string, mid: string, time: number | null): void;
  /** Unread messages up to this one whose sender asks to learn when they are read: their server ids, oldest first. */
  toAcknowledge(chatId: string, upTo?: string): string[];
  /** The other side has read all own messages up to `time`. */
  readByPeer(chatId: string, time: number): void;
  /** @returns whether anything was unread and nothing is any more, so that the whole conversation is read */
  markRead(chatId: string, upTo?: string): boolean;
  /** Another device of this person has read the messages up to a time of the server, ms, or up to a message. */
  readElsewhere(chatId: string, upTo: { readonly time: number } | { readonly mid: string }): void;
  /** Marks the conversation for storing its copy again. */
  touch(chatId: string): void;
  /** Server id of the oldest message that has one. */
  oldestMid(chatId: string): string | null;
}

export function createConversations(deps: {
  readonly store: Pick<Store, "get" | "set" | "del">;
  readonly onChange: (chatId: string) => void;
  readonly onBad: (what: string) => void;
  /** The server already has this own message, so the outbox need not send it. */
  readonly onConfirmed: (id: string, mid: string, time: number) => void;
}): Conversations {
  const { store } = deps;
  const list = createMessageList(deps);
  const { get, ensure, put, find, path } = list;
  const early = createEarly();
  /** Time up to which the other side has read; a receipt may arrive before its messages. */
  const readUntil = new Map<string, number>();
  /** The time of the last message that the provider has counted, by conversation. */
  const countedUntil = new Map<string, number>();
  let readings = 0;
  const readAt = new Map<string, number>();
  const change = (message: ChatMessage, fields: Partial<ChatMessage>): void =>
    put({ ...message, ...fields });
  const setUnread = (chatId: string, unread: number): void => {
    if (get(chatId)?.unread === unread) return;
    store.set([...path(chatId), "unread"], unread);
    deps.onChange(chatId);
  };
  const { rewrite, ...messageNews } = createMessageNews({
    get,
    find,
    early,
    change,
    setUnread,
    onBad: deps.onBad,
  });
  const settleEarly = (chatId: string, mid: string, id: string): void =>
    early.settle(`${chatId}/${mid}`, id);

  /** History has the reactions of a known message as they are now. */
  const reread = (chatId: string, { mid, reactions }: ReceivedMessage): void => {
    const known = find(chatId, mid);
    if (known === undefined || known.status === "recall") return;
    const before = known.reactions ?? [];
    if (JSON.stringify(before) === JSON.stringify(reactions)) return;
    change(known, { reactions: reactions.length === 0 ? undefined : [...reactions] });
  };

  /** @returns the key of a new message, null for a known one */
  const accept = (me: string, chatId: string, message: ReceivedMessage): string | null => {
    const seen = message.time <= (readUntil.get(chatId) ?? 0);
    const fresh = toChatMessage(me, chatId, { ...message, read: message.read || seen });
    const knownId = list.keyOf(chatId, message.mid) ?? fresh.id;
    const known = get(chatId)?.messages[knownId];
    if (known !== undefined) {
      if (known.mid !== null && known.file?.url === null && (fresh.file?.url ?? null) !== null) {
        // the list of conversations names no address
        change(known, { file: fresh.file });
      }
      const place = fresh.combined?.url ?? null;
      if (known.mid !== null && known.combined?.url === null && place !== null) {
        change(known, { combined: fresh.combined });
      }
      if (known.mid === null) {
        change(known, {
          mid: fresh.mid,
          time: fresh.time,
          status: nextStatus(known.status, fresh.status),
        });
        deps.onConfirmed(known.id, message.mid, message.time);
        settleEarly(chatId, message.mid, known.id);
      } else if (message.edits > (known.edits ?? 0)) {
        rewrite(known, message);
      } else if (known.bySelf && fresh.status === "read" && isWithThem(known)) {
        change(known, { status: "read" });
      }
      return null;
    }
    put(fresh);
    if (fresh.bySelf) deps.onConfirmed(fresh.id, message.mid, message.time);
    settleEarly(chatId, message.mid, fresh.id);
    return fresh.id;
  };

  /** Counts a new message as unread, unless its recall arrived first. */
  const countNew = (chatId: string, id: string): void => {
    const conversation = get(chatId);
    const message = conversation?.messages[id];
    if (conversation === undefined || message?.status !== "unread") return;
    if (message.time <= (countedUntil.get(chatId) ?? 0)) return;
    setUnread(chatId, conversation.unread + 1);
  };
  /** Unread messages, oldest first. @param upTo the last one that counts; one that is not listed: all */
  const unreadOf = (chatId: string, upTo?: string): ChatMessage[] => {
    const { order = [], messages = {} } = get(chatId) ?? {};
    const end = upTo === undefined ? -1 : order.indexOf(upTo);
    return order
      .slice(0, end === -1 ? undefined : end + 1)
      .flatMap((id) => messages[id] ?? [])
      .filter((message) => message.status === "unread");
  };
  const markRead = (chatId: string, upTo?: string): boolean => {
    const conversation = get(chatId);
    if (conversation === undefined) return false;
    const read = unreadOf(chatId, upTo);
    for (const message of read) change(message, { status: "read" });
    const left = unreadOf(chatId).length;
    const any = read.length > 0 || conversation.unread > left;
    if (left === 0) {
      readings += 1;
      readAt.set(chatId, readings);
    }
    if (any) {
      setUnread(chatId, left);
      deps.onChange(chatId);
    }
    return any && left === 0;
  };
  const forget = (): void => {
    early.clear();
    readUntil.clear();
    countedUntil.clear();
    readAt.clear();
  };

  const merging = createMerging({ store, list, accept, reread, change, countNew });

  return {
    get,
    ensure,
    all: list.all,
    has: (chatId, mid) => find(chatId, mid) !== undefined,
    restore(conversations) {
      forget();
      list.replaceAll(conversations);
    },
    clear() {
      forget();
      list.replaceAll([]);
      store.set(["chat", "online"], {});
    },
    putOwn: put,
    receive(me, message) {
      const chatId = chatIdOf(me, message);
      if (chatId === null) {
        deps.onBad("a message of a conversation without this person");
        return null;
      }
      const id = accept(me, chatId, message);
      if (id !== null) countNew(chatId, id);
      return id;
    },
    ...merging,
    ...messageNews,
    lastBeforeTail: list.window.lastBeforeTail,
    newest: list.window.newest,
    dropBefore: list.dropBefore,
    drop(chatId) {
      countedUntil.delete(chatId);
      list.drop(chatId);
    },
    readings: () => readings,
    listed(me, { chatId, unread, last }, asOf) {
      if (last === null || chatIdOf(me, last) !== chatId) return false;
      const id = accept(me, chatId, last);
      if ((readAt.get(chatId) ?? 0) > asOf) {
        const added = id === null ? undefined : get(chatId)?.messages[id];
        if (added?.status === "unread") change(added, { status: "read" });
        return unread > 0;
      }
      countedUntil.set(chatId, Math.max(last.time, countedUntil.get(chatId) ?? 0));
      const newer = unreadOf(chatId).filter(({ time }) => time > last.time).length;
      const count = unread + newer;
      for (const message of unreadOf(chatId).slice(0, count === 0 ? undefined : -count)) {
        change(message, { status: "read" });
      }
      setUnread(chatId, count);
      return false;
    },
    setStatus(chatId, id, status) {
      const message = get(chatId)?.messages[id];
      if (message === undefined) return;
      const next = nextStatus(message.status, status);
      if (next !== message.status) change(message, { status: next });
    },
    setContents(chatId, id, contents) {
      const message = get(chatId)?.messages[id];
      if (message !== undefined) change(message, contents);
    },
    remove: list.remove,
    sent(chatId, id, mid, time) {
      const message = get(chatId)?.messages[id];
      if (message === undefined) return;
      const status = nextStatus(message.status, "sent");
      change(message, { mid, time: time ?? message.time, status });
      settleEarly(chatId, mid, id);
    },
    toAcknowledge: (chatId, upTo) =>
      unreadOf(chatId, upTo).flatMap(({ readers, mid }) =>
        readers === undefined ? [] : (mid ?? []),
      ),
    readByPeer(chatId, time) {
      readUntil.set(chatId, Math.max(time, readUntil.get(chatId) ?? 0));
      for (const message of Object.values(get(chatId)?.messages ?? {})) {
        if (!message.bySelf || !isWithThem(message)) continue;
        if (time > 0 && message.time > time) continue;
        change(message, { status: "read" });
      }
    },
    markRead,
    readElsewhere(chatId, upTo) {
      const { order = [], messages = {} } = get(chatId) ?? {};
      // some servers say no time
      if ("time" in upTo && upTo.time === 0) return void markRead(chatId);
      const last =
        "mid" in upTo
          ? find(chatId, upTo.mid)?.id
          : order.findLast((id) => (messages[id]?.time ?? 0) <= upTo.time);
      if (last !== undefined) markRead(chatId, last);
    },
    touch: deps.onChange,
    oldestMid: list.oldestMid,
  };
}
