/** Receives another member's stream: this tab offers and the node answers, or makes an offer of its own. */
import type { ConferenceMediaCommand } from "../../shared/protocol/confr-media.ts";
import type { ConnectionDriver } from "../connections/driver.ts";
import { receiveMedia } from "../connections/remote-media.ts";
import type { MediaDeps } from "../deps.ts";
import type { Kind } from "../engine.ts";
import type { Tally } from "../tally.ts";
import type { Metered } from "../sound/stream-meters.ts";
import { packetLevel, receivedLevel } from "../sound/meter.ts";
import { askRoundTrip } from "./round-trip.ts";

export type SubscribeCommand = Extract<ConferenceMediaCommand, { t: "subscribe" }>;

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
  /** The received sound, as meters need it. */
  metered(): Metered;
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
  let hasLevels = false;
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
    metered() {
      const track = wanted.audio ? remote.tracks.audio : null;
      const sounds = () => driver.pc.getReceivers().filter((one) => one.track.kind === "audio");
      return {
        track,
        async level() {
          const levels = sounds()
            .map(packetLevel)
            .filter((level) => level !== null);
          hasLevels ||= levels.length > 0;
          // A stream that is muted has no packets.
          return hasLevels && track !== null ? Math.max(0, ...levels) : null;
        },
        statistics: async () => Math.max(0, ...(await Promise.all(sounds().map(receivedLevel)))),
      };
    },
    replay: remote.replay,
  };
}
