/** What a sound meter costs per stream. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "../support/fixtures.ts";

const STREAMS = 20;
const SECONDS = 120;

test("A meter costs less than 0.1 % of a core per stream", async ({ people, server }) => {
  const name = readdirSync(join(import.meta.dirname, "../../dist/assets")).find((one) =>
    /^worker-worklet-[^/]+\.js$/.test(one),
  );
  const page = await (await people.anonymous("zhangwei")).open("/login");
  /** ms that the rendering of SECONDS takes, which is the processor time of its one thread, and that of the messages. */
  const render = (meters: number): Promise<number> =>
    page.evaluate(
      async ({ url, count, seconds }) => {
        const context = new OfflineAudioContext(1, 48_000 * seconds, 48_000);
        await context.audioWorklet.addModule(url);
        const tone = new OscillatorNode(context, { frequency: 440 });
        tone.connect(context.destination);
        // As meters.ts does: eight streams share a node.
        for (let i = 0; i < count; i += 8) {
          const meter = new AudioWorkletNode(context, "sound-meter", {
            numberOfInputs: 8,
            channelCount: 1,
            channelCountMode: "explicit",
          });
          meter.port.onmessage = () => undefined;
          for (let k = i; k < Math.min(count, i + 8); k += 1) {
            const stream = new GainNode(context, { gain: 0.5 });
            tone.connect(stream).connect(meter, 0, k - i);
          }
          meter.connect(context.destination);
        }
        tone.start();
        const began = performance.now();
        await context.startRendering();
        return performance.now() - began;
      },
      { url: `${server.url}/assets/${name}`, count: meters, seconds: SECONDS },
    );
  await render(STREAMS);
  const costs: number[] = [];
  for (let i = 0; i < 3; i += 1) {
    // One meter stays in the comparison: a context with a worklet has a thread for it.
    const one = await render(1);
    const all = await render(STREAMS + 1);
    costs.push((all - one) / STREAMS / (SECONDS * 1000));
  }
  const [, median = 1] = costs.toSorted((a, b) => a - b);
  const percent = `${(median * 100).toFixed(4)} %`;
  test.info().annotations.push({ type: "per stream", description: percent });
  console.log(`      ${percent} of a core per stream`);
  expect(median).toBeLessThan(0.001);
});
