/**
 * Chooses the layer that a subscriber can receive, from its receiver's reports. It goes down soon and up slowly: after a failed
 * trial of the high layer, the wait before the next trial doubles.
 *
 * A receiver's REMB grows by about 8 % per second, to at most about 1.5 times the current rate. So a small REMB says little; a
 * falling REMB means that packets queue up. And the low layer never proves that the high one fits: after a long enough time
 * without trouble the high layer is tried.
 */
export interface LayerRates {
  /** Bits per second. `low` is 0 when there is only one layer. */
  readonly low: number;
  readonly high: number;
}

export interface Selector {
  /** @param bitrate of a REMB */
  remb(bitrate: number, now: number): void;
  /** @param fraction share of the sent packets that did not arrive at first, 0..1 */
  loss(fraction: number, now: number): void;
  /** Call about once a second. @returns the layer that the subscriber should receive now */
  decide(rates: LayerRates, now: number): "low" | "high";
  /** Known bound of what the subscriber can receive, bits per second; Infinity when no bound is known. */
  estimate(): number;
  /** Whether the subscriber gets more than it can receive and no lower layer exists. */
  readonly strained: boolean;
}

/** GCC's loss bounds: above LOSS_HIGH the rate is too high, below LOSS_LOW it may grow. */
const LOSS_HIGH = 0.1;
const LOSS_LOW = 0.02;
const DOWN_AFTER_MS = 1500;
const UP_AFTER_MS = 4000;
const TRIAL_FAILED_MS = 8000;
const TRIAL_WAIT_MS = 8000;
const TRIAL_WAIT_MAX_MS = 64_000;
/** How long a REMB counts as a bound after it fell. */
const OVERUSE_MS = 8000;
const FALL = 0.97;
/** As shares of the high layer's rate: it is left when the estimate is below HOLD, and proven to fit at WANT. */
const HOLD = 0.8;
const WANT = 1.2;
const FITS = 0.9;

export function createSelector(): Selector {
  let current: "low" | "high" = "high";
  let changedAt = -Infinity;
  let remb = Number.POSITIVE_INFINITY;
  let overuseAt = -Infinity;
  let lastDecision = 0;
  let lossLimit = Number.POSITIVE_INFINITY;
  let smoothed = 0;
  let shortSince: number | null = null;
  let fineSince: number | null = null;
  let wait = TRIAL_WAIT_MS;
  let strained = false;
  let sent = 0;

  const estimate = (now: number): number =>
    Math.min(now - overuseAt > OVERUSE_MS ? Number.POSITIVE_INFINITY : remb, lossLimit);
  /** The loss seen with one layer says nothing about the other layer. */
  const forget = (): void => {
    lossLimit = Number.POSITIVE_INFINITY;
    smoothed = 0;
    shortSince = null;
    fineSince = null;
  };

  return {
    remb(bitrate, now) {
      if (bitrate < remb * FALL && Number.isFinite(remb)) overuseAt = now;
      remb = bitrate;
    },

    loss(fraction) {
      smoothed += (fraction - smoothed) * 0.3;
      if (smoothed > LOSS_HIGH) {
        lossLimit = Math.min(lossLimit, Math.max(sent, 1)) * (1 - 0.5 * smoothed);
      } else if (smoothed < LOSS_LOW) {
        lossLimit *= 1.08;
        if (lossLimit > sent * 4) lossLimit = Number.POSITIVE_INFINITY;
      }
    },

    decide(rates, now) {
      lastDecision = now;
      sent = current === "high" ? rates.high : rates.low;
      const known = estimate(now);
      const short = rates.high > 0 && known < rates.high * HOLD;
      strained = false;
      if (rates.low === 0) {
        current = "high";
        shortSince = short ? (shortSince ?? now) : null;
        strained = shortSince !== null && now - shortSince >= DOWN_AFTER_MS;
        return current;
      }
      if (current === "high") {
        fineSince = null;
        shortSince = short ? (shortSince ?? now) : null;
        // Far too little bandwidth, or queueing together with loss: waiting makes it worse.
        const bad =
          known < rates.high * 0.4 || (smoothed > LOSS_HIGH && now - overuseAt <= OVERUSE_MS);
        if (shortSince !== null && (bad || now - shortSince >= DOWN_AFTER_MS)) {
          if (now - changedAt < TRIAL_FAILED_MS) wait = Math.min(wait * 2, TRIAL_WAIT_MAX_MS);
          current = "low";
          changedAt = now;
          forget();
        } else if (now - changedAt > TRIAL_WAIT_MAX_MS) wait = TRIAL_WAIT_MS;
        return current;
      }
      const fine = smoothed < LOSS_HIGH && known > rates.low * FITS;
      fineSince = fine ? (fineSince ?? now) : null;
      const since = fineSince === null ? 0 : now - fineSince;
      const proven = known >= rates.high * WANT && Number.isFinite(known);
      if (since >= UP_AFTER_MS && now - changedAt >= (proven ? UP_AFTER_MS : wait)) {
        current = "high";
        changedAt = now;
        overuseAt = -Infinity;
        forget();
      }
      return current;
    },

    estimate: () => estimate(lastDecision),
    get strained() {
      return strained;
    },
  };
}
