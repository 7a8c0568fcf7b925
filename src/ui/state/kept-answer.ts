/** Which answer a read shows while its input changes (docs/session.md#live-data). */
import type { Answer } from "../../core-client/contracts.ts";

/** An answer, and to which question. */
export interface Found<T> {
  /** Who reads, and what. */
  readonly wanted: string;
  /** As `wanted`, without the place in a list and the times. */
  readonly subject: string;
  readonly answer: Answer<T>;
}

export const LOADING = { state: "loading", error: null, at: null } as const;

/** Fields of a query that choose another part of the same data. */
const PARTS: ReadonlySet<string> = new Set(["cursor", "limit", "from", "to"]);

/** @returns what the answers to `input` are about; the same for all pages of a list and for all times of a chart */
export function subjectOf(
  reader: string,
  input: { readonly call: string; readonly params?: object; readonly query?: object },
): string {
  const query = Object.entries(input.query ?? {}).filter(([field]) => !PARTS.has(field));
  return JSON.stringify([reader, input.call, input.params ?? {}, query]);
}

/**
 * @param keepsLast "loading" takes the place of no answer about the same subject, not even of a failure: a read that is repeated
 * every few seconds would otherwise blink each time
 * @returns what the read has found when `next` arrives
 */
export function withAnswer<T>(
  before: Found<T> | null,
  next: Found<T>,
  keepsLast: boolean,
): Found<T> {
  const isKept = keepsLast && before?.subject === next.subject;
  return isKept && next.answer.state === "loading" ? before : next;
}

/** @returns what the page shows for its present input */
export function shownAnswer<T>(
  found: Found<T> | null,
  now: { readonly wanted: string | null; readonly subject: string | null },
  keepsLast: boolean,
): Answer<T> {
  if (found === null) return LOADING;
  const isKept = keepsLast && found.subject === now.subject;
  return found.wanted === now.wanted || isKept ? found.answer : LOADING;
}
