/**
 * Limits attempts that may fail, such as guesses of a password, per key. How failures are counted and when the next attempt may
 * come is the policy's business: throttle.ts counts within a window, slowdown.ts makes each wait longer.
 */
import { AppError } from "../../../shared/errors.ts";
import type { Clock } from "../module.ts";
import type { GuessKind, KeptFailures } from "./kept-failures.ts";

export interface Attempts {
  /**
   * Runs one attempt. Attempts in progress count as failures until they end, so that parallel attempts cannot exceed the limit;
   * attempts over the limit wait for them.
   *
   * @param work resolves to true for success and false for failure; an error counts as neither
   * @param times of the key's failures in the database, where the caller has read them already
   * @throws AppError auth.locked with details.retryAfter in seconds; the work did not run
   */
  run(key: string, work: () => Promise<boolean>, times?: readonly number[]): Promise<boolean>;
}

/** Where failures are kept for the other processes and for after a restart. */
export interface Keeping {
  readonly failures: KeptFailures;
  readonly kind: GuessKind;
}

/** All times are ms since the epoch. `State` is what the policy remembers of a key's failures. */
export interface AttemptPolicy<State> {
  /** The state without failures. */
  readonly none: State;
  /** Failures that the key may have before an attempt has to wait. */
  readonly free: number;
  /** Whether a success clears the earlier failures. */
  readonly forgive: boolean;
  /** Failures that still count. */
  count(state: State, now: number): number;
  /** The time from which the next attempt may run. In the past when it may run now. */
  nextAt(state: State, now: number): number;
  /** The state after one more failure. */
  fail(state: State, now: number): State;
}

/** Most keys that are remembered in this process. The key with the oldest failure is dropped first. */
const MAX_KEYS = 20_000;

export function createAttempts<State>(
  clock: Pick<Clock, "now">,
  policy: AttemptPolicy<State>,
  keeping?: Keeping,
): Attempts {
  const failures = new Map<string, State>();
  const running = new Map<string, Set<Promise<unknown>>>();
  const stateOf = (key: string): State => failures.get(key) ?? policy.none;

  function remember(key: string, state: State): void {
    // Delete first, so that the map stays ordered by last failure.
    failures.delete(key);
    failures.set(key, state);
    if (failures.size <= MAX_KEYS) return;
    const oldest = failures.keys().next();
    if (oldest.done !== true) failures.delete(oldest.value);
  }

  /** Failures at other processes, and before a restart, count as well. */
  function merge(key: string, times: readonly number[]): void {
    if (times.length === 0) return;
    const kept = times.reduce((state, at) => policy.fail(state, at), policy.none);
    const now = clock.now();
    if (policy.count(kept, now) >= policy.count(stateOf(key), now)) remember(key, kept);
  }

  return {
    async run(key, work, times) {
      const kept = keeping === undefined ? null : { ...keeping, key };
      if (kept !== null) merge(key, times ?? (await kept.failures.times([kept]))[0] ?? []);
      // The check and the start of the work must stay in one turn. Otherwise parallel attempts would all pass the check first.
      for (;;) {
        const now = clock.now();
        const wait = policy.nextAt(stateOf(key), now) - now;
        if (wait > 0) {
          throw new AppError("auth.locked", { details: { retryAfter: Math.ceil(wait / 1000) } });
        }
        const others = running.get(key);
        if (others === undefined) break;
        if (policy.count(stateOf(key), now) + others.size < policy.free) break;
        await Promise.race(others);
      }
      const attempt = work().then(async (good) => {
        const now = clock.now();
        if (!good) {
          remember(key, policy.fail(stateOf(key), now));
          await kept?.failures.add(kept, now);
        } else if (policy.forgive && failures.delete(key)) await kept?.failures.clear(kept);
        return good;
      });
      const settled = attempt.then(
        () => undefined,
        () => undefined,
      );
      const set = running.get(key) ?? new Set();
      running.set(key, set);
      set.add(settled);
      try {
        return await attempt;
      } finally {
        set.delete(settled);
        if (set.size === 0) running.delete(key);
      }
    },
  };
}
