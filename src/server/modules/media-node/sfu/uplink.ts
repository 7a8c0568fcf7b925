/**
 * Limits what a publisher may send. With transport-wide feedback the browser estimates its own bandwidth, and the limit only
 * protects subscribers that cannot receive the single layer. Without it, the loss between publisher and node bounds it as well.
 */
import type { Receiver } from "./receiver.ts";

export interface Uplink {
  /**
   * Call about once a second.
   *
   * @param strained for each subscriber that gets too much, the bits per second that it can receive
   * @returns bits per second to send as REMB; null for no REMB
   */
  limit(strained: readonly number[]): number | null;
}

const FLOOR = 150_000;
const START = 1_000_000;
const CEILING = 20_000_000;

/** @param options.rate current incoming bits per second of all video layers together */
export function createUplink(options: {
  readonly transportFeedback: boolean;
  readonly receivers: readonly Pick<Receiver, "loss">[];
  readonly rate: () => number;
}): Uplink {
  let own = START;
  let cap = Number.POSITIVE_INFINITY;
  return {
    limit(strained) {
      const rate = options.rate();
      if (strained.length > 0) cap = Math.max(FLOOR, Math.min(...strained));
      else if (Number.isFinite(cap)) {
        // Raise the cap step by step, and drop it once it no longer limits anything.
        cap *= 1.1;
        if (cap > Math.max(rate * 3, START)) cap = Number.POSITIVE_INFINITY;
      }
      if (options.transportFeedback) return Number.isFinite(cap) ? cap : null;
      const loss = Math.max(0, ...options.receivers.map((r) => r.loss));
      if (loss > 0.1) own = Math.max(FLOOR, Math.min(own, rate) * (1 - 0.5 * loss));
      else if (loss < 0.02 && own < Math.max(START, rate * 2)) own = Math.min(CEILING, own * 1.08);
      return Math.min(own, cap);
    },
  };
}
