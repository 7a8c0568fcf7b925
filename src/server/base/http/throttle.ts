/** Counts failures per key within a sliding window. A key with too many failures is refused before any work is done. */
import { AppError } from "../../../shared/errors.ts";
import type { Clock } from "../module.ts";

export interface Throttle {
  /**
   * Runs one attempt. Attempts in progress count as failures until they end, so that parallel attempts cannot exceed the limit;
   * attempts over the limit wait for them.
   *
   * @param work resolves to true for success and false for failure; an error counts as neither
   * @throws AppError auth.locked with details.retryAfter in seconds
   */
  run(key: string, work: () => Promise<boolean>): Promise<boolean>;
}

/** Most keys that are remembered. The oldest are dropped first. */
const MAX_KEYS = 20_000;

/** @param limits.forgive whether a success clears the earlier failures */
export function createThrottle(
  clock: Clock,
  limits: { readonly failures: number; readonly withinMs: number; readonly forgive: boolean },
): Throttle {
  const failures = new Map<string, number[]>();
  const running = new Map<string, Set<Promise<unknown>>>();

  function recent(key: string): number[] {
    const since = clock.now() - limits.withinMs;
    return (failures.get(key) ?? []).filter((at) => at > since);
  }

  function fail(key: string): void {
    const times = [...recent(key), clock.now()];
    // Delete first, so that the map stays ordered by last failure.
    failures.delete(key);
    failures.set(key, times);
    if (failures.size <= MAX_KEYS) return;
    const first = failures.keys().next();
    if (first.done !== true) failures.delete(first.value);
  }

  return {
    async run(key, work) {
      for (;;) {
        const times = recent(key);
        const oldest = times[times.length - limits.failures];
        if (oldest !== undefined) {
          const retryAfter = Math.ceil((oldest + limits.withinMs - clock.now()) / 1000);
          throw new AppError("auth.locked", { details: { retryAfter } });
        }
        const others = running.get(key);
        if (others === undefined || times.length + others.size < limits.failures) break;
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
