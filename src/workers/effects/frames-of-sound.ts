/** Cuts sound into frames of a fixed length, whatever lengths it arrives in. */

export interface SoundFrames {
  /** @param timestamp of the first sample, µs @returns the frames that are whole now */
  add(
    samples: Float32Array,
    timestamp: number,
  ): readonly { readonly samples: Float32Array<ArrayBuffer>; readonly timestamp: number }[];
}

export function createSoundFrames(length: number, sampleRate: number): SoundFrames {
  let waiting = new Float32Array(length);
  let count = 0;
  return {
    add(samples, timestamp) {
      const whole: { samples: Float32Array<ArrayBuffer>; timestamp: number }[] = [];
      // The samples that waited came before.
      let time = timestamp - (count * 1e6) / sampleRate;
      for (let at = 0; at < samples.length;) {
        const taken = Math.min(length - count, samples.length - at);
        waiting.set(samples.subarray(at, at + taken), count);
        at += taken;
        count += taken;
        if (count < length) break;
        whole.push({ samples: waiting, timestamp: Math.round(time) });
        time += (length * 1e6) / sampleRate;
        waiting = new Float32Array(length);
        count = 0;
      }
      return whole;
    },
  };
}
