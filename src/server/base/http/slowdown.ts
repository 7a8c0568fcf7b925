/**
 * Slows down attempts per key instead of locking the key. After some failures each further failure doubles the wait before the
 * next attempt, up to a limit. Attempts that come too early are refused and do not count, so the owner's wait stays short.
 */
import { AppError } from "../../../shared/errors.ts";
import type { Clock } from "../module.ts";

export interface SlowdownLimits {
  /** Failures before the first wait. */
  readonly free: number;
  /** The first wait and the longest wait, in ms. */
  readonly firstMs: number;
  readonly longestMs: number;
  /** Milliseconds after which the count drops by one failure. */
  readonly leakMs: number;
  /** Whether a success clears the earlier failures. */
  readonly forgive: boolean;
}

export interface Slowdown {
  /**
   * Runs one attempt. Attempts in progress count as failures until they end, so that parallel attempts cannot exceed the limit.
   *
   * @param work resolves to true for success and false for failure; an error counts as neither
   * @throws AppError auth.locked with details.retryAfter in seconds
   */
  run(key: string, work: () => Promise<boolean>): Promise<boolean>;
}

/** Most keys that are remembered. The key with the oldest failure is dropped first. */
const MAX_KEYS = 20_000;

export function createSlowdown(clock: Clock, limits: SlowdownLimits): Slowdown {
  const failures = new Map<string, { count: number; last: number }>();
  const running = new Map<string, Set<Promise<unknown>>>();

  function recent(key: string): { count: number; last: number } {
    const found = failures.get(key);
    if (found === undefined) return { count: 0, last: 0 };
    const leaked = Math.floor(Math.max(0, clock.now() - found.last) / limits.leakMs);
    return { count: Math.max(0, found.count - leaked), last: found.last };
  }

  /** The time at which the next attempt is allowed. */
  function nextAt({ count, last }: { count: number; last: number }): number {
    if (count < limits.free) return 0;
    return last + Math.min(limits.longestMs, limits.firstMs * 2 ** (count - limits.free));
  }

  function fail(key: string): void {
    const { count } = recent(key);
    // Delete first, so that the map stays ordered by last failure.
    failures.delete(key);
    failures.set(key, { count: count + 1, last: clock.now() });
    if (failures.size <= MAX_KEYS) return;
    const oldest = failures.keys().next();
    if (oldest.done !== true) failures.delete(oldest.value);
  }

  return {
    async run(key, work) {
      for (;;) {
        const before = recent(key);
        const wait = nextAt(before) - clock.now();
        if (wait > 0) {
          throw new AppError("auth.locked", { details: { retryAfter: Math.ceil(wait / 1000) } });
        }
        const others = running.get(key);
        if (others === undefined || before.count + others.size < limits.free) break;
        await Promise.race(others);
      }
      const attempt = work().then((good) => {
        if (!good) fail(key);
        else if (limits.forgive) failures.delete(key);
        return good;
      });
      const mine = attempt.then(
        () => undefined,
        () => undefined,
      );
      const set = running.get(key) ?? new Set();
      running.set(key, set);
      set.add(mine);
      try {
        return await attempt;
      } finally {
        set.delete(mine);
        if (set.size === 0) running.delete(key);
      }
    },
  };
}
