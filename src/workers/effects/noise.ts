/**
 * Entry file of the worker that takes the noise out of the own sound. It is no AudioWorklet: a worklet follows the policy of the page,
 * which lets no WebAssembly run.
 */
import { listen } from "./flow.ts";
import { createSoundFrames } from "./frames-of-sound.ts";
import { FRAME, loadRnnoise, SAMPLE_RATE } from "./rnnoise.ts";

/** The mean time of 10 ms of sound above which the machine does not keep up, ms. */
const LIMIT_MS = 5;
const WEIGHT = 0.01;

listen<AudioData>(async () => {
  const clean = await loadRnnoise();
  const cut = createSoundFrames(FRAME, SAMPLE_RATE);
  let mean = 0;
  return {
    get isSlow() {
      return mean > LIMIT_MS;
    },
    async change(data) {
      const start = performance.now();
      const { timestamp, sampleRate, numberOfFrames } = data;
      if (sampleRate !== SAMPLE_RATE) {
        data.close();
        throw new Error(`sound of ${sampleRate} samples a second cannot be changed`);
      }
      const samples = new Float32Array(numberOfFrames);
      data.copyTo(samples, { planeIndex: 0, format: "f32-planar" });
      data.close();
      const frames = cut.add(samples, timestamp).map((frame) => {
        clean(frame.samples);
        return new AudioData({
          format: "f32-planar",
          sampleRate: SAMPLE_RATE,
          numberOfFrames: FRAME,
          numberOfChannels: 1,
          timestamp: frame.timestamp,
          data: frame.samples,
        });
      });
      const ms = performance.now() - start;
      mean += (ms - mean) * WEIGHT;
      return { frames, ms };
    },
  };
});
