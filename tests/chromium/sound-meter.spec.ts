/** The built worklet measures known signals in a real browser. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import type { SoundReading } from "../../src/rtc-main/sound/reading.ts";
import { expect, test } from "../support/fixtures.ts";

/** Renders a sine of this amplitude through the worklet. @returns its last reading */
function measure(page: Page, script: string, amplitude: number): Promise<number[]> {
  return page.evaluate(
    async ({ url, height }) => {
      const context = new OfflineAudioContext(1, 48_000, 48_000);
      await context.audioWorklet.addModule(url);
      const tone = new OscillatorNode(context, { frequency: 440 });
      const gain = new GainNode(context, { gain: height });
      const meter = new AudioWorkletNode(context, "sound-meter");
      let last: number[] = [];
      meter.port.onmessage = ({ data }) => {
        last = (data as number[][])[0] ?? last;
      };
      tone.connect(gain).connect(meter).connect(context.destination);
      tone.start();
      await context.startRendering();
      await new Promise((resolve) => setTimeout(resolve, 100));
      return last;
    },
    { url: script, height: amplitude },
  );
}
const reading = ([instant = 0, slow = 0, clip = 0, energy = 0]: number[]): Omit<
  SoundReading,
  "trackAudioLevel" | "trackTotalAudioEnergy"
> & { energy: number } => ({ instant, slow, clip, energy });
const decibels = (ratio: number): number => 20 * Math.log10(ratio);

test("The meter is within 1 dB of a known sine, and counts what is clipped", async ({
  people,
  server,
}) => {
  const name = readdirSync(join(import.meta.dirname, "../../dist/assets")).find((one) =>
    /^worker-worklet-[^/]+\.js$/.test(one),
  );
  expect(name).toBeDefined();
  const page = await (await people.anonymous("zhangwei")).open("/login");
  const script = `${server.url}/assets/${name}`;
  for (const amplitude of [1, 0.5, 0.1, 0.01, 0.001]) {
    const { instant, clip, energy, slow } = reading(await measure(page, script, amplitude));
    const error = decibels(instant / (amplitude / Math.SQRT2));
    test.info().annotations.push({ type: `at ${amplitude}`, description: `${error} dB` });
    expect(Math.abs(error)).toBeLessThan(1);
    // A sine is above 0.99 of its height for 9 % of the time.
    expect(clip).toBeCloseTo(amplitude === 1 ? 0.09 : 0, 1);
    // Energy grows with the square of the height. The last reading lies some windows before the end of the second.
    expect(10 * Math.log10(energy / ((amplitude * amplitude) / 2))).toBeGreaterThan(-1);
    expect(slow).toBeGreaterThan(0.6 * instant);
    expect(slow).toBeLessThan(instant);
  }
});
