/**
 * What hidden tabs hear of chat (docs/chat.md#notifications): they get no ops of the chat slice, so the core counts the unread messages
 * and chooses the messages that the system shows, and the tab that shows each.
 */
import { groupIdOf } from "../../../../shared/domain/group-chat.ts";
import { NEWS_TEXT_MAX, type NewsEntry } from "../../../../shared/protocol/news.ts";
import type { ChatMessage } from "../../../../shared/protocol/state.ts";
import type { CoreEnv, Store, Tabs, Timer } from "../../contracts.ts";
import type { Conversation } from "./message-list.ts";

/** ms after which a message is no news any more, for example when a machine wakes up. */
const NEWS = 60_000;
/** ms that a message waits for the name of its sender. */
const NAME_WAIT = 2_000;
/** Conversations whose messages are kept; the oldest go first. */
const KEPT = 20;

export interface News {
  /** A conversation has changed. */
  changed(chatId: string): void;
  /** A name became known. */
  named(): void;
  /** How the person keeps conversations has changed, or all conversations were replaced. */
  recount(): void;
  clear(): void;
  /** Ends the timers. */
  stop(): void;
}

export function createNews(deps: {
  readonly env: Pick<CoreEnv, "clock">;
  readonly store: Pick<Store, "get" | "set" | "del">;
  readonly tabs: Pick<Tabs, "list">;
  readonly serverNow: () => number;
  /** Display name; null while unknown. */
  readonly nameOf: (userName: string) => string | null;
}): News {
  const { env, store } = deps;
  /** Unread messages that the title counts, by conversation. */
  const counted = new Map<string, number>();
  const waiting = new Map<string, Timer>();
  let unread = 0;

  const conversation = (chatId: string): Readonly<Conversation> | undefined => {
    const { conversations } = store.get("chat");
    return Object.hasOwn(conversations, chatId) ? conversations[chatId] : undefined;
  };
  const isMuted = (chatId: string): boolean =>
    Object.hasOwn(store.get("chat").keeping.muted, chatId);
  const count = (chatId: string): void => {
    const now = isMuted(chatId) ? 0 : (conversation(chatId)?.unread ?? 0);
    unread += now - (counted.get(chatId) ?? 0);
    if (now === 0) counted.delete(chatId);
    else counted.set(chatId, now);
  };
  const showCount = (): void => {
    if (store.get("news").unread !== unread) store.set(["news", "unread"], unread);
  };

  /** The newest message of the conversation when it is news; one of a silent conversation only when it names the person. */
  const newest = (chatId: string): (ChatMessage & { readonly mid: string }) | null => {
    const found = conversation(chatId);
    const message = found?.messages[found.order.at(-1) ?? ""];
    const { quiet } = store.get("chat").keeping;
    if (message === undefined || message.mid === null || message.status !== "unread") return null;
    if (quiet || (isMuted(chatId) && message.mention !== true)) return null;
    return message.time < deps.serverNow() - NEWS ? null : { ...message, mid: message.mid };
  };
  /** The tab that was used last; null while the person sees one. */
  const chosenTab = (): string | null => {
    const [first] = deps.tabs.list();
    return first === undefined || first.visible ? null : first.tabId;
  };
  const stopWaiting = (chatId: string): void => {
    waiting.get(chatId)?.cancel();
    waiting.delete(chatId);
  };
  const drop = (chatId: string): void => {
    stopWaiting(chatId);
    if (Object.hasOwn(store.get("news").messages, chatId)) store.del(["news", "messages", chatId]);
  };
  /** @param late the name has not come in time: the user name is shown */
  const show = (chatId: string, late = false): void => {
    const message = newest(chatId);
    if (message === null) return drop(chatId);
    const { mid, from, type } = message;
    const known = store.get("news").messages[chatId];
    const same = known?.mid === mid;
    const groupId = groupIdOf(chatId);
    const writer = deps.nameOf(from);
    if (writer === null && !same && !late) {
      if (waiting.has(chatId)) return;
      return void waiting.set(
        chatId,
        env.clock.after(NAME_WAIT, () => show(chatId, true)),
      );
    }
    stopWaiting(chatId);
    const entry: NewsEntry = {
      chatId,
      mid,
      name: groupId === null ? (writer ?? from) : (store.get("chat").groups[groupId]?.name ?? ""),
      sender: groupId === null ? null : (writer ?? from),
      type,
      text: message.msg.slice(0, NEWS_TEXT_MAX),
      tabId: same ? known.tabId : chosenTab(),
    };
    if (same && JSON.stringify(known) === JSON.stringify(entry)) return;
    // A new message of a known conversation goes to the end of the order.
    if (known !== undefined && !same) store.del(["news", "messages", chatId]);
    store.set(["news", "messages", chatId], entry);
    for (const old of Object.keys(store.get("news").messages).slice(0, -KEPT)) drop(old);
  };

  const stop = (): void => {
    for (const timer of waiting.values()) timer.cancel();
    waiting.clear();
  };

  return {
    changed(chatId) {
      count(chatId);
      showCount();
      show(chatId);
    },
    named() {
      for (const chatId of waiting.keys()) show(chatId);
    },
    recount() {
      unread = 0;
      counted.clear();
      for (const chatId of Object.keys(store.get("chat").conversations)) count(chatId);
      showCount();
      for (const chatId of Object.keys(store.get("news").messages)) show(chatId);
    },
    clear() {
      stop();
      counted.clear();
      unread = 0;
      store.set(["news"], { unread: 0, messages: {} });
    },
    stop,
  };
}
