/**
 * Requests of a signalling session that wait for their answer, or for the session before they can be sent. A request and its answer
 * have the same `tsxId`. The promises never reject.
 */
import { RESULT } from "../../../shared/protocol/signalling.ts";
import type { Clock, Timer } from "../contracts.ts";

/** @typeParam F the frames of the server */
export interface Answer<F> {
  /** A result code (docs/calls.md#result-codes, docs/conferences.md#results). */
  readonly result: number;
  readonly msg: string;
  /** The answering frame; null when none came (timeout, lost connection) or the server could not read the request. */
  readonly signal: F | null;
}
/** The request was not sent, or the connection was lost before the answer. */
export const LOST: Answer<never> = {
  result: RESULT.clientFailure,
  msg: "session closed",
  signal: null,
};
/** No answer came in time. */
export const LATE: Answer<never> = {
  result: RESULT.requestTimeout,
  msg: "message request timeout",
  signal: null,
};
/** How many requests may wait for the session. Beyond that the oldest fails. */
const MAX_HELD = 100;

/** @typeParam R the requests @typeParam F the frames of the server */
export interface Pending<R, F> {
  /**
   * @param timeout ms; afterwards the answer is LATE
   * @param send returns false when the request could not be sent; the answer is then LOST
   */
  ask(tsxId: string, timeout: number, send: () => boolean): Promise<Answer<F>>;
  /** Answers a request. @returns false when no request with this id waits */
  settle(tsxId: string, answer: Answer<F>): boolean;
  /** Keeps a request until there is a session. @param timeout ms, counted from now */
  hold(request: R, tsxId: string, timeout: number): Promise<Answer<F>>;
  /** Whether requests are held. */
  readonly holding: boolean;
  /** Returns the held requests in order. Each continues to wait for its answer. */
  release(): readonly { readonly request: R; readonly tsxId: string }[];
  /** The connection is lost: the requests that were sent fail. */
  lost(): void;
  /** All requests fail, also the held ones. */
  close(): void;
}

export function createPending<R, F>(clock: Pick<Clock, "after">): Pending<R, F> {
  const waiting = new Map<string, { resolve: (answer: Answer<F>) => void; timer: Timer }>();
  let held: { readonly request: R; readonly tsxId: string }[] = [];

  const settle = (tsxId: string, answer: Answer<F>): boolean => {
    const one = waiting.get(tsxId);
    if (one === undefined) return false;
    waiting.delete(tsxId);
    held = held.filter((other) => other.tsxId !== tsxId);
    one.timer.cancel();
    one.resolve(answer);
    return true;
  };
  const wait = (tsxId: string, timeout: number): Promise<Answer<F>> =>
    new Promise((resolve) => {
      waiting.set(tsxId, { resolve, timer: clock.after(timeout, () => settle(tsxId, LATE)) });
    });

  return {
    ask(tsxId, timeout, send) {
      const answer = wait(tsxId, timeout);
      if (!send()) settle(tsxId, LOST);
      return answer;
    },
    settle,
    hold(request, tsxId, timeout) {
      const [oldest] = held;
      if (held.length >= MAX_HELD && oldest !== undefined) settle(oldest.tsxId, LOST);
      const answer = wait(tsxId, timeout);
      held.push({ request, tsxId });
      return answer;
    },
    get holding() {
      return held.length > 0;
    },
    release() {
      const all = held;
      held = [];
      return all;
    },
    lost() {
      const kept = new Set(held.map(({ tsxId }) => tsxId));
      for (const tsxId of waiting.keys()) if (!kept.has(tsxId)) settle(tsxId, LOST);
    },
    close() {
      for (const tsxId of waiting.keys()) settle(tsxId, LOST);
      held = [];
    },
  };
}
