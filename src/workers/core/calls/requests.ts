/** Requests on the signalling socket: each bears a tsxId, its answer the same one (docs/calls.md#signalling-session). Never rejects. */
import {
  type ClientSignal,
  RESULT,
  type ServerSignal,
} from "../../../shared/protocol/signalling.ts";
import type { CoreEnv, Timer } from "../contracts.ts";

type Body<T> = T extends unknown ? Omit<T, "tsxId"> : never;
export type SignalRequest = Body<ClientSignal>;
export interface SignalAnswer {
  readonly result: number;
  /** null when nothing arrived (timeout, lost socket) or the server refused the frame. */
  readonly signal: ServerSignal | null;
}

export interface Requests {
  /** @param timeout ms; afterwards the result is -408. Result -9527: not sent, or the socket was lost. */
  ask(message: SignalRequest, timeout: number): Promise<SignalAnswer>;
  answer(tsxId: string, answer: SignalAnswer): void;
  /** The socket is lost: ends all pending requests. */
  fail(): void;
}

export function createRequests(deps: {
  env: Pick<CoreEnv, "clock" | "newId">;
  send: (message: ClientSignal) => boolean;
}): Requests {
  const pending = new Map<string, { resolve: (answer: SignalAnswer) => void; timer: Timer }>();
  const lost: SignalAnswer = { result: RESULT.clientFailure, signal: null };
  return {
    ask: (message, timeout) =>
      new Promise((resolve) => {
        const tsxId = deps.env.newId();
        if (!deps.send({ ...message, tsxId })) {
          resolve(lost);
          return;
        }
        const timer = deps.env.clock.after(timeout, () => {
          pending.delete(tsxId);
          resolve({ result: RESULT.requestTimeout, signal: null });
        });
        pending.set(tsxId, { resolve, timer });
      }),
    answer(tsxId, answer) {
      const entry = pending.get(tsxId);
      if (entry === undefined) return;
      pending.delete(tsxId);
      entry.timer.cancel();
      entry.resolve(answer);
    },
    fail() {
      const all = [...pending.values()];
      pending.clear();
      for (const entry of all) {
        entry.timer.cancel();
        entry.resolve(lost);
      }
    },
  };
}
