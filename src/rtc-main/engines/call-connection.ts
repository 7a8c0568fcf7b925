/** One connection of a call: its sections for sound and picture, over the common driver. */
import type { PictureLevel } from "../../shared/domain/picture-levels.ts";
import type { CallMedia } from "../../shared/protocol/call-message.ts";
import type { ConnectionDriver } from "../connections/driver.ts";
import { receiveMedia } from "../connections/remote-media.ts";
import { withoutVideo } from "../connections/sdp.ts";
import type { MediaDeps } from "../deps.ts";
import type { Tally } from "../tally.ts";
import type { Kind, LocalTracks } from "../engine.ts";
import { limitPicture } from "./picture-limit.ts";

export interface CallConnection {
  /** Makes an offer and emits it. */
  offer(iceRestart: boolean): void;
  /** Sets a remote description. A remote offer is answered; it rolls back an own open offer. */
  description(type: "offer" | "answer", sdp: string): void;
  setTracks(tracks: LocalTracks): void;
  /** Call again when the connection is up: what was negotiated forgets it. */
  limitPicture(level: PictureLevel): void;
  /** Emits the first media again, for a new core. */
  replay(): void;
}

export interface CallConnectionEvents {
  track(track: MediaStreamTrack): void;
  /** @param at ms since the epoch */
  firstMedia(kind: Kind, at: number): void;
  /** The connection is being closed; the last picture can still be copied. */
  gone(): void;
}

/**
 * A video call always has both sections, so that a later camera needs only replaceTrack. A voice call has sound only, and makes the other
 * side's video sections inactive.
 */
export function createCallConnection(
  deps: Pick<MediaDeps, "clock" | "createProbeElement" | "createStream" | "report">,
  driver: ConnectionDriver,
  options: { readonly media: CallMedia; readonly tracks: LocalTracks; readonly tally: Tally },
  events: CallConnectionEvents,
): CallConnection {
  const { pc } = driver;
  const { media } = options;
  const sections = new Map<Kind, RTCRtpTransceiver>();
  let { tracks } = options;
  const remote = receiveMedia(deps, options.tally, driver, {
    track: events.track,
    first: events.firstMedia,
  });
  driver.onClose(events.gone);

  const send = (kind: Kind): void => {
    const section = sections.get(kind);
    if (section === undefined || section.direction === "inactive") return;
    driver.replaceTrack(section.sender, tracks[kind]);
  };
  const addSections = (): void => {
    for (const kind of ["audio", "video"] as const) {
      if (sections.has(kind) || (kind === "video" && media === "voice")) continue;
      sections.set(kind, pc.addTransceiver(tracks[kind] ?? kind, { direction: "sendrecv" }));
    }
  };
  /** After a remote offer, uses the offer's sections for the own tracks. */
  const adoptSections = (): void => {
    for (const [kind, section] of sections) {
      // The section belongs to a rolled back offer and would become a second section.
      if (section.mid !== null) continue;
      section.stop();
      sections.delete(kind);
    }
    for (const transceiver of pc.getTransceivers()) {
      if (transceiver.mid === null || transceiver.currentDirection === "stopped") continue;
      const kind = transceiver.receiver.track.kind as Kind;
      if (sections.has(kind)) continue;
      sections.set(kind, transceiver);
      transceiver.direction = kind === "video" && media === "voice" ? "inactive" : "sendrecv";
      send(kind);
    }
  };

  return {
    offer: (iceRestart) => driver.offer({ iceRestart, sections: addSections }),
    description(type, given) {
      const sdp = media === "voice" ? withoutVideo(given) : given;
      if (type === "answer") driver.acceptAnswer(sdp);
      else driver.acceptOffer(sdp, { sections: adoptSections });
    },
    setTracks(next) {
      tracks = next;
      send("audio");
      send("video");
    },
    limitPicture(level) {
      const section = sections.get("video");
      if (section !== undefined) limitPicture(section.sender, level, deps.report);
    },
    replay: () => remote.replay(),
  };
}
