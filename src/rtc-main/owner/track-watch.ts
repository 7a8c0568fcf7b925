/** Who watches the tracks of the streams in this tab (docs/conferences.md#library). */
import { SELF } from "../conference/streams.ts";
import type { LocalTracks } from "../engine.ts";

export interface TrackWatch {
  /** The tracks of a stream changed: its id, SELF or SCREEN. */
  changed(id: string): void;
  /** Reports SELF when the own tracks are others than at the last look. */
  lookAtOwn(): void;
  /** @returns a function that removes the handler */
  onTracks(handler: (id: string) => void): () => void;
  clear(): void;
}

export function createTrackWatch(own: () => LocalTracks): TrackWatch {
  const handlers = new Set<(id: string) => void>();
  let last: LocalTracks = { audio: null, video: null };
  const changed = (id: string): void => {
    for (const handler of handlers) handler(id);
  };
  return {
    changed,
    lookAtOwn() {
      const now = own();
      if (now.audio === last.audio && now.video === last.video) return;
      last = now;
      changed(SELF);
    },
    onTracks(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    clear: () => handlers.clear(),
  };
}
