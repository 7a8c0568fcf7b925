/** How loud a track is, by WebAudio: for browsers whose statistics do not say it of the own microphone (Firefox). */

export interface Listener {
  /** 0..1, of the last few milliseconds. */
  level(): number;
  close(): void;
}

/** Root mean square, which is what the audioLevel of the statistics is too. */
export const loudness = (samples: Float32Array): number =>
  Math.sqrt(samples.reduce((sum, one) => sum + one * one, 0) / Math.max(1, samples.length));

/** @returns null where there is no WebAudio */
export function listenTo(track: MediaStreamTrack): Listener | null {
  if (typeof AudioContext === "undefined") return null;
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  context.createMediaStreamSource(new MediaStream([track])).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  // without a sound device it stays suspended, and the level 0
  context.resume().catch(() => undefined);
  return {
    level() {
      analyser.getFloatTimeDomainData(samples);
      return loudness(samples);
    },
    close: () => void context.close().catch(() => undefined),
  };
}

/** Listens to one track at a time, from the first look at it on. */
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
