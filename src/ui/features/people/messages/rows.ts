/** How the messages of a conversation are laid out: date lines, times, groups of one sender. Pure. */
import type { ChatMessage } from "../../../../shared/protocol/state.ts";
import { TIME_GAP, type ConversationView } from "../common/conversations.ts";

export interface Row {
  readonly message: ChatMessage;
  /** What stands above the message: a date line, a time, or nothing. */
  readonly mark: "day" | "time" | null;
  /** The message begins or ends a group of one sender. */
  readonly begins: boolean;
  readonly ends: boolean;
  /** The message that this one answers, as it is now; undefined while it is not loaded. */
  readonly quoted: ChatMessage | undefined;
}

const sameDay = (a: number, b: number): boolean =>
  new Date(a).toDateString() === new Date(b).toDateString();

/** @param callBefore for each message: when the last call between it and the message before began, ms since the epoch */
export function rowsOf(
  conversation: Pick<ConversationView, "order" | "messages">,
  callBefore: readonly (number | undefined)[] = [],
): Row[] {
  const list = conversation.order.flatMap((id) => conversation.messages[id] ?? []);
  const marks = list.map((message, at): Row["mark"] => {
    const before = callBefore[at] ?? list[at - 1]?.time;
    if (before === undefined || !sameDay(before, message.time)) return "day";
    return message.time - before >= TIME_GAP ? "time" : null;
  });
  const joins = (at: number): boolean => {
    const [before, message] = [list[at - 1], list[at]];
    if (before === undefined || message === undefined || marks[at] !== null) return false;
    const both = [before, message];
    return before.from === message.from && both.every(({ status }) => status !== "recall");
  };
  const byMid = new Map(
    list.some(({ quote }) => quote !== undefined) ? list.map((m) => [m.mid, m]) : [],
  );
  return list.map((message, at) => ({
    message,
    quoted: message.quote === undefined ? undefined : byMid.get(message.quote.mid),
    mark: marks[at] ?? null,
    begins: !joins(at),
    ends: !joins(at + 1),
  }));
}

/** Where a day stands: the word for it, or null when it needs its date. */
export function dayWord(time: number, now: number): "today" | "yesterday" | null {
  if (sameDay(time, now)) return "today";
  const yesterday = new Date(now);
  yesterday.setDate(yesterday.getDate() - 1);
  return sameDay(time, yesterday.getTime()) ? "yesterday" : null;
}

/**
 * Calls between the messages of a conversation.
 *
 * @param times of the messages, ms since the epoch, oldest first
 * @param complete older messages do not exist, so calls before the first message have their place
 * @returns for each message the calls before it, oldest first, and at the end those after all
 */
export function placeCalls<C extends { readonly startedAt: number }>(
  times: readonly number[],
  calls: readonly C[],
  complete: boolean,
): C[][] {
  const places: C[][] = Array.from({ length: times.length + 1 }, () => []);
  for (const call of calls.toSorted((a, b) => a.startedAt - b.startedAt)) {
    const next = times.findIndex((time) => time > call.startedAt);
    const at = next < 0 ? times.length : next;
    if (at > 0 || complete) places[at]?.push(call);
  }
  return places;
}

/** A call between messages. */
export interface PlacedCall<C> {
  readonly call: C;
  /** A date line stands above it. */
  readonly newDay: boolean;
}

/** The rows of a conversation and the calls at the places between them, as `placeCalls` gives them. */
export function layOut<C extends { readonly startedAt: number }>(
  conversation: Pick<ConversationView, "order" | "messages">,
  calls: readonly C[],
  complete: boolean,
): { readonly rows: Row[]; readonly places: PlacedCall<C>[][] } {
  const times = conversation.order.flatMap((id) => conversation.messages[id]?.time ?? []);
  const places = placeCalls(times, calls, complete).map((list, at) =>
    list.map((call, index): PlacedCall<C> => {
      const before = list[index - 1]?.startedAt ?? times[at - 1];
      return { call, newDay: before === undefined || !sameDay(before, call.startedAt) };
    }),
  );
  const callBefore = places.map((list) => list.at(-1)?.call.startedAt);
  return { rows: rowsOf(conversation, callBefore), places };
}
