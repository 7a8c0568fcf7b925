/** Receives another member's stream: this tab offers and the node answers, or makes an offer of its own. */
import type { ConfrCommand } from "../../shared/protocol/confr-media.ts";
import type { ConnectionDriver } from "../connections/driver.ts";
import { receiveMedia } from "../connections/remote-media.ts";
import type { MediaDeps } from "../deps.ts";
import type { Kind } from "../engines/engine.ts";
import type { Tally } from "../tally.ts";
import { receivedLevel } from "./meter.ts";
import { askRoundTrip } from "./round-trip.ts";

export type SubscribeCommand = Extract<ConfrCommand, { t: "subscribe" }>;

export interface Receiver {
  readonly streamId: string;
  /** The received tracks of the subscribed kinds. */
  readonly tracks: Readonly<Record<Kind, MediaStreamTrack | null>>;
  /** Whether a first frame or packet has arrived. */
  has(kind: Kind): boolean;
  offer(command: SubscribeCommand): void;
  answer(sdp: string): void;
  /** Answers an offer that the node made in place of an answer. */
  counter(sdp: string): void;
  /** Level of the received sound, 0..1. */
  level(): Promise<number>;
  replay(): void;
}

export function createReceiver(
  deps: Pick<MediaDeps, "clock" | "createProbeElement" | "createStream">,
  tally: Tally,
  driver: ConnectionDriver,
  streamId: string,
  on: {
    /** Tracks were added or removed, or their media began to flow. */
    readonly changed: () => void;
    readonly first: (kind: Kind, at: number) => void;
  },
): Receiver {
  const wanted: Record<Kind, boolean> = { audio: true, video: true };
  const remote = receiveMedia(deps, tally, driver, {
    track: on.changed,
    first(kind, at) {
      on.changed();
      on.first(kind, at);
    },
  });

  return {
    streamId,
    get tracks() {
      const { audio, video } = remote.tracks;
      return { audio: wanted.audio ? audio : null, video: wanted.video ? video : null };
    },
    has: remote.has,
    offer({ audio, video, restart }) {
      Object.assign(wanted, { audio, video });
      driver.offer({
        iceRestart: restart,
        sections() {
          if (driver.pc.getTransceivers().length > 0) return;
          // Both kinds, so that what is subscribed can change without another offer.
          for (const kind of ["audio", "video"]) {
            driver.pc.addTransceiver(kind, { direction: "recvonly" });
          }
        },
        edit: askRoundTrip,
      });
    },
    answer: (sdp) => driver.acceptAnswer(sdp, on.changed),
    counter: (sdp) => driver.acceptOffer(sdp, { edit: askRoundTrip, answered: on.changed }),
    async level() {
      const levels = driver.pc
        .getReceivers()
        .filter(({ track }) => track.kind === "audio")
        .map(receivedLevel);
      return Math.max(0, ...(await Promise.all(levels)));
    },
    replay: remote.replay,
  };
}
