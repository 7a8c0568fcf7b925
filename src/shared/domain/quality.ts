/**
 * Computes the rates of a stream from two samples, its quality score (docs/calls.md#quality-samples), and its opinion score. Pure.
 */
import type { StreamSample } from "../protocol/qoe.ts";
import { pictureScore, soundScore } from "./opinion-score.ts";

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
  /** ms since the sample before; null without one. */
  readonly elapsed: number | null;
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
  /** Part of this interval that freezes took which ended in it, 0..1. */
  readonly frozen: number | null;
  /** ms for which the receiver held sound or picture back. */
  readonly buffer: number | null;
  /** Mean quantizer of the frames of this interval. */
  readonly qp: number | null;
  /** Part of this interval in which the coder worked; several threads may make it more than 1. */
  readonly coding: number | null;
  /** Number of frames that were decoded and dropped. */
  readonly dropped: number | null;
  /** Number of frames that were encoded or decoded. */
  readonly frames: number | null;
  /** Whether there was any sound in this interval. */
  readonly sounds: boolean | null;
}

const delta = (now: number, before: number): number => Math.max(0, now - before);

/** How much a counter grew; null where a browser does not count. */
const grown = (now: number | null | undefined, before: number | null | undefined): number | null =>
  now == null || before == null ? null : delta(now, before);
const ratio = (part: number | null, whole: number | null): number | null =>
  part === null || whole === null || whole === 0 ? null : part / whole;

const UNKNOWN = {
  elapsed: null,
  kbps: null,
  loss: null,
  freezes: null,
  frozen: null,
  buffer: null,
  qp: null,
  coding: null,
  dropped: null,
  frames: null,
  sounds: null,
} as const;

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
    return { ...UNKNOWN, ...base, fps: sample.fps };
  }
  const packets = delta(sample.packets, before.packets);
  const lost = delta(sample.packetsLost, before.packetsLost);
  const frames = grown(sample.frames, before.frames);
  const energy = grown(sample.energy, before.energy);
  // a sender's lost packets are among those it sent; a receiver's lost packets never arrived
  const total = sample.direction === "local" ? packets : packets + lost;
  return {
    ...base,
    elapsed,
    kbps: (delta(sample.bytes, before.bytes) * 8) / elapsed,
    loss: total === 0 ? 0 : Math.min(100, (lost * 100) / total),
    fps:
      sample.kind === "video"
        ? (sample.fps ?? (frames === null ? null : (frames * 1000) / elapsed))
        : null,
    freezes: grown(sample.freezeCount, before.freezeCount),
    frozen: ratio(grown(sample.frozenMillis, before.frozenMillis), elapsed),
    buffer: ratio(
      grown(sample.bufferMillis, before.bufferMillis),
      grown(sample.bufferedUnits, before.bufferedUnits),
    ),
    qp: ratio(grown(sample.qpSum, before.qpSum), frames),
    coding: ratio(grown(sample.codingMillis, before.codingMillis), elapsed),
    dropped: grown(sample.framesDropped, before.framesDropped),
    frames,
    sounds: energy === null ? null : energy > 0,
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
  rates: Pick<StreamRates, "at" | "kbps" | "loss" | "rtt">,
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

/** What is asked of a stream, which its samples do not say. */
export interface Asked {
  /** Pixels of the place where the picture is shown; null: the usual. */
  readonly pixels: number | null;
  readonly screen: boolean;
}
export const USUAL_STREAM: Asked = { pixels: null, screen: false };

/** Opinion score of a stream in this interval, 1 to 5; null before there are rates. A camera or microphone of which nothing comes has 1. */
export function opinionScore(
  sample: StreamSample,
  rates: StreamRates,
  { pixels, screen }: Asked = USUAL_STREAM,
): number | null {
  const { kbps, loss, rtt, jitter, buffer } = rates;
  if (kbps === null || loss === null) return null;
  // A screen on which nothing moves sends nothing.
  if (kbps === 0) return screen ? null : 1;
  if (sample.kind === "audio") return soundScore({ rtt, jitter, buffer, loss });
  const { sourceWidth, sourceHeight } = sample;
  return pictureScore({
    kbps,
    fps: rates.fps,
    expectedFps: sample.sourceFps ?? null,
    width: sample.width,
    height: sample.height,
    expectedPixels:
      sourceWidth === undefined || sourceHeight === undefined ? pixels : sourceWidth * sourceHeight,
    frozen: rates.frozen ?? 0,
    rtt,
    buffer,
    qp: rates.qp,
    codec: sample.codec ?? null,
    screen,
  });
}

/** What is known of a stream after its samples so far. */
export interface StreamJudgement {
  readonly last: StreamSample;
  readonly rates: StreamRates;
  readonly score: ScoreState;
  /** Opinion score of the last interval; null without one. */
  readonly mos: number | null;
}

/**
 * One sample more of a stream. Calls, tiles, uploads and the library all get their figures here.
 *
 * @param before null for the first sample
 * @param expected see `scoreStep`
 */
export function judgeStream(
  before: StreamJudgement | null,
  sample: StreamSample,
  expected: boolean,
  asked: Asked = USUAL_STREAM,
): StreamJudgement {
  const rates = ratesOf(sample, before?.last ?? null);
  return {
    last: sample,
    rates,
    score: scoreStep(before?.score ?? START_SCORE, sample.kind, rates, expected),
    mos: expected ? opinionScore(sample, rates, asked) : null,
  };
}
