/**
 * How people would judge sound and picture, as a mean opinion score (MOS) from 1 to 5 (docs/calls.md#opinion-scores). Sound: the E-model of
 * ITU-T G.107 with its default values, of which delay and loss are left. Picture: bits for each pixel of a frame, frames, freezes, delay.
 * The constants and where they come from stand in the document, and the tests compare both. Pure.
 */

export const E_MODEL = {
  /** R of a connection without delay, loss or a codec that costs anything. */
  best: 93.2,
  /** mT: people do not notice a shorter delay, ms. sT: how fast the score falls after it. */
  delay: { unnoticed: 100, sensitivity: 1 },
  /**
   * Opus with in-band FEC, which each description of ours asks for: it costs nothing by itself (Ie), and loss halves what is left at
   * 20 % (Bpl).
   */
  opus: { impairment: 0, robustness: 20 },
  /** Losses come one by one. A greater ratio is for bursts (BurstR). */
  burst: 1,
  /** ms: a frame of sound is collected before it leaves. */
  frameMillis: 20,
  /** Assumed jitter buffer, ms, when the browser does not report it. It is at least twice the jitter. */
  bufferMillis: 40,
} as const;

export const PICTURE_MODEL = {
  /** Score of one bit per pixel and frame, and what each natural logarithm of it adds. */
  bits: { one: 5.36, slope: 0.56 },
  /** What is lost when the frames are fewer than expected, by the logarithm of the ratio. */
  frames: 1.9,
  /** What a millisecond of delay costs. */
  delay: 0.002,
  /** What is lost when the picture stands still all the time. */
  frozen: 4,
  /** Assumed picture of a camera whose settings are unknown. */
  usual: { fps: 15, pixels: 640 * 360 },
  /** Up to this mean quantizer the picture has all bits that it needs, however few. */
  clear: { score: 4.5, qp: { VP8: 29, VP9: 96, AV1: 145, H264: 24 } },
} as const;

const between = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, value));

/**
 * What delay takes from R (Idd): nothing up to 100 ms, 24 at 400 ms.
 *
 * @param millis one way, from mouth to ear
 */
export function delayImpairment(millis: number): number {
  const { unnoticed, sensitivity } = E_MODEL.delay;
  if (millis <= unnoticed) return 0;
  const x = Math.log2(millis / unnoticed);
  const power = 6 * sensitivity;
  const root = (value: number): number => (1 + value ** power) ** (1 / power);
  return 25 * (root(x) - 3 * root(x / 3) + 2);
}

/**
 * What loss takes from R (Ie,eff) with Opus.
 *
 * @param percent of the packets
 * @param burst 1 for losses by chance, greater for bursts
 */
export function lossImpairment(percent: number, burst: number = E_MODEL.burst): number {
  const { impairment, robustness } = E_MODEL.opus;
  if (percent <= 0) return impairment;
  return impairment + ((95 - impairment) * percent) / (percent / burst + robustness);
}

/** The opinion that belongs to a rating R of 0 to 100 (G.107, Annex B). */
export function opinionOf(rating: number): number {
  const r = between(rating, 0, 100);
  // Below 6.5 the cubic falls under the scale.
  return Math.max(1, 1 + 0.035 * r + 7e-6 * r * (r - 60) * (100 - r));
}

/**
 * How people name a score: from 3.6 on some of them are dissatisfied at most, below 2.58 nearly all are (G.107, Annex B, R of 70 and 50).
 */
export const OPINION_LIMITS = { good: 3.6, fair: 2.58 } as const;
export type OpinionName = "good" | "fair" | "poor";
export function opinionName(mos: number): OpinionName {
  if (mos >= OPINION_LIMITS.good) return "good";
  return mos >= OPINION_LIMITS.fair ? "fair" : "poor";
}

export interface SoundFigures {
  /** ms; null while unknown, which counts as 0. */
  readonly rtt: number | null;
  /** ms */
  readonly jitter: number | null;
  /** ms that the receiver holds the sound back; null where it is not measured. */
  readonly buffer: number | null;
  /** % of the packets */
  readonly loss: number;
}

/** R of sound, 0 to 93.2. */
export function soundRating({ rtt, jitter, buffer, loss }: SoundFigures): number {
  const held = buffer ?? Math.max(E_MODEL.bufferMillis, 2 * (jitter ?? 0));
  const delay = (rtt ?? 0) / 2 + held + E_MODEL.frameMillis;
  return Math.max(0, E_MODEL.best - delayImpairment(delay) - lossImpairment(loss));
}

/** MOS of sound, 1 to 4.4. */
export const soundScore = (figures: SoundFigures): number => opinionOf(soundRating(figures));

export interface PictureFigures {
  readonly kbps: number;
  /** Frames per second; null where the browser does not say. */
  readonly fps: number | null;
  /** What the camera gives, or what was asked for; null: the usual. */
  readonly expectedFps: number | null;
  readonly width: number | null;
  readonly height: number | null;
  /** Pixels of the camera's picture, or of the place where it is shown; null: the usual. */
  readonly expectedPixels: number | null;
  /** Part of the time in which the picture stood still, 0..1. */
  readonly frozen: number;
  /** ms; null while unknown. */
  readonly rtt: number | null;
  /** ms that the receiver holds the picture back; null where it is not measured. */
  readonly buffer: number | null;
  /** Mean quantizer of the frames, and the codec to which it belongs. */
  readonly qp: number | null;
  readonly codec: string | null;
  /** A shared screen. It moves seldom, so neither few bits nor few frames are a fault. */
  readonly screen: boolean;
}

const isClear = ({ qp, codec }: PictureFigures): boolean => {
  const limits: Readonly<Record<string, number>> = PICTURE_MODEL.clear.qp;
  const limit = codec === null ? undefined : limits[codec];
  return qp !== null && limit !== undefined && qp <= limit;
};

/** MOS of a picture, 1 to 5. */
export function pictureScore(figures: PictureFigures): number {
  const { bits, frames, delay, frozen, usual, clear } = PICTURE_MODEL;
  const { kbps, fps, width, height, screen } = figures;
  const waits = delay * ((figures.rtt ?? 0) / 2 + (figures.buffer ?? 0));
  const stands = frozen * between(figures.frozen, 0, 1);
  if (screen) return between(clear.score - stands - waits, 1, 5);
  const expected = figures.expectedFps ?? usual.fps;
  const rate = fps ?? expected;
  if (rate <= 0 || kbps <= 0) return 1;
  const shown = (width ?? 0) * (height ?? 0);
  const pixels = Math.max(1, shown, figures.expectedPixels ?? usual.pixels);
  const perPixel = (kbps * 1000) / pixels / rate;
  const coded = between(bits.one + bits.slope * Math.log(perPixel), 1, 5);
  // A small picture is not clear where a large one is expected, whatever its quantizer.
  const whole = shown >= pixels && isClear(figures);
  const base = whole ? Math.max(coded, clear.score) : coded;
  const fewer = frames * Math.max(0, Math.log(expected / rate));
  return between(base - fewer - stands - waits, 1, 5);
}
