/** What a sound meter says of a stream's sound (docs/conferences.md#sound-meter). Pure: the worklet and its fallback feed it samples. */

/** Samples in one window. */
export const WINDOW = 2048;
/** From this absolute value on a sample counts as clipped. */
export const CLIPPING = 0.99;
/** How much of `slow` stays in each window; the rest comes from the window. */
const KEPT = 0.95;

export interface SoundReading {
  /** Root mean square of the last window, 0..1. */
  readonly instant: number;
  /** `instant`, smoothed over windows: 0.95 of the former value and 0.05 of the new one. */
  readonly slow: number;
  /** Part of the samples that were clipped, 0..1: the highest of the windows since the former reading. */
  readonly clip: number;
  /** Level by the browser's own statistics, 0..1; null where it has none. */
  readonly trackAudioLevel: number | null;
  /** Energy since the meter began, as `totalAudioEnergy` of the statistics: squared samples times their duration, in s. */
  readonly trackTotalAudioEnergy: number;
}
export const SILENT: SoundReading = {
  instant: 0,
  slow: 0,
  clip: 0,
  trackAudioLevel: null,
  trackTotalAudioEnergy: 0,
};

/** What the worklet sends: instant, slow, clip, energy. An array is the cheapest message. */
export type PostedReading = readonly [number, number, number, number];
export const readingOf = ([instant, slow, clip, energy]: PostedReading): SoundReading => ({
  instant,
  slow,
  clip,
  trackAudioLevel: null,
  trackTotalAudioEnergy: energy,
});

export interface SampleMeter {
  /** Adds samples, at most up to the end of a window. @returns whether a window ended */
  add(samples: Float32Array): boolean;
  /** The reading as of the last window. Begins a new highest `clip`. */
  read(): PostedReading;
}

/** @param rate samples per second */
export function createSampleMeter(rate: number): SampleMeter {
  let sum = 0;
  let clipped = 0;
  let count = 0;
  let instant = 0;
  let slow = 0;
  let clip = 0;
  let energy = 0;
  return {
    add(samples) {
      // A loop without a closure: it runs for every sample of every stream.
      const { length } = samples;
      let squares = 0;
      for (let i = 0; i < length; i += 1) {
        const one = samples[i] as number;
        squares += one * one;
        if (one > CLIPPING || one < -CLIPPING) clipped += 1;
      }
      sum += squares;
      count += length;
      if (count < WINDOW) return false;
      instant = Math.sqrt(sum / count);
      slow = KEPT * slow + (1 - KEPT) * instant;
      clip = Math.max(clip, clipped / count);
      energy += sum / rate;
      sum = 0;
      clipped = 0;
      count = 0;
      return true;
    },
    read() {
      const posted: PostedReading = [instant, slow, clip, energy];
      clip = 0;
      return posted;
    },
  };
}
