/** The sound of all that a mixer sends back over the connection of the own mixer stream (docs/conferences.md#mixer-streams). */
import { MIX_STREAM_ID } from "../../shared/domain/conference-types.ts";
import type { ConnectionDriver } from "../connections/driver.ts";
import type { Tally } from "../tally.ts";
import type { StreamElements } from "./streams.ts";

/** Plays it in a hidden element of its own, until the connection closes or a later one brings it. */
export function playMix(
  tally: Tally,
  driver: ConnectionDriver,
  streams: Pick<StreamElements, "playAudio" | "soundOf">,
): void {
  let played: MediaStreamTrack | null = null;
  driver.onClose(
    tally.listen(driver.pc, "track", (event) => {
      const { track } = event as RTCTrackEvent;
      if (driver.closed || track.kind !== "audio") return;
      played = track;
      streams.playAudio(MIX_STREAM_ID, track);
    }),
  );
  driver.onClose(() => {
    if (played !== null && streams.soundOf(MIX_STREAM_ID) === played) {
      streams.playAudio(MIX_STREAM_ID, null);
    }
  });
}
