/**
 * Entry file of the audio worklet that measures sound (docs/conferences.md#sound-meter), one processor per stream. It follows the page's
 * policy, so it is a script of the page's own origin, and it compiles nothing.
 */
import { createSampleMeter } from "./reading.ts";
import { METER_PROCESSOR, TICK_PROCESSOR } from "./processors.ts";

/** What the scope of an audio worklet has; the compiler's DOM library lacks it. */
interface WorkletScope {
  readonly sampleRate: number;
  readonly AudioWorkletProcessor: new () => { readonly port: MessagePort };
  registerProcessor(name: string, processor: unknown): void;
}
const { AudioWorkletProcessor, registerProcessor, sampleRate } =
  globalThis as unknown as WorkletScope;

/** Windows per message: six messages a second cost less than 23, and no reader looks more often. */
const WINDOWS = 4;

registerProcessor(
  METER_PROCESSOR,
  class extends AudioWorkletProcessor {
    private readonly meter = createSampleMeter(sampleRate);
    private windows = 0;
    private open = true;
    constructor() {
      super();
      this.port.onmessage = () => {
        this.open = false;
      };
    }
    process([input]: readonly (readonly Float32Array[])[]): boolean {
      const samples = input?.[0];
      if (samples !== undefined && this.meter.add(samples)) {
        this.windows += 1;
        if (this.windows % WINDOWS === 1) this.port.postMessage(this.meter.read());
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
