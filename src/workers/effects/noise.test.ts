import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../shared/mutate.harness.ts";
import { createSoundFrames } from "./frames-of-sound.ts";
import { createRnnoise, FRAME, SAMPLE_RATE } from "./rnnoise.ts";

const CODE = createRequire(import.meta.url).resolve(
  "@sapphi-red/web-noise-suppressor/rnnoise_simd.wasm",
);

/** Root mean square. */
const loudness = (samples: Float32Array): number =>
  Math.sqrt(samples.reduce((sum, one) => sum + one * one, 0) / samples.length);

const SECONDS = 3;

/** Three seconds of sound, frame by frame. @returns the loudness of the last second, before and after */
async function suppress(sound: (at: number) => number) {
  const clean = await createRnnoise(readFileSync(CODE));
  const before = Float32Array.from({ length: SECONDS * SAMPLE_RATE }, (_, at) => sound(at));
  const after = before.slice();
  for (let at = 0; at < after.length; at += FRAME) clean(after.subarray(at, at + FRAME));
  return {
    before: loudness(before.slice(-SAMPLE_RATE)),
    after: loudness(after.slice(-SAMPLE_RATE)),
  };
}
/** The low rush of a fan. */
function fan(): () => number {
  const random = seededRandom(14);
  let level = 0;
  return () => (level += (random() - 0.5 - level) * 0.05) * 0.3;
}
/** Syllables of a voice: harmonics of a tone that rises and falls, with changing formants. */
function voice(at: number): number {
  const time = at / SAMPLE_RATE;
  const tone = 120 + 20 * Math.sin(6 * Math.PI * time);
  let sum = 0;
  for (let n = 1; n < 25; n += 1) {
    const formant = 1 + Math.cos(n * 0.7 + 2 * Math.sin(time * 9));
    sum += (Math.sin(2 * Math.PI * tone * n * time) / n) * formant;
  }
  return sum * 0.06 * Math.max(0, Math.sin(5 * Math.PI * time));
}

describe("RNNoise", () => {
  it("leaves less than a hundredth of the sound of a fan", async () => {
    const { before, after } = await suppress(fan());
    expect(before).toBeGreaterThan(0.005);
    expect(after).toBeLessThan(before / 100);
  });

  it("leaves nine tenths of a voice", async () => {
    const { before, after } = await suppress(voice);
    expect(before).toBeGreaterThan(0.02);
    expect(after).toBeGreaterThan(before * 0.9);
  });
});

describe("Sound of any lengths", () => {
  it("becomes frames of one length, each with the time of its first sample", () => {
    const cut = createSoundFrames(FRAME, SAMPLE_RATE);
    const all = Float32Array.from({ length: 441 * 10 }, (_, i) => i);
    const frames = [];
    for (let at = 0; at < all.length; at += 441) {
      frames.push(...cut.add(all.subarray(at, at + 441), 5000 + (at * 1e6) / SAMPLE_RATE));
    }
    expect(frames.map(({ timestamp }) => timestamp)).toEqual(
      Array.from({ length: 9 }, (_, i) => 5000 + i * 10_000),
    );
    expect(frames.flatMap(({ samples }) => [...samples])).toEqual(
      Array.from(all.slice(0, 9 * FRAME)),
    );
  });
});
