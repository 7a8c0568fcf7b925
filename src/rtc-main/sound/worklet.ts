/**
 * Entry file of the audio worklet that measures sound (docs/conferences.md#sound-meter), several streams in a processor. It follows the page's
 * policy, so it is a script of the page's own origin, and it compiles nothing.
 */
import { createSampleMeter, type SampleMeter, WINDOW } from "./reading.ts";
import { METER_PROCESSOR, TICK_PROCESSOR } from "./processors.ts";

/** What the scope of an audio worklet has; the compiler's DOM library lacks it. */
interface WorkletScope {
  readonly sampleRate: number;
  readonly AudioWorkletProcessor: new () => { readonly port: MessagePort };
  registerProcessor(name: string, processor: unknown): void;
}
// The types are those of a page; a worklet has this scope instead.
const { AudioWorkletProcessor, registerProcessor, sampleRate } =
  globalThis as unknown as WorkletScope;

/** Samples per message: six messages a second cost less than 375, and no reader looks more often. */
const POSTED = 4 * WINDOW;

/** Measures each of its inputs. A message from the page is the index of an input that begins from zero, or null at the end. */
registerProcessor(
  METER_PROCESSOR,
  class extends AudioWorkletProcessor {
    private readonly meters: (SampleMeter | null)[] = [];
    private count = 0;
    private open = true;
    constructor() {
      super();
      this.port.onmessage = ({ data }: MessageEvent<number | null>) => {
        if (data === null) this.open = false;
        else this.meters[data] = null;
      };
    }
    process(inputs: readonly (readonly Float32Array[])[]): boolean {
      let length = 128;
      for (let i = 0; i < inputs.length; i += 1) {
        const samples = inputs[i]?.[0];
        if (samples === undefined) continue;
        length = samples.length;
        (this.meters[i] ??= createSampleMeter(sampleRate)).add(samples);
      }
      this.count += length;
      if (this.count >= POSTED) {
        this.count -= POSTED;
        this.port.postMessage(this.meters.map((meter) => meter?.read() ?? null));
      }
      return this.open;
    }
  },
);

/** Says when a picture is due: the clock of the sound is not throttled in a hidden tab. */
registerProcessor(
  TICK_PROCESSOR,
  class extends AudioWorkletProcessor {
    private readonly period: number;
    private count = 0;
    private open = true;
    constructor({ processorOptions }: { processorOptions: { perSecond: number } }) {
      super();
      this.period = sampleRate / processorOptions.perSecond;
      this.port.onmessage = () => {
        this.open = false;
      };
    }
    process(_: unknown, [output]: readonly (readonly Float32Array[])[]): boolean {
      this.count += output?.[0]?.length ?? 128;
      if (this.count >= this.period) {
        this.count -= this.period;
        this.port.postMessage(null);
      }
      return this.open;
    }
  },
);
