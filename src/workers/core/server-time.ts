/**
 * The server's clock. What crosses a wire, and what is compared with it, has the server's time (docs/session.md#clocks): a machine's clock
 * may be days off. Durations and deadlines inside of one browser have the machine's.
 */
import type { Clock, Store } from "./contracts.ts";

export interface ServerTime {
  /** ms since the epoch. Until the first answer of the server it is the machine's time. */
  now(): number;
  /** The server's time of a time of this machine, ms since the epoch. */
  fromLocal(local: number): number;
}

export function createServerTime(clock: Pick<Clock, "now">, store: Pick<Store, "get">): ServerTime {
  const fromLocal = (local: number): number => local + store.get("session").serverTimeOffset;
  return { now: () => fromLocal(clock.now()), fromLocal };
}
