/**
 * Computes the rates of a stream from two samples, its quality score (docs/calls.md#quality-samples), and an estimated audio MOS (a
 * common heuristic, not G.107). Pure.
 */
import type { StreamSample } from "../protocol/qoe.ts";

/** Above a threshold for heldMillis the score is poor. */
export const QUALITY_THRESHOLDS = {
  rttMillis: 500,
  audioLossPercent: 18,
  videoLossPercent: 23,
  heldMillis: 8000,
  noTrafficMillis: 5000,
} as const;

export type QualityScore = 0 | 1 | 2;

export interface StreamRates {
  /** Time of the sample, ms since the epoch. */
  readonly at: number;
  /** kbit/s; null before the second sample. */
  readonly kbps: number | null;
  /** % of the packets of this interval. */
  readonly loss: number | null;
  /** ms */
  readonly rtt: number | null;
  /** ms */
  readonly jitter: number | null;
  readonly fps: number | null;
  /** Number of new freezes in this interval. */
  readonly freezes: number | null;
}

const delta = (now: number, before: number): number => Math.max(0, now - before);

/** Rates between two samples of one stream. A counter that decreased belongs to a new connection and starts over. */
export function ratesOf(sample: StreamSample, before: StreamSample | null): StreamRates {
  const base = { at: sample.at, rtt: sample.rtt, jitter: sample.jitter };
  const elapsed = before === null ? 0 : sample.at - before.at;
  if (
    before === null ||
    elapsed <= 0 ||
    before.rtcId !== sample.rtcId ||
    sample.bytes < before.bytes
  ) {
    return { ...base, kbps: null, loss: null, fps: sample.fps, freezes: null };
  }
  const packets = delta(sample.packets, before.packets);
  const lost = delta(sample.packetsLost, before.packetsLost);
  const frames =
    sample.frames === null || before.frames === null
      ? null
      : (delta(sample.frames, before.frames) * 1000) / elapsed;
  // a sender's lost packets are among those it sent; a receiver's lost packets never arrived
  const total = sample.direction === "local" ? packets : packets + lost;
  return {
    ...base,
    kbps: (delta(sample.bytes, before.bytes) * 8) / elapsed,
    loss: total === 0 ? 0 : Math.min(100, (lost * 100) / total),
    fps: sample.kind === "video" ? (sample.fps ?? frames) : null,
    freezes:
      sample.freezeCount === null || before.freezeCount === null
        ? null
        : delta(sample.freezeCount, before.freezeCount),
  };
}

/** When each condition began, ms since the epoch; null while it does not hold. */
export interface ScoreState {
  readonly poorSince: number | null;
  readonly silentSince: number | null;
  readonly score: QualityScore;
}
export const START_SCORE: ScoreState = { poorSince: null, silentSince: null, score: 2 };

/**
 * 2 good, 1 poor (a threshold passed for 8 s), 0 disconnected (no traffic for 5 s).
 *
 * @param expected false while the stream is muted or paused, which does not count as disconnected
 */
export function scoreStep(
  state: ScoreState,
  kind: "audio" | "video",
  rates: StreamRates,
  expected: boolean,
): ScoreState {
  const t = QUALITY_THRESHOLDS;
  const poor =
    (rates.rtt !== null && rates.rtt >= t.rttMillis) ||
    (rates.loss !== null &&
      rates.loss >= (kind === "audio" ? t.audioLossPercent : t.videoLossPercent));
  const silent = expected && rates.kbps === 0;
  const poorSince = poor ? (state.poorSince ?? rates.at) : null;
  const silentSince = silent ? (state.silentSince ?? rates.at) : null;
  const score: QualityScore =
    silentSince !== null && rates.at - silentSince >= t.noTrafficMillis
      ? 0
      : poorSince !== null && rates.at - poorSince >= t.heldMillis
        ? 1
        : 2;
  return { poorSince, silentSince, score };
}

/**
 * Estimated mean opinion score of an audio stream, 1 to about 4.4.
 *
 * @param rtt ms
 * @param jitter ms
 * @param loss percent
 */
export function estimatedMos(rtt: number, jitter: number, loss: number): number {
  const e = rtt / 2 + 2 * jitter + 10;
  const raw = (e < 160 ? 93.2 - e / 40 : 93.2 - (e - 120) / 10) - 2.5 * loss;
  const r = Math.min(100, Math.max(0, raw));
  return 1 + 0.035 * r + 7e-6 * r * (r - 60) * (100 - r);
}
