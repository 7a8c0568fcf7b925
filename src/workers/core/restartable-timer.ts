/** A timer of which at most one run is pending: a new start replaces the earlier one. */
import type { Clock, Timer } from "./contracts.ts";

export interface RestartableTimer extends Timer {
  readonly pending: boolean;
  /** @param ms from now */
  start(ms: number, run: () => void): void;
}

export function createRestartableTimer(clock: Pick<Clock, "after">): RestartableTimer {
  let timer: Timer | null = null;
  const cancel = (): void => {
    timer?.cancel();
    timer = null;
  };
  return {
    get pending() {
      return timer !== null;
    },
    start(ms, run) {
      cancel();
      timer = clock.after(ms, () => {
        timer = null;
        run();
      });
    },
    cancel,
  };
}
