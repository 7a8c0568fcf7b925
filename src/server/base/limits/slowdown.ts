/**
 * Slows down attempts per key instead of locking the key. After some failures each further failure doubles the wait before the
 * next attempt, up to a limit. Attempts that come too early are refused without counting, so that many of them do not make the wait
 * longer for the key's owner.
 */
import type { Clock } from "../module.ts";
import { type AttemptPolicy, type Attempts, createAttempts, type Keeping } from "./attempts.ts";

export interface SlowdownLimits {
  /** Failures before the first wait. */
  readonly free: number;
  /** The first wait and the longest wait, in ms. */
  readonly firstMs: number;
  readonly longestMs: number;
  /** Milliseconds after which one failure is forgotten. */
  readonly leakMs: number;
  /** Whether a success clears the earlier failures. */
  readonly forgive: boolean;
}

interface Failures {
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly last: number;
}

/** @param keeping left out: this process counts alone, until it ends */
export function createSlowdown(
  clock: Pick<Clock, "now">,
  limits: SlowdownLimits,
  keeping?: Keeping,
): Attempts {
  const { free, firstMs, longestMs, leakMs, forgive } = limits;
  const counted = ({ count, last }: Failures, now: number): number =>
    Math.max(0, count - Math.floor(Math.max(0, now - last) / leakMs));
  const policy: AttemptPolicy<Failures> = {
    none: { count: 0, last: 0 },
    free,
    forgive,
    count: counted,
    nextAt(failures, now) {
      const count = counted(failures, now);
      if (count < free) return 0;
      return failures.last + Math.min(longestMs, firstMs * 2 ** (count - free));
    },
    fail: (failures, now) => ({ count: counted(failures, now) + 1, last: now }),
  };
  return createAttempts(clock, policy, keeping);
}
