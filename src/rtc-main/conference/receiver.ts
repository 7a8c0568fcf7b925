/** Receives another member's stream: the node offers it and this tab answers. */
import type { ConfrCommand } from "../../shared/protocol/confr-media.ts";
import type { MediaDeps } from "../deps.ts";
import type { Kind } from "../engines/engine.ts";
import { watchFirstMedia } from "../connections/first-media.ts";
import type { Tally } from "../tally.ts";
import type { ConferenceConnection } from "./connection.ts";
import { askRoundTrip } from "./round-trip.ts";

export type SubscribeCommand = Extract<ConfrCommand, { t: "subscribe" }>;

export interface Receiver {
  readonly streamId: string;
  readonly link: ConferenceConnection;
  /** The received tracks of the subscribed kinds. */
  readonly tracks: Readonly<Record<Kind, MediaStreamTrack | null>>;
  /** Whether a first frame or packet has arrived. */
  has(kind: Kind): boolean;
  offer(command: SubscribeCommand): void;
  replay(): void;
}

export function createReceiver(
  deps: Pick<MediaDeps, "clock" | "createProbeElement" | "createStream">,
  tally: Tally,
  link: ConferenceConnection,
  streamId: string,
  on: {
    /** Tracks were added or removed, or their media began to flow. */
    readonly changed: () => void;
    readonly first: (kind: Kind, at: number) => void;
  },
): Receiver {
  const seen = new Set<MediaStreamTrack>();
  const arrived: Record<Kind, MediaStreamTrack | null> = { audio: null, video: null };
  const wanted: Record<Kind, boolean> = { audio: true, video: true };
  const firsts = new Map<Kind, number>();

  link.onClose(
    tally.listen(link.pc, "track", (event) => {
      const { track, receiver } = event as RTCTrackEvent;
      const kind = track.kind as Kind;
      arrived[kind] = track;
      if (!seen.has(track)) {
        seen.add(track);
        link.onClose(
          watchFirstMedia({ ...deps, tally }, receiver, kind, (at) => {
            if (link.closed) return;
            firsts.set(kind, at);
            on.changed();
            on.first(kind, at);
          }),
        );
      }
      on.changed();
    }),
  );

  return {
    streamId,
    link,
    get tracks() {
      return {
        audio: wanted.audio ? arrived.audio : null,
        video: wanted.video ? arrived.video : null,
      };
    },
    has: (kind) => firsts.has(kind),
    offer(command) {
      link.run("subscribe", async () => {
        wanted.audio = command.audio;
        wanted.video = command.video;
        await link.remote("offer", command.sdp);
        if (link.closed) return;
        const answer = await link.pc.createAnswer();
        if (link.closed) return;
        const sdp = askRoundTrip(answer.sdp ?? "", command.sdp);
        await link.tell({ type: "answer", sdp }, false);
        on.changed();
      });
    },
    replay() {
      link.replay();
      for (const [kind, at] of firsts) on.first(kind, at);
    },
  };
}
