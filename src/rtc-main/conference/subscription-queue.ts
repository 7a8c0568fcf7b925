/** Negotiates one subscription at a time. Safari loses subscriptions that are negotiated together (docs/conferences.md#subscribing). */
import type { MediaClock, MediaTimer } from "../clock.ts";

/** ms after which the next negotiation starts even if the current one has not finished. */
export const NEGOTIATION_MS = 10_000;

export interface SubscriptionQueue {
  /** Runs once the earlier ones are done. A waiting entry with the same id is replaced and keeps its place. */
  run(id: string, run: () => void): void;
  /** Call when the connection is connected, failed or given up. */
  done(id: string): void;
  close(): void;
}

/** @param serial false: everything runs at once */
export function createSubscriptionQueue(clock: MediaClock, serial: boolean): SubscriptionQueue {
  const waiting = new Map<string, () => void>();
  let current: { id: string; timer: MediaTimer } | null = null;
  const next = (): void => {
    if (current !== null) return;
    const first = waiting.entries().next().value;
    if (first === undefined) return;
    const [id, run] = first;
    waiting.delete(id);
    current = { id, timer: clock.after(NEGOTIATION_MS, () => queue.done(id)) };
    run();
  };
  const queue: SubscriptionQueue = {
    run(id, run) {
      // The current connection continues its negotiation without a new turn.
      if (!serial || current?.id === id) return run();
      waiting.set(id, run);
      next();
    },
    done(id) {
      waiting.delete(id);
      if (current?.id !== id) return;
      current.timer.cancel();
      current = null;
      next();
    },
    close() {
      waiting.clear();
      current?.timer.cancel();
      current = null;
    },
  };
  return queue;
}
