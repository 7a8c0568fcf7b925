/**
 * Sound meters of a tab (docs/conferences.md#sound-meter): one audio context for all, and a worklet node per track. Where the worklet
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

/** Adds the node that measures `source`. @returns the last reading, and a function that removes the node */
export function meterNode(
  context: BaseAudioContext,
  source: AudioNode,
): { reading(): SoundReading; close(): void } {
  let last = SILENT;
  // The output is silent. Without a way to the destination the browser would not run the node.
  const node = new AudioWorkletNode(context, METER_PROCESSOR, {
    numberOfInputs: 1,
    numberOfOutputs: 1,
    channelCount: 1,
    channelCountMode: "explicit",
  });
  node.port.onmessage = ({ data }: MessageEvent<PostedReading>) => {
    last = readingOf(data);
  };
  source.connect(node);
  node.connect(context.destination);
  return {
    reading: () => last,
    close() {
      node.port.postMessage(null);
      node.port.onmessage = null;
      source.disconnect(node);
      node.disconnect();
    },
  };
}

/** Measures when it is asked. */
function analyserNode(
  context: BaseAudioContext,
  source: AudioNode,
): { reading(): SoundReading; close(): void } {
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
  let shared: { context: AudioContext; module: Promise<boolean>; users: number } | null = null;

  const loaded = async (context: AudioContext): Promise<boolean> => {
    if (port.moduleUrl === null || !("audioWorklet" in context)) return false;
    try {
      await context.audioWorklet.addModule(port.moduleUrl);
      return true;
    } catch (error) {
      port.report(`the sound meter's worklet does not load: ${String(error)}`);
      return false;
    }
  };
  const open = (): typeof shared => {
    if (shared === null) {
      const context = port.createContext();
      if (context === null) return null;
      shared = { context, module: loaded(context), users: 0 };
    }
    shared.users += 1;
    // Without a sound device or a gesture the context stays suspended and the level is 0.
    shared.context.resume().catch(() => undefined);
    return shared;
  };

  return (track) => {
    const used = open();
    if (used === null) return null;
    const { context, module } = used;
    const source = port.createSource(context, track);
    let node: { reading(): SoundReading; close(): void } | null = null;
    let closed = false;
    void module.then((works) => {
      if (!closed) node = works ? meterNode(context, source) : analyserNode(context, source);
    });
    const reading = (): SoundReading => node?.reading() ?? SILENT;
    return {
      level: () => reading().instant,
      reading,
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
