/** Requests on the conference's socket that wait for their answer, and those that wait for the session itself. Never rejects. */
import type { ConfrServerSignal } from "../../../shared/protocol/confr-signalling.ts";
import { RESULT } from "../../../shared/protocol/signalling.ts";
import type { Clock, Timer } from "../contracts.ts";

export interface Answer {
  readonly result: number;
  readonly msg: string;
  /** null: nothing came (timeout, lost socket), or the frame was refused. */
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
/** What waits for the session; beyond it the oldest fail. */
const BUFFER = 100;

export interface Pending<R> {
  /** @param send false: it could not be sent */
  ask(tsxId: string, timeout: number, send: () => boolean): Promise<Answer>;
  /** @returns false when nobody waits for it */
  settle(tsxId: string, answer: Answer): boolean;
  /** Keeps a request until the session is there. */
  hold(request: R, tsxId: string, timeout: number): Promise<Answer>;
  /** What was held, in order; each goes on waiting for its answer. */
  release(): readonly { readonly request: R; readonly tsxId: string }[];
  /** What is on its way will not be answered any more. */
  lost(): void;
  /** Nor will what was held be sent. */
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
