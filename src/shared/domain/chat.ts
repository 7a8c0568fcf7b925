/**
 * Pure rules of one-to-one chat (docs/chat.md#conversations): how a status changes, where a message is placed, how many are kept.
 */
import type { ChatMessage } from "../protocol/state.ts";

/** The text that replaces a recalled message. */
export const recallText = (bySelf: boolean): string =>
  bySelf ? "您撤回了一条消息" : "对方撤回了一条消息";

type Status = ChatMessage["status"];

const RANK: Readonly<Record<Status, number>> = {
  failed: 0,
  sending: 0,
  unread: 1,
  sent: 1,
  delivered: 2,
  read: 3,
  recall: 4,
};

/**
 * Status of a message at `now` after a receipt for `next`. Receipts arrive late, twice and out of order, so a status only moves
 * forward. A failed message becomes `sending` when it is sent again, and `sent` when its acknowledgement arrives late.
 */
export function nextStatus(now: Status, next: Status): Status {
  if (RANK[next] > RANK[now]) return next;
  if (RANK[now] === 0 && RANK[next] === 0) return next;
  return now;
}

/** Orders ids that are decimal numbers by their size. */
export const compareIds = (a: string, b: string): number =>
  a.length === b.length ? (a < b ? -1 : a > b ? 1 : 0) : a.length - b.length;

/** Whether `a` comes before `b`: by server time, then by server id. Unsent messages come last, in the order they were written. */
export function isBefore(a: ChatMessage, b: ChatMessage): boolean {
  if ((a.status === "sending") !== (b.status === "sending")) return b.status === "sending";
  if (a.status === "sending") return compareIds(a.id, b.id) < 0;
  if (a.time !== b.time) return a.time < b.time;
  return a.mid !== null && b.mid !== null && compareIds(a.mid, b.mid) < 0;
}

/** Index at which to insert the message into `order`, which must not contain it. Equal messages keep their order of arrival. */
export function positionOf(
  order: readonly string[],
  messages: Readonly<Record<string, ChatMessage>>,
  message: ChatMessage,
): number {
  let at = order.length;
  while (at > 0) {
    const before = messages[order[at - 1] ?? ""];
    if (before === undefined || !isBefore(message, before)) break;
    at -= 1;
  }
  return at;
}

/** Whether a name can be a key of a plain object. Names such as `constructor` cannot, because every object has them. */
export const isSafeKey = (key: string): boolean => !(key in {});

/** A message's key. It is the same when the message is sent again and on other devices, so that a message is shown once. */
export function messageKey(message: {
  readonly mid: string;
  readonly from: string;
  readonly bySelf: boolean;
  readonly localId: string | null;
}): string {
  if (message.localId === null) return `m${message.mid}`;
  return message.bySelf ? message.localId : `${message.from}:${message.localId}`;
}

/** Format of local ids: decimal, at most 20 digits. */
export const LOCAL_ID = /^[1-9]\d{0,19}$/;

/**
 * Creates ids of own messages: growing decimal strings of at most 63 bits. They must differ from those of this person's other
 * devices, because the server recognises a repeated message by sender and id.
 *
 * @param now ms since the epoch
 * @param random 0..1
 */
export function createLocalIds(now: () => number, random: () => number): LocalIds {
  let last = 0n;
  return {
    next() {
      const fresh = (BigInt(Math.floor(now())) << 22n) | BigInt(Math.floor(random() * (1 << 22)));
      last = fresh > last ? fresh : last + 1n;
      return last.toString();
    },
    after(id) {
      if (LOCAL_ID.test(id) && BigInt(id) > last) last = BigInt(id);
    },
  };
}

export interface LocalIds {
  next(): string;
  /** Makes all further ids larger than `id`, because an earlier core's clock may have been ahead. */
  after(id: string): void;
}
