/**
 * Effects in a browser: a worker between a processor, which reads the frames of a track, and a generator, which makes a track of frames.
 * Both streams are transferred, so no frame passes the main thread. Only Chromium has processors for both kinds in a page.
 */
import { effectEventSchema, type EffectKind } from "../../shared/protocol/effects-worker.ts";
import type { EffectsPort } from "./effects.ts";

interface Breakout {
  readonly MediaStreamTrackProcessor?: new (init: { readonly track: MediaStreamTrack }) => {
    readonly readable: ReadableStream;
  };
  readonly MediaStreamTrackGenerator?: new (init: {
    readonly kind: string;
  }) => MediaStreamTrack & { readonly writable: WritableStream };
}

/** @param spawn starts the worker of an effect @returns null where the browser cannot change tracks */
export function browserEffects(spawn: (kind: EffectKind) => Worker): EffectsPort | null {
  const { MediaStreamTrackProcessor: Processor, MediaStreamTrackGenerator: Generator } =
    globalThis as Breakout;
  if (Processor === undefined || Generator === undefined) return null;
  if (typeof VideoFrame === "undefined" || typeof WebAssembly === "undefined") return null;
  return {
    can: (kind) => kind === "background" || typeof AudioData !== "undefined",
    start(kind, source, events) {
      // A clone, because stopping it ends the processor, whose stream is in the worker then. The source outlives the effect.
      const read = source.clone();
      const track = new Generator({ kind: source.kind });
      const { readable } = new Processor({ track: read });
      const worker = spawn(kind);
      worker.onmessage = (message: MessageEvent) => {
        const event = effectEventSchema.parse(message.data);
        if (event.t === "running") events.running();
        else if (event.t === "slow") events.slow();
        else if (event.t === "failed") events.failed(event.reason);
      };
      worker.onerror = (event) => {
        event.preventDefault();
        events.failed(event.message);
      };
      worker.postMessage({ readable, writable: track.writable }, [readable, track.writable]);
      return {
        track,
        close() {
          worker.terminate();
          read.stop();
          track.stop();
        },
      };
    },
  };
}
