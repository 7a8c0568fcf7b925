/** What the recorder needs of the browser. Tests pass fakes. */
import { browserClock } from "../clock.ts";
import { TICK_PROCESSOR } from "../sound/processors.ts";
import type { Pen } from "./drawing.ts";
import { createRecordingStore, type RecordingOwner, type RecordingStore } from "./store.ts";
import { CANVAS_RATE, type Size } from "./types.ts";

/** A picture that is drawn 25 times a second. */
export interface Canvas {
  readonly pen: Pen;
  readonly track: MediaStreamTrack;
  /** What was drawn is the next picture of the track. */
  shown(): void;
  close(): void;
}
/** The sound of all recorded streams together. */
export interface Mix {
  /** Null when the browser does not let sound play in this tab: then the segment has none. */
  readonly track: MediaStreamTrack | null;
  /** Hears exactly these tracks from now on. */
  hear(tracks: ReadonlySet<MediaStreamTrack>): void;
  /** Calls `draw` 25 times a second, in a hidden tab too. @returns a function that ends it */
  every(draw: () => void): () => void;
  close(): void;
}
export interface RecorderPort {
  /** False when the browser cannot record. */
  readonly supported: () => boolean;
  readonly supports: (type: string) => boolean;
  readonly createRecorder: (tracks: MediaStreamTrack[], type: string) => MediaRecorder;
  readonly createCanvas: (size: Size) => Canvas | null;
  readonly createMix: () => Promise<Mix>;
  readonly createVideo: () => HTMLVideoElement;
  readonly store: RecordingStore;
}

/** Chromium has it: its pictures come in a hidden tab too, unlike those of `captureStream`. */
const hasGenerator = (): boolean => "MediaStreamTrackGenerator" in globalThis;

function createCanvas({ w, h }: Size): Canvas | null {
  const canvas = document.createElement("canvas");
  canvas.width = w;
  canvas.height = h;
  const pen = canvas.getContext("2d", { alpha: false });
  if (pen === null) return null;
  if (!hasGenerator()) {
    const track = canvas.captureStream(CANVAS_RATE).getVideoTracks()[0] as MediaStreamTrack;
    return { pen, track, shown: () => undefined, close: () => track.stop() };
  }
  const track = new MediaStreamTrackGenerator({ kind: "video" });
  const writer = track.writable.getWriter();
  let busy = false;
  return {
    pen,
    track,
    shown() {
      if (busy) return;
      busy = true;
      const frame = new VideoFrame(canvas, { timestamp: Math.round(performance.now() * 1000) });
      writer
        .write(frame)
        .catch(() => frame.close())
        .finally(() => {
          busy = false;
        });
    },
    close() {
      track.stop();
      writer.close().catch(() => undefined);
    },
  };
}

/** ms that a context may need until it runs. */
const RUNNING_MS = 1000;

async function runs(context: AudioContext): Promise<boolean> {
  const started = context.resume().then(
    () => true,
    () => false,
  );
  const late = new Promise<boolean>((resolve) =>
    browserClock.after(RUNNING_MS, () => resolve(false)),
  );
  return Promise.race([started, late]);
}

async function createMix(moduleUrl: string | null): Promise<Mix> {
  const context = new AudioContext({ latencyHint: "interactive" });
  const sources = new Map<MediaStreamTrack, MediaStreamAudioSourceNode>();
  const running = await runs(context);
  const out = running ? context.createMediaStreamDestination() : null;
  // Silence is played all the time. Without any sound the recorder's audio clock would stop.
  const silence = context.createConstantSource();
  if (out !== null) {
    silence.offset.value = 0;
    silence.connect(out);
    silence.start();
  }
  const ticks =
    running && moduleUrl !== null && "audioWorklet" in context
      ? await context.audioWorklet.addModule(moduleUrl).then(
          () => true,
          () => false,
        )
      : false;
  return {
    track: out?.stream.getAudioTracks()[0] ?? null,
    hear(tracks) {
      if (out === null) return;
      for (const [track, source] of sources) {
        if (tracks.has(track) && track.readyState === "live") continue;
        source.disconnect();
        sources.delete(track);
      }
      for (const track of tracks) {
        if (sources.has(track) || track.readyState !== "live") continue;
        const source = context.createMediaStreamSource(new MediaStream([track]));
        source.connect(out);
        sources.set(track, source);
      }
    },
    every(draw) {
      if (!ticks) {
        const handle = setInterval(draw, 1000 / CANVAS_RATE);
        return () => clearInterval(handle);
      }
      const node = new AudioWorkletNode(context, TICK_PROCESSOR, {
        numberOfInputs: 0,
        numberOfOutputs: 1,
        processorOptions: { perSecond: CANVAS_RATE },
      });
      node.port.onmessage = () => draw();
      node.connect(context.destination);
      return () => {
        node.port.onmessage = null;
        node.port.postMessage(null);
        node.disconnect();
      };
    },
    close() {
      for (const source of sources.values()) source.disconnect();
      sources.clear();
      context.close().catch(() => undefined);
    },
  };
}

export const browserRecorder = (moduleUrl: string | null, owner: RecordingOwner): RecorderPort => ({
  supported: () =>
    typeof MediaRecorder !== "undefined" &&
    typeof AudioContext !== "undefined" &&
    "indexedDB" in globalThis,
  supports: (type) => MediaRecorder.isTypeSupported(type),
  createRecorder: (tracks, type) =>
    new MediaRecorder(new MediaStream(tracks), type === "" ? {} : { mimeType: type }),
  createCanvas,
  createMix: () => createMix(moduleUrl),
  createVideo() {
    const video = document.createElement("video");
    video.muted = true;
    video.playsInline = true;
    return video;
  },
  store: createRecordingStore(owner),
});
