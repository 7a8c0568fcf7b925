/** The tracks that a connection receives. Each is watched for its first media. */
import type { MediaDeps } from "../deps.ts";
import type { Kind } from "../engine.ts";
import type { Tally } from "../tally.ts";
import type { ConnectionDriver } from "./driver.ts";
import { watchFirstMedia } from "./first-media.ts";

export interface RemoteMedia {
  /** The newest track of each kind. */
  readonly tracks: Readonly<Record<Kind, MediaStreamTrack | null>>;
  /** Whether a first frame or packet has arrived. */
  has(kind: Kind): boolean;
  /** Emits the first media again, for a new core. */
  replay(): void;
}

/** @param on.first receives ms since the epoch */
export function receiveMedia(
  deps: Pick<MediaDeps, "clock" | "createProbeElement" | "createStream">,
  tally: Tally,
  driver: ConnectionDriver,
  on: {
    readonly track: (track: MediaStreamTrack) => void;
    readonly first: (kind: Kind, at: number) => void;
  },
): RemoteMedia {
  const tracks: Record<Kind, MediaStreamTrack | null> = { audio: null, video: null };
  const firsts = new Map<Kind, number>();
  const watched = new Set<MediaStreamTrack>();

  driver.onClose(
    tally.listen(driver.pc, "track", (event) => {
      const { track, receiver } = event as RTCTrackEvent;
      if (driver.closed) return;
      const kind = track.kind as Kind;
      tracks[kind] = track;
      on.track(track);
      // A section that is resumed delivers its track again.
      if (watched.has(track)) return;
      watched.add(track);
      driver.onClose(
        watchFirstMedia({ ...deps, tally }, receiver, kind, (at) => {
          if (driver.closed) return;
          firsts.set(kind, at);
          on.first(kind, at);
        }),
      );
    }),
  );
  return {
    tracks,
    has: (kind) => firsts.has(kind),
    replay() {
      for (const [kind, at] of firsts) on.first(kind, at);
    },
  };
}
