/** The one timer of a call. The slice keeps it as a deadline, so that it survives sleep and a restart of the core. */
import type { Clock, Timer } from "../contracts.ts";
import type { CallStore } from "./state.ts";

export interface Deadline {
  /** @param ms from now */
  arm(ms: number): void;
  clear(): void;
  /** Continues with an earlier core's deadline; one that has passed runs at once. */
  resume(): void;
  /** Stops the timer and leaves the deadline to the next core. */
  stop(): void;
}

export function createDeadline(deps: {
  readonly clock: Clock;
  readonly calls: Pick<CallStore, "slice" | "patch">;
  readonly onPassed: () => void;
}): Deadline {
  const { clock, calls } = deps;
  let timer: Timer | null = null;

  const wait = (ms: number): void => {
    timer?.cancel();
    timer = clock.after(ms, expire);
  };
  const expire = (): void => {
    timer = null;
    const { deadline } = calls.slice;
    if (deadline === null) return;
    const left = deadline - clock.now();
    if (left > 0) wait(left);
    else deps.onPassed();
  };
  const stop = (): void => {
    timer?.cancel();
    timer = null;
  };

  return {
    arm(ms) {
      calls.patch({ deadline: clock.now() + ms });
      wait(ms);
    },
    clear() {
      stop();
      if (calls.slice.deadline !== null) calls.patch({ deadline: null });
    },
    resume() {
      const { deadline } = calls.slice;
      if (deadline !== null) wait(Math.max(0, deadline - clock.now()));
    },
    stop,
  };
}
