/** The readings of all streams of the conference that this tab carries, for who watches them. */
import type { SoundReading } from "./reading.ts";

export type OnSound = (readings: ReadonlyMap<string, SoundReading>) => void;
export interface SoundHub {
  /** Readings by stream id; the own microphone is SELF. */
  emit(readings: ReadonlyMap<string, SoundReading>): void;
  readonly watched: boolean;
  /** Called after each measurement. @returns a function that removes the handler */
  watch(handler: OnSound): () => void;
}

export function createSoundHub(): SoundHub {
  const handlers = new Set<OnSound>();
  return {
    emit(readings) {
      for (const handler of handlers) handler(readings);
    },
    get watched() {
      return handlers.size > 0;
    },
    watch(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
  };
}
