import { expect } from "vitest";
import { rowChecks } from "../../shared/row-checks.harness.ts";
import { createSampleMeter, readingOf, WINDOW } from "./reading.ts";

const RATE = 48_000;
/** A window of a square wave: its root mean square is its height. */
const window = (height: number): Float32Array =>
  Float32Array.from({ length: WINDOW }, (_, i) => (i % 2 === 0 ? height : -height));

/** Rows of the conference catalogue (tests/conference/catalogue.ts), which is bound to these functions by their type. */
export const checks = rowChecks({
  "meter.window: A window of 2048 samples gives instant, and slow by 0.95 and 0.05": () => {
    const meter = createSampleMeter(RATE);
    expect(meter.add(window(0.5).subarray(0, WINDOW - 128))).toBe(false);
    expect(readingOf(meter.read())).toMatchObject({ instant: 0, slow: 0 });
    expect(meter.add(window(0.5).subarray(0, 128))).toBe(true);
    expect(readingOf(meter.read()).instant).toBeCloseTo(0.5, 6);
    expect(readingOf(meter.read()).slow).toBeCloseTo(0.025, 6);
    meter.add(window(1));
    expect(readingOf(meter.read()).slow).toBeCloseTo(0.95 * 0.025 + 0.05, 6);
  },

  "meter.clip: A sample counts as clipped above 0.99, and the highest part since the last reading is kept":
    () => {
      const meter = createSampleMeter(RATE);
      const half = window(0.98);
      half.fill(0.995, 0, WINDOW / 2);
      meter.add(half);
      meter.add(window(0.2));
      expect(readingOf(meter.read()).clip).toBeCloseTo(0.5, 6);
      meter.add(window(0.98));
      expect(readingOf(meter.read()).clip).toBe(0);
    },

  "meter.energy: The energy is that of the statistics, a full square wave has one unit a second":
    () => {
      const meter = createSampleMeter(RATE);
      for (let i = 0; i < 100; i += 1) meter.add(window(1));
      const { trackTotalAudioEnergy } = readingOf(meter.read());
      expect(trackTotalAudioEnergy).toBeCloseTo((100 * WINDOW) / RATE, 6);
    },
});
