/** When an upload or a download is begun, and when one that broke off is tried again. */
import { reconnectDelay } from "../../../shared/domain/backoff.ts";
import type { TransferState } from "../../../shared/domain/transfer-states.ts";
import type { CoreEnv, Timer } from "../contracts.ts";
import type { TransferSlots } from "./slots.ts";

export interface Transfer {
  readonly state: TransferState;
  /** Attempts without progress. */
  tries: number;
  timer: Timer | null;
}

export interface Schedule<T extends Transfer> {
  /** Begins those that wait, the oldest first, as long as there are slots. */
  beginNext(all: Iterable<T>): void;
  /** Tries again later, after growing pauses. */
  wait(one: T): void;
  stopWaiting(one: T): void;
}

export function createSchedule<T extends Transfer>(deps: {
  readonly env: Pick<CoreEnv, "clock" | "random">;
  readonly slots: Pick<TransferSlots, "occupy">;
  /** When it was put into the queue, ms since the epoch. */
  readonly queuedAt: (one: T) => number;
  readonly begin: (one: T) => void;
  /** The pause is over. */
  readonly back: (one: T) => void;
}): Schedule<T> {
  const { env, queuedAt } = deps;
  return {
    beginNext(all) {
      for (const one of [...all].sort((a, b) => queuedAt(a) - queuedAt(b))) {
        if (one.state !== "waiting") continue;
        if (!deps.slots.occupy(one)) return;
        deps.begin(one);
      }
    },
    wait(one) {
      one.tries += 1;
      const ms = reconnectDelay(one.tries, env.random());
      one.timer = env.clock.after(ms, () => deps.back(one));
    },
    stopWaiting(one) {
      one.timer?.cancel();
      one.timer = null;
    },
  };
}
