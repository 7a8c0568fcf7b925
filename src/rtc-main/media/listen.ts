/** Measures a track's loudness by WebAudio, for browsers whose statistics lack it for the own microphone (Firefox). */

export interface Listener {
  /** Level over the last few milliseconds, 0..1. */
  level(): number;
  close(): void;
}

/** Root mean square, like `audioLevel` in the statistics. */
export const loudness = (samples: Float32Array): number =>
  Math.sqrt(samples.reduce((sum, one) => sum + one * one, 0) / Math.max(1, samples.length));

/** @returns null when the browser has no WebAudio */
export function listenTo(track: MediaStreamTrack): Listener | null {
  if (typeof AudioContext === "undefined") return null;
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  context.createMediaStreamSource(new MediaStream([track])).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  // Without a sound device the context stays suspended and the level is 0.
  context.resume().catch(() => undefined);
  return {
    level() {
      analyser.getFloatTimeDomainData(samples);
      return loudness(samples);
    },
    close: () => void context.close().catch(() => undefined),
  };
}

/** Listens to one track at a time, starting with the first call of `level`. */
export function createOwnListener(listen: (track: MediaStreamTrack) => Listener | null): {
  level(track: MediaStreamTrack): number;
  close(): void;
} {
  let now: { track: MediaStreamTrack; listener: Listener | null } | null = null;
  const close = (): void => {
    now?.listener?.close();
    now = null;
  };
  return {
    level(track) {
      if (now?.track !== track) {
        close();
        now = { track, listener: listen(track) };
      }
      return now.listener?.level() ?? 0;
    },
    close,
  };
}
