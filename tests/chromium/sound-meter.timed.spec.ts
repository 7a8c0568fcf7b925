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
        for (let i = 0; i < count; i += 1) {
          const meter = new AudioWorkletNode(context, "sound-meter");
          meter.port.onmessage = () => undefined;
          tone.connect(meter).connect(context.destination);
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
