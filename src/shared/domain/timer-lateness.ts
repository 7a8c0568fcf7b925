/**
 * How late timers of this thread fire: a machine that has no time left for its programs shows it so, whatever they do
 * (docs/calls.md#late-timers). It measures with a monotonic clock.
 */
export const TIMER_EVERY = 250;

export interface LatenessClock {
  /** ms of a monotonic clock. */
  precise(): number;
  after(ms: number, run: () => void): { cancel(): void };
}

export interface TimerLateness {
  /** ms by which half of the timers since the last reading were late at least; null when none was due. */
  read(): number | null;
  /** Idempotent. */
  stop(): void;
}

/** The most that at least half of the values reach; null without values. */
export const reachedByHalf = (values: readonly number[]): number | null =>
  values.toSorted((a, b) => b - a)[Math.ceil(values.length / 2) - 1] ?? null;

export function createTimerLateness({ precise, after }: LatenessClock): TimerLateness {
  let lates: number[] = [];
  let dueAt = 0;
  let timer: { cancel(): void } | null = null;
  const lateNow = (): number => Math.max(0, precise() - dueAt);
  const begin = (): void => {
    dueAt = precise() + TIMER_EVERY;
    timer = after(TIMER_EVERY, () => {
      lates.push(lateNow());
      begin();
    });
  };
  begin();
  return {
    read() {
      // A message may come before a timer that has long been due.
      const waiting = timer === null ? 0 : lateNow();
      const late = reachedByHalf(waiting > 0 ? [...lates, waiting] : lates);
      lates = [];
      return late === null ? null : Math.round(late);
    },
    stop() {
      timer?.cancel();
      timer = null;
    },
  };
}
