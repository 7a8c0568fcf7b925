/**
 * The conversations of the chat slice: every message once, in the server's order, a limited number. `onChange` reports changes, so
 * that the cache can store them.
 */
import { positionOf } from "../../../../shared/domain/chat.ts";
import type { ChatMessage, Slices } from "../../../../shared/protocol/state.ts";
import type { Store } from "../../contracts.ts";
import { createMessageWindow, type MessageWindow } from "./message-window.ts";

export type Conversation = Slices["chat"]["conversations"][string];

export interface MessageList {
  get(chatId: string): Readonly<Conversation> | undefined;
  all(): readonly Readonly<Conversation>[];
  /** Path of the conversation in the slices. */
  path(chatId: string): readonly ["chat", "conversations", string];
  /** Creates a missing conversation; a given name replaces the old one. @returns whether it was missing */
  ensure(chatId: string, name?: string): boolean;
  /** Inserts or updates a message at its position. */
  put(message: ChatMessage): void;
  /** Takes a message out. */
  remove(chatId: string, id: string): void;
  /** Finds a message by server id. */
  find(chatId: string, mid: string): ChatMessage | undefined;
  /** Key of the message with this server id. */
  keyOf(chatId: string, mid: string): string | undefined;
  replaceAll(conversations: readonly Conversation[]): void;
  /** Takes a conversation out. */
  drop(chatId: string): void;
  /** Drops messages from before `time` (ms since the epoch) that the server has. */
  dropBefore(chatId: string, time: number): void;
  /** Server id of the oldest message that has one. */
  oldestMid(chatId: string): string | null;
  readonly window: Pick<
    MessageWindow,
    "read" | "lastBeforeTail" | "inTail" | "keepTail" | "joinTail" | "newest"
  >;
}

export function createMessageList(deps: {
  readonly store: Pick<Store, "get" | "set" | "del">;
  readonly onChange: (chatId: string) => void;
}): MessageList {
  const { store } = deps;
  /** Per conversation: key by server id. */
  const byMid = new Map<string, Map<string, string>>();

  const slice = (): Readonly<Slices["chat"]> => store.get("chat");
  const get = (chatId: string): Readonly<Conversation> | undefined =>
    Object.hasOwn(slice().conversations, chatId) ? slice().conversations[chatId] : undefined;
  const path = (chatId: string) => ["chat", "conversations", chatId] as const;
  const midsOf = (chatId: string): Map<string, string> => {
    let mids = byMid.get(chatId);
    if (mids === undefined) byMid.set(chatId, (mids = new Map()));
    return mids;
  };

  const ensure: MessageList["ensure"] = (chatId, name) => {
    const found = get(chatId);
    if (found === undefined) {
      store.set(path(chatId), {
        chatId,
        name: name ?? chatId,
        unread: 0,
        order: [],
        messages: {},
        historyLoaded: false,
        historyEnd: false,
      } satisfies Conversation);
      deps.onChange(chatId);
      return true;
    }
    if (name !== undefined && name !== "" && name !== found.name) {
      store.set([...path(chatId), "name"], name);
      deps.onChange(chatId);
    }
    return false;
  };

  const window = createMessageWindow({ store, get, path, midsOf });
  const remove = (chatId: string, id: string): void => {
    const conversation = get(chatId);
    const at = conversation?.order.indexOf(id) ?? -1;
    if (conversation === undefined || at < 0) return;
    if (conversation.tail === id) {
      const next = conversation.order[at + 1];
      // without its newest messages, nothing would say that messages are missing after the window
      if (next === undefined) window.newest(chatId);
      else window.setTail(chatId, next);
    }
    const order = get(chatId)?.order ?? [];
    store.set(
      [...path(chatId), "order"],
      order.filter((each) => each !== id),
    );
    store.del([...path(chatId), "messages", id]);
  };

  const put = (message: ChatMessage): void => {
    const { chatId, id, mid } = message;
    ensure(chatId);
    const conversation = get(chatId);
    if (conversation === undefined) return;
    if (mid !== null) {
      const other = midsOf(chatId).get(mid);
      // the same message under a key without local id, received before its acknowledgement
      if (other !== undefined && other !== id) remove(chatId, other);
      midsOf(chatId).set(mid, id);
    }
    store.set([...path(chatId), "messages", id], message);
    const order = get(chatId)?.order ?? [];
    const was = order.indexOf(id);
    const others = was < 0 ? order : order.toSpliced(was, 1);
    const at = positionOf(others, get(chatId)?.messages ?? {}, message);
    if (was < 0 && at === order.length) store.set([...path(chatId), "order", at], id);
    else if (was !== at) store.set([...path(chatId), "order"], others.toSpliced(at, 0, id));
    const tail = get(chatId)?.tail;
    // history that is read toward the newest messages fills the place before them; anything else belongs to them
    if (was < 0 && tail !== undefined && order[at] === tail && window.reading(chatId) !== "newer") {
      window.setTail(chatId, id);
    }
    window.trim(chatId);
    deps.onChange(chatId);
  };
  const find = (chatId: string, mid: string): ChatMessage | undefined => {
    const id = byMid.get(chatId)?.get(mid);
    return id === undefined ? undefined : get(chatId)?.messages[id];
  };

  return {
    get,
    all: () => Object.values(slice().conversations),
    path,
    ensure,
    put,
    remove(chatId, id) {
      remove(chatId, id);
      deps.onChange(chatId);
    },
    find,
    keyOf: (chatId, mid) => byMid.get(chatId)?.get(mid),
    replaceAll(conversations) {
      byMid.clear();
      window.clear();
      const next: Record<string, Conversation> = {};
      for (const conversation of conversations) {
        next[conversation.chatId] = conversation;
        for (const message of Object.values(conversation.messages)) {
          if (message.mid !== null) midsOf(conversation.chatId).set(message.mid, message.id);
        }
      }
      store.set(["chat", "conversations"], next);
    },
    drop(chatId) {
      if (get(chatId) === undefined) return;
      byMid.delete(chatId);
      window.read(chatId, "newest");
      store.del(path(chatId));
      deps.onChange(chatId);
    },
    dropBefore(chatId, time) {
      const conversation = get(chatId);
      if (conversation === undefined) return;
      const kept = conversation.order.filter((id) => {
        const message = conversation.messages[id];
        if (message === undefined) return false;
        if (message.mid === null || message.time >= time) return true;
        midsOf(chatId).delete(message.mid);
        return false;
      });
      const { tail, ...rest } = conversation;
      store.set(path(chatId), {
        ...rest,
        order: kept,
        messages: Object.fromEntries(kept.map((id) => [id, conversation.messages[id]])),
        historyEnd: false,
        ...(tail !== undefined && kept.indexOf(tail) > 0 ? { tail } : {}),
      });
      deps.onChange(chatId);
    },
    oldestMid(chatId) {
      const conversation = get(chatId);
      for (const id of conversation?.order ?? []) {
        const mid = conversation?.messages[id]?.mid;
        if (mid !== undefined && mid !== null) return mid;
      }
      return null;
    },
    window: {
      ...window,
      newest(chatId) {
        window.newest(chatId);
        deps.onChange(chatId);
      },
    },
  };
}
