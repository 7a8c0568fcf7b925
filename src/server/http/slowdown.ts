/**
 * Slows down attempts by key instead of locking the key: after some failures each further one makes the next attempt wait twice as
 * long, up to a limit. Attempts that come too early are refused and do not count, so that the wait of the owner stays short.
 */
import { AppError } from "../../shared/errors.ts";
import type { Clock } from "../module.ts";

export interface SlowdownLimits {
  /** Failures without a wait. */
  readonly free: number;
  /** ms of the first wait, and of the longest. */
  readonly firstMs: number;
  readonly longestMs: number;
  /** ms after which one failure less counts. */
  readonly leakMs: number;
  /** A success forgets the failures before it. */
  readonly forgive: boolean;
}

export interface Slowdown {
  /**
   * Runs one attempt. Attempts under way count as failures until they end, so that many at once find the same limit.
   *
   * @param work true is a success, false a failure; an error is neither
   * @throws AppError auth.locked with details.retryAfter in seconds
   */
  run(key: string, work: () => Promise<boolean>): Promise<boolean>;
}

/** Keys that are remembered at most; those without a failure for the longest time go first. */
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

  /** When the next attempt may be made. */
  function nextAt({ count, last }: { count: number; last: number }): number {
    if (count < limits.free) return 0;
    return last + Math.min(limits.longestMs, limits.firstMs * 2 ** (count - limits.free));
  }

  function fail(key: string): void {
    const { count } = recent(key);
    // deleted first, so that the map is in order of the last failure
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
