/**
 * Which layer a subscriber can take, by what its own receiver reports. Down soon, up slowly: a layer that was tried and failed
 * is tried again only after a wait that doubles.
 *
 * A receiver's REMB grows by some 8 % a second and to no more than about 1.5 times of what it gets just now. So a REMB that is
 * small says little, a REMB that falls says that packets queue up; and a low layer never proves that the high one fits: when all
 * is well for long enough, it is tried.
 */
export interface LayerRates {
  /** Bits a second; low 0: there is one layer only. */
  readonly low: number;
  readonly high: number;
}

export interface Selector {
  /** @param bitrate of a REMB */
  remb(bitrate: number, now: number): void;
  /** @param fraction 0..1 of the packets sent that were missing at first */
  loss(fraction: number, now: number): void;
  /** @returns what it should get now; to be asked about once a second */
  decide(rates: LayerRates, now: number): "low" | "high";
  /** Bits a second that it can take, as far as is known; Infinity: nothing speaks against anything. */
  estimate(): number;
  /** It gets more than it can take, and there is no lower layer for it. */
  readonly strained: boolean;
}

/** Loss that says something of the link (GCC's bounds). */
const LOSS_HIGH = 0.1;
const LOSS_LOW = 0.02;
const DOWN_AFTER_MS = 1500;
const UP_AFTER_MS = 4000;
const TRIAL_FAILED_MS = 8000;
const TRIAL_WAIT_MS = 8000;
const TRIAL_WAIT_MAX_MS = 64_000;
/** How long a REMB that fell is a bound. */
const OVERUSE_MS = 8000;
const FALL = 0.97;
/** The high layer is held until the estimate falls below this share of it, and wanted again at the second. */
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
  /** What was learnt of the one layer's loss says nothing of the other's. */
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
        // packets queue up and are dropped as well: each further moment makes it worse
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
