/**
 * Sound meters of a tab (docs/conferences.md#sound-meter): one audio context for all, and a worklet node for several tracks. Where the worklet
 * cannot run, an analyser measures the same windows when it is asked.
 */
import { METER_PROCESSOR } from "./processors.ts";
import {
  createSampleMeter,
  type PostedReading,
  readingOf,
  SILENT,
  type SoundReading,
  WINDOW,
} from "./reading.ts";

export interface Listener {
  /** Root mean square of the last window, 0..1. */
  level(): number;
  reading(): SoundReading;
  /** False until it measures: without a gesture the browser keeps the context suspended. */
  runs(): boolean;
  close(): void;
}

/** What a meter needs of WebAudio. Tests pass an OfflineAudioContext or a fake. */
export interface SoundPort {
  /** Null when the browser has no WebAudio. */
  readonly createContext: () => AudioContext | null;
  readonly createSource: (context: AudioContext, track: MediaStreamTrack) => AudioNode;
  /** URL of the built worklet.ts; null where there is none. */
  readonly moduleUrl: string | null;
  readonly report: (message: string) => void;
}

interface Measured {
  reading(): SoundReading;
  close(): void;
}

/** Streams per worklet node. What a node costs is mostly the call, 375 times a second, so streams share it. */
const INPUTS = 8;

interface Bank {
  readonly node: AudioWorkletNode;
  /** The last reading of each input in use. */
  readonly last: Map<number, SoundReading>;
}

/** The worklet nodes of a context. */
export function createBanks(context: BaseAudioContext): (source: AudioNode) => Measured {
  const banks = new Set<Bank>();
  const make = (): Bank => {
    // The output is silent. Without a way to the destination the browser would not run the node.
    const node = new AudioWorkletNode(context, METER_PROCESSOR, {
      numberOfInputs: INPUTS,
      numberOfOutputs: 1,
      channelCount: 1,
      channelCountMode: "explicit",
    });
    const bank: Bank = { node, last: new Map() };
    node.port.onmessage = ({ data }: MessageEvent<readonly (PostedReading | null)[]>) => {
      for (const input of bank.last.keys()) {
        const posted = data[input];
        if (posted != null) bank.last.set(input, readingOf(posted));
      }
    };
    node.connect(context.destination);
    banks.add(bank);
    return bank;
  };
  return (source) => {
    const bank = [...banks].find(({ last }) => last.size < INPUTS) ?? make();
    const { node, last } = bank;
    const input = Array.from({ length: INPUTS }, (_, i) => i).find((i) => !last.has(i)) ?? 0;
    last.set(input, SILENT);
    source.connect(node, 0, input);
    return {
      reading: () => last.get(input) ?? SILENT,
      close() {
        source.disconnect(node, 0, input);
        last.delete(input);
        node.port.postMessage(input);
        if (last.size > 0) return;
        banks.delete(bank);
        node.port.postMessage(null);
        node.port.onmessage = null;
        node.disconnect();
      },
    };
  };
}

/** Measures when it is asked. */
function analyserNode(context: BaseAudioContext, source: AudioNode): Measured {
  const analyser = context.createAnalyser();
  analyser.fftSize = WINDOW;
  source.connect(analyser);
  const meter = createSampleMeter(context.sampleRate);
  const samples = new Float32Array(WINDOW);
  return {
    reading() {
      analyser.getFloatTimeDomainData(samples);
      meter.add(samples);
      return readingOf(meter.read());
    },
    close: () => source.disconnect(analyser),
  };
}

/** @returns measures a track; null when the browser has no WebAudio */
export function createSoundMeters(port: SoundPort): (track: MediaStreamTrack) => Listener | null {
  let shared: {
    readonly context: AudioContext;
    readonly measure: Promise<(source: AudioNode) => Measured>;
    users: number;
  } | null = null;

  const measuring = async (context: AudioContext): Promise<(source: AudioNode) => Measured> => {
    const byAnalyser = (source: AudioNode): Measured => analyserNode(context, source);
    if (port.moduleUrl === null || !("audioWorklet" in context)) return byAnalyser;
    try {
      await context.audioWorklet.addModule(port.moduleUrl);
      return createBanks(context);
    } catch (error) {
      port.report(`the sound meter's worklet does not load: ${String(error)}`);
      return byAnalyser;
    }
  };
  const open = (): typeof shared => {
    if (shared === null) {
      const context = port.createContext();
      if (context === null) return null;
      shared = { context, measure: measuring(context), users: 0 };
    }
    shared.users += 1;
    // Without a sound device or a gesture the context stays suspended and the level is 0.
    shared.context.resume().catch(() => undefined);
    return shared;
  };

  return (track) => {
    const used = open();
    if (used === null) return null;
    const { context, measure } = used;
    const source = port.createSource(context, track);
    let node: Measured | null = null;
    let closed = false;
    void measure.then((begin) => {
      if (!closed) node = begin(source);
    });
    const reading = (): SoundReading => node?.reading() ?? SILENT;
    return {
      level: () => reading().instant,
      reading,
      runs: () => node !== null && context.state === "running",
      close() {
        if (closed) return;
        closed = true;
        node?.close();
        source.disconnect();
        used.users -= 1;
        if (used.users > 0) return;
        if (shared === used) shared = null;
        context.close().catch(() => undefined);
      },
    };
  };
}

/** @param moduleUrl address of the built worklet on the page's origin; null: the fallback measures */
export const browserSoundMeters = (
  moduleUrl: string | null,
  report: (message: string) => void,
): ((track: MediaStreamTrack) => Listener | null) =>
  createSoundMeters({
    // Nobody hears this context, so it may wake up rarely.
    createContext: () =>
      typeof AudioContext === "undefined" ? null : new AudioContext({ latencyHint: "playback" }),
    createSource: (context, track) => context.createMediaStreamSource(new MediaStream([track])),
    moduleUrl,
    report,
  });
