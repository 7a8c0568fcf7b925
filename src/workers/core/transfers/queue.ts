/**
 * A queue of uploads or of downloads: moves each through its table, begins those that wait as soon as there is a slot, and tries again what
 * broke off. What is sent or fetched, and what else the table asks for, are effects of the queue's owner.
 */
import { reconnectDelay } from "../../../shared/domain/backoff.ts";
import { type MachineTable, step } from "../../../shared/domain/machine.ts";
import type { TransferState } from "../../../shared/domain/transfer-states.ts";
import type { CoreEnv, Timer } from "../contracts.ts";
import type { TransferSlots } from "./slots.ts";

export interface Transfer {
  state: TransferState;
  /** Bytes a second. */
  rate: number;
  /** Attempts without progress. */
  tries: number;
  timer: Timer | null;
}

type CommonEvent = "begin" | "back";
type CommonEffect = "wait" | "stop waiting" | "next";

export interface TransferQueue<T extends Transfer, E extends string> {
  /** Applies an event by the table; one that does not fit the state changes nothing. */
  dispatch(one: T, event: E): void;
  /** Begins those that wait, the oldest first, as long as there are slots. */
  beginNext(): void;
  /** Tries again at once what waits to be tried again. */
  resume(): void;
}

export function createTransferQueue<T extends Transfer, E extends string, F extends string>(deps: {
  readonly env: Pick<CoreEnv, "clock" | "random">;
  readonly slots: Pick<TransferSlots, "occupy" | "release">;
  readonly table: MachineTable<TransferState, E | CommonEvent, never, F | CommonEffect>;
  readonly all: () => Iterable<T>;
  /** When it was put into the queue, ms since the epoch. */
  readonly queuedAt: (one: T) => number;
  /** Shows its new state to the tabs. */
  readonly onMoved: (one: T) => void;
  readonly effects: Readonly<Record<Exclude<F, CommonEffect>, (one: T) => void>>;
}): TransferQueue<T, E | CommonEvent> {
  const { env, slots, table, all, queuedAt } = deps;
  const common: Readonly<Record<CommonEffect, (one: T) => void>> = {
    wait(one) {
      one.tries += 1;
      const ms = reconnectDelay(one.tries, env.random());
      one.timer = env.clock.after(ms, () => dispatch(one, "back"));
    },
    "stop waiting"(one) {
      one.timer?.cancel();
      one.timer = null;
    },
    next: () => beginNext(),
  };
  const effects = { ...deps.effects, ...common } as Readonly<
    Record<F | CommonEffect, (one: T) => void>
  >;
  const dispatch = (one: T, type: E | CommonEvent): void => {
    const { to, effects: wanted, rule } = step(table, {}, one.state, null, { type });
    if (rule < 0) return;
    one.state = to;
    one.rate = 0;
    deps.onMoved(one);
    if (to !== "running") slots.release(one);
    for (const name of wanted) effects[name](one);
  };
  const beginNext = (): void => {
    for (const one of [...all()].sort((a, b) => queuedAt(a) - queuedAt(b))) {
      if (one.state !== "waiting") continue;
      if (!slots.occupy(one)) return;
      dispatch(one, "begin");
    }
  };
  return {
    dispatch,
    beginNext,
    resume() {
      for (const one of all()) if (one.state === "paused") dispatch(one, "back");
    },
  };
}
