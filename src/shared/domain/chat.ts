/**
 * Pure rules of one-to-one chat (console spec §3, §4.3, §9): how a status may change, where a message stands, what is kept.
 */
import type { ChatMessage } from "../protocol/state.ts";

/** Spec §9: one-to-one messages kept of a conversation. */
export const CHAT_CACHE = 500;
/** What is left when the cache overflows: some room, so that not every message moves the whole list. */
export const CHAT_CACHE_TRIMMED = 450;
/** Spec §9: messages of one history request. */
export const CHAT_HISTORY_PAGE = 10;
/** Characters shown of a message, whoever sent it. */
export const CHAT_TEXT_MAX = 20_000;

/**
 * Whether a text shows anything. Spaces, control characters, zero-width and direction marks, fillers and the blank Braille cell
 * do not: a message of these alone would be an empty bubble.
 */
export const hasVisibleText = (text: string): boolean =>
  /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);

/** Spec §4.3: a recalled message says who took it back. */
export const recallText = (bySelf: boolean): string =>
  bySelf ? "你撤回了一条消息" : "对方撤回了一条消息";

type Status = ChatMessage["status"];

const RANK: Readonly<Record<Status, number>> = {
  failed: 0,
  sending: 0,
  unread: 1,
  sent: 1,
  read: 2,
  recall: 3,
};

/**
 * Status after `next` was heard of a message that is at `now`: receipts come late, twice and out of order, so a status only
 * moves forward. A failed message becomes `sending` by a resend, and `sent` when its acknowledgement comes after all.
 */
export function nextStatus(now: Status, next: Status): Status {
  if (RANK[next] > RANK[now]) return next;
  if (RANK[now] === 0 && RANK[next] === 0) return next;
  return now;
}

const compareIds = (a: string, b: string): number =>
  a.length === b.length ? (a < b ? -1 : a > b ? 1 : 0) : a.length - b.length;

/** Whether `a` stands before `b`: by server time, then by server id; what is not sent yet stands last, in the order written. */
export function isBefore(a: ChatMessage, b: ChatMessage): boolean {
  if ((a.status === "sending") !== (b.status === "sending")) return b.status === "sending";
  if (a.status === "sending") return compareIds(a.id, b.id) < 0;
  if (a.time !== b.time) return a.time < b.time;
  return a.mid !== null && b.mid !== null && compareIds(a.mid, b.mid) < 0;
}

/** Index in `order` at which the message belongs; equal ones keep the order of arrival. `order` must not hold it. */
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

/** Keys that a plain object already answers to cannot name a conversation. */
export const isSafeKey = (key: string): boolean => !(key in {});

/** A message's key: stable over resends and devices, so that nothing is shown twice. */
export function messageKey(message: {
  readonly mid: string;
  readonly from: string;
  readonly bySelf: boolean;
  readonly localId: string | null;
}): string {
  if (message.localId === null) return `m${message.mid}`;
  return message.bySelf ? message.localId : `${message.from}:${message.localId}`;
}

/** A local id as we mint it: decimal, at most 64 bits unsigned. */
export const LOCAL_ID = /^[1-9]\d{0,19}$/;

/**
 * Ids of own messages: decimal strings of at most 63 bits, growing, and unlike those of this person's other devices (the
 * server tells a resend by sender and id).
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
  /** No id up to this one is given any more: an earlier core may have had a later clock. */
  after(id: string): void;
}
