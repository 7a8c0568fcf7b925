/** Requests of a conference that wait for an answer, or for the session before they can be sent. Its promises never reject. */
import type { ConfrServerSignal } from "../../../shared/protocol/confr-signalling.ts";
import { RESULT } from "../../../shared/protocol/signalling.ts";
import type { Clock, Timer } from "../contracts.ts";

export interface Answer {
  readonly result: number;
  readonly msg: string;
  /** The answering frame; null when none came (timeout, lost socket) or the server refused the request's frame. */
  readonly signal: ConfrServerSignal | null;
}
/** Results: docs/conferences.md#results. */
export const LOST: Answer = {
  result: RESULT.clientFailure,
  msg: "session closed",
  signal: null,
};
export const LATE: Answer = {
  result: RESULT.requestTimeout,
  msg: "message request timeout",
  signal: null,
};
/** How many requests may wait for the session. Beyond that the oldest fails. */
const BUFFER = 100;

export interface Pending<R> {
  /** @param send returns false when the request could not be sent; the answer is then LOST */
  ask(tsxId: string, timeout: number, send: () => boolean): Promise<Answer>;
  /** Answers a request. @returns false when none of this id waits */
  settle(tsxId: string, answer: Answer): boolean;
  /** Keeps a request until there is a session. */
  hold(request: R, tsxId: string, timeout: number): Promise<Answer>;
  /** Returns the held requests in order. Each continues to wait for its answer. */
  release(): readonly { readonly request: R; readonly tsxId: string }[];
  /** The socket is lost: the requests that were sent fail. */
  lost(): void;
  /** All requests fail, also the held ones. */
  close(): void;
}

export function createPending<R>(clock: Pick<Clock, "after">): Pending<R> {
  const waiting = new Map<string, { resolve: (answer: Answer) => void; timer: Timer }>();
  let held: { readonly request: R; readonly tsxId: string }[] = [];

  const settle = (tsxId: string, answer: Answer): boolean => {
    const one = waiting.get(tsxId);
    if (one === undefined) return false;
    waiting.delete(tsxId);
    held = held.filter((other) => other.tsxId !== tsxId);
    one.timer.cancel();
    one.resolve(answer);
    return true;
  };
  const wait = (tsxId: string, timeout: number): Promise<Answer> =>
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
      if (held.length >= BUFFER && oldest !== undefined) settle(oldest.tsxId, LOST);
      const answer = wait(tsxId, timeout);
      held.push({ request, tsxId });
      return answer;
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
