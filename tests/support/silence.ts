/**
 * What a page plays to its person, sample by sample: the sounds of all its audio elements, as far as they are not muted. Finds the longest
 * silence. The other side sends a tone that never pauses (`humming`).
 */
import type { BrowserContext, Page } from "@playwright/test";

declare global {
  // Set by `watchSilence`.
  var silenceWatch: { read(): Promise<Silence> } | undefined;
}

export interface Silence {
  /** ms of the longest run of samples below the threshold. */
  readonly longest: number;
  /** ms since the beginning of the watch at which it ended. */
  readonly at: number;
  /** ms that were listened to. */
  readonly heard: number;
  /** Largest sample, 0..1. */
  readonly peak: number;
}

/** Samples below this are silence. The tone has 0.5. */
const THRESHOLD = 0.01;
/** From the first sample of this size on, silences count. */
const HEARD = 0.1;

/**
 * Runs in each page before its scripts: the microphone hums without a pause. The pitch wanders, because a steady tone counts as noise that
 * the coder need not send.
 */
export function humming(): void {
  const { mediaDevices } = navigator;
  if (mediaDevices === undefined) return;
  const original = mediaDevices.getUserMedia.bind(mediaDevices);
  mediaDevices.getUserMedia = async ({ audio, video } = {}) => {
    const tracks: MediaStreamTrack[] = [];
    if (video !== undefined && video !== false) {
      tracks.push(...(await original({ video })).getVideoTracks());
    }
    if (audio !== undefined && audio !== false) {
      const context = new AudioContext({ sampleRate: 48_000 });
      await context.resume();
      const out = context.createMediaStreamDestination();
      const tone = new OscillatorNode(context, { frequency: 400 });
      const wander = new OscillatorNode(context, { frequency: 3 });
      wander.connect(new GainNode(context, { gain: 120 })).connect(tone.frequency);
      tone.connect(new GainNode(context, { gain: 0.5 })).connect(out);
      tone.start();
      wander.start();
      tracks.push(...out.stream.getAudioTracks());
    }
    return new MediaStream(tracks);
  };
}

/** Runs in the audio thread. */
const WORKLET = `
registerProcessor("silence", class extends AudioWorkletProcessor {
  run = 0; longest = 0; at = 0; heard = 0; peak = 0;
  constructor() {
    super();
    this.port.onmessage = () =>
      this.port.postMessage({ longest: this.longest, at: this.at, heard: this.heard, peak: this.peak });
  }
  process([[samples]]) {
    const length = samples === undefined ? 128 : samples.length;
    for (let i = 0; i < length; i += 1) {
      const level = samples === undefined ? 0 : Math.abs(samples[i]);
      if (level > this.peak) this.peak = level;
      // It begins with the tone.
      if (this.peak < ${HEARD}) continue;
      this.heard += 1;
      if (level >= ${THRESHOLD}) { this.run = 0; continue; }
      this.run += 1;
      if (this.run > this.longest) { this.longest = this.run; this.at = this.heard; }
    }
    return true;
  }
});`;

/** Lets the pages of a person load the worklet, which the policy of the console forbids. Call it before the page is loaded. */
export async function allowSilence(context: BrowserContext): Promise<void> {
  await context.route("**/*", async (route) => {
    if (route.request().resourceType() !== "document") return route.fallback();
    const response = await route.fetch();
    const { "content-security-policy": _policy, ...headers } = response.headers();
    await route.fulfill({ response, headers });
  });
}

/** Begins to listen to what the page plays now and from now on. Silences count from the first sound on. */
export const watchSilence = (page: Page): Promise<void> =>
  page.evaluate(async (worklet) => {
    const context = new AudioContext({ sampleRate: 48_000 });
    await context.resume();
    const module = URL.createObjectURL(new Blob([worklet], { type: "text/javascript" }));
    await context.audioWorklet.addModule(module);
    URL.revokeObjectURL(module);
    const node = new AudioWorkletNode(context, "silence", {
      channelCount: 1,
      channelCountMode: "explicit",
      numberOfInputs: 1,
    });
    const silent = new GainNode(context, { gain: 0 });
    node.connect(silent).connect(context.destination);

    const heard = new Map<HTMLAudioElement, { source: AudioNode; gain: GainNode }>();
    const follow = (element: HTMLAudioElement): void => {
      const before = heard.get(element);
      before?.source.disconnect();
      before?.gain.disconnect();
      heard.delete(element);
      const stream = element.srcObject;
      if (!(stream instanceof MediaStream) || stream.getAudioTracks().length === 0) return;
      const source = context.createMediaStreamSource(stream);
      const gain = new GainNode(context, { gain: element.muted ? 0 : 1 });
      source.connect(gain).connect(node);
      heard.set(element, { source, gain });
    };
    const observe = (name: "srcObject" | "muted"): void => {
      const own = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, name)!;
      Object.defineProperty(HTMLMediaElement.prototype, name, {
        ...own,
        set(this: HTMLMediaElement, value: never) {
          own.set?.call(this, value);
          if (!(this instanceof HTMLAudioElement)) return;
          const known = heard.get(this);
          if (name === "srcObject") follow(this);
          else if (known !== undefined) known.gain.gain.value = this.muted ? 0 : 1;
        },
      });
    };
    observe("srcObject");
    observe("muted");
    document.querySelectorAll("audio").forEach(follow);

    const read = (): Promise<Silence> =>
      new Promise((resolve) => {
        node.port.onmessage = ({ data }: MessageEvent<Silence>) => {
          const ms = (samples: number): number => Math.round(samples / 4.8) / 10;
          const { longest, at, heard: all, peak } = data;
          resolve({ longest: ms(longest), at: ms(at), heard: ms(all), peak });
        };
        node.port.postMessage(null);
      });
    globalThis.silenceWatch = { read };
  }, WORKLET);

export const readSilence = (page: Page): Promise<Silence> =>
  page.evaluate(() => {
    const { silenceWatch } = globalThis;
    if (silenceWatch === undefined) throw new Error("nothing is listened to");
    return silenceWatch.read();
  });
