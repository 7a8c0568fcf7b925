/**
 * Which messages of a conversation stay in memory (docs/chat.md#messages-in-memory). The newest always do. Who reads old messages has a
 * window of them before the newest, and messages may be missing between the two. Pure.
 */
import { groupIdOf } from "./group-chat.ts";

/** Messages kept of a conversation with a person, and of a group. */
export const CHAT_CACHE = 500;
export const CHAT_GROUP_CACHE = 200;
/** Newest messages that stay while older ones are read. As many are stored as a copy. */
export const CHAT_TAIL = 50;

export const cacheOf = (chatId: string): number =>
  groupIdOf(chatId) === null ? CHAT_CACHE : CHAT_GROUP_CACHE;

/** What of a conversation is in memory. */
export interface InMemory {
  /** Keys, oldest first. */
  readonly order: readonly string[];
  /** The first of the newest messages, when messages before it are missing. */
  readonly tail?: string | undefined;
}
/** Where the person reads: at the newest messages, or toward older or newer ones in the window. */
export type Reading = "newest" | "older" | "newer";

/** Index of the first of the newest messages; 0 when no messages are missing. */
export function tailAt({ order, tail }: InMemory): number {
  return tail === undefined ? 0 : Math.max(0, order.indexOf(tail));
}

export interface Shortened extends InMemory {
  readonly order: string[];
  readonly dropped: string[];
  /** Messages from the oldest end went, so that the beginning of the history is no longer there. */
  readonly beginningCut: boolean;
}

/**
 * Shortens a conversation that has more than `limit` messages to nine tenths of it: by many at once, because each time costs a copy of
 * the list. What is far from the place of reading goes.
 *
 * @param stays a message that must not go, because the server does not have it
 * @returns null when it is short enough
 */
export function shorten(
  memory: InMemory,
  limit: number,
  reading: Reading,
  stays: (id: string) => boolean,
): Shortened | null {
  const { order, tail } = memory;
  if (order.length <= limit) return null;
  let excess = order.length - Math.floor(limit * 0.9);
  const gone = new Set<string>();
  const drop = (ids: readonly string[]): void => {
    for (const id of ids) {
      if (excess === 0) return;
      if (stays(id)) continue;
      gone.add(id);
      excess -= 1;
    }
  };
  const begin = tail === undefined ? order.length : tailAt(memory);
  const keepsPlace = reading === "older" || (reading === "newer" && tail === undefined);
  let first = tail;
  if (tail === undefined && keepsPlace) {
    const cut = order.length - CHAT_TAIL;
    first = order[cut];
    drop(order.slice(0, cut).toReversed());
  } else if (keepsPlace) {
    drop(order.slice(begin, -CHAT_TAIL));
    first = order.slice(begin).find((id) => !gone.has(id));
    drop(order.slice(0, begin).toReversed());
  } else {
    drop(order.slice(0, begin));
  }
  const kept = order.filter((id) => !gone.has(id));
  return {
    order: kept,
    dropped: [...gone],
    beginningCut: !keepsPlace,
    // without a message before it nothing is missing between two parts
    ...(first === undefined || first === kept[0] ? {} : { tail: first }),
  };
}
