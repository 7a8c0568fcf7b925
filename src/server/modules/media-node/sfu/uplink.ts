/**
 * How much a publisher may send. With transport-wide feedback its browser finds that out; then this only holds it back for
 * subscribers that cannot take the one layer there is. Without, arrival and loss on the way here bound it as well.
 */
import type { Receiver } from "./receiver.ts";

export interface Uplink {
  /**
   * Asked for about once a second.
   *
   * @param strained bits a second that those subscribers can take who get too much; [] when none does
   * @returns bits a second to tell by REMB; null: nothing to say
   */
  limit(strained: readonly number[]): number | null;
}

const FLOOR = 150_000;
const START = 1_000_000;
const CEILING = 20_000_000;

/** @param rate bits a second that come in now, all video layers together */
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
        // given back by and by; gone once it is no bound any more
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
