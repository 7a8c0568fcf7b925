/** Allows a number of failures per key within a sliding window. With more, attempts are refused until the oldest leaves it. */
import type { Clock } from "../module.ts";
import { type AttemptPolicy, type Attempts, createAttempts, type Keeping } from "./attempts.ts";

export type Throttle = Attempts;

/**
 * @param limits.forgive whether a success clears the earlier failures
 * @param keeping left out: this process counts alone, until it ends
 */
export function createThrottle(
  clock: Pick<Clock, "now">,
  limits: { readonly failures: number; readonly withinMs: number; readonly forgive: boolean },
  keeping?: Keeping,
): Throttle {
  const { failures, withinMs, forgive } = limits;
  /** The times of those failures that are still in the window. */
  const recent = (times: readonly number[], now: number): readonly number[] =>
    times.filter((at) => at > now - withinMs);
  const policy: AttemptPolicy<readonly number[]> = {
    none: [],
    free: failures,
    forgive,
    count: (times, now) => recent(times, now).length,
    nextAt(times, now) {
      const oldest = recent(times, now).at(-failures);
      return oldest === undefined ? 0 : oldest + withinMs;
    },
    fail: (times, now) => [...recent(times, now), now],
  };
  return createAttempts(clock, policy, keeping);
}
