/** The tracks of streams, and how their sound is heard in this tab (docs/conferences.md#own-tracks-and-bitrates). */
import { STREAM_TYPE } from "../../shared/domain/conference-types.ts";
import { AppError } from "../../shared/errors.ts";
import { SCREEN, SELF } from "../../rtc-main/index.ts";
import { type Face, requireStream } from "./context.ts";
import type { Stream, StreamRef } from "./contracts.ts";
import { refusal } from "./refuse.ts";
import type { LocalTracks } from "./typed-events.ts";

export interface TracksApi {
  /**
   * The tracks of a stream in this tab now. Null per kind that does not flow, and while another tab carries the media. They change:
   * listen to `onTracksChanged`. The library stops them; clone a track that must outlive the stream.
   */
  tracksOf(stream: StreamRef): LocalTracks;
  /**
   * Sends another track of the page in place of the one that `publish` got. Rejects when the stream is not published with an own track
   * of this kind from this tab.
   */
  changeTrack(kind: "audio" | "video", track: MediaStreamTrack): void;
  /** How loud another's stream plays in this tab, 0..1. It holds until it is changed. Throws request.invalid out of these limits. */
  setVolume(stream: StreamRef, volume: number): void;
  /**
   * Plays the sound of another's stream in an element of the page, in place of a hidden one.
   *
   * @returns a function that gives the element back
   */
  streamBindAudio(stream: StreamRef, audioTag: HTMLAudioElement): () => void;
  /** Plays all sound on another output device. Rejects with media.no-device when the browser cannot, and keeps the former one. */
  changeSpeaker(deviceId: string): Promise<void>;
}

/** The name of the stream in this tab's media. */
const nameOf = ({ id, type, located }: Stream): string =>
  located() ? (type === STREAM_TYPE.screen ? SCREEN : SELF) : id;

export function createTracks(face: Face): TracksApi & {
  /** The tracks with this name in the tab's media changed. */
  changed(name: string): void;
} {
  const { media } = face.deps;
  const others = (ref: StreamRef): Stream => {
    const stream = requireStream(face, ref);
    if (stream.located()) throw refusal("badStream");
    return stream;
  };
  const read = (stream: Stream): LocalTracks => ({ ...media.tracksOf(nameOf(stream)) });
  return {
    tracksOf: (ref) => read(requireStream(face, ref)),
    changeTrack(kind, track) {
      if (!face.ownKinds.has(kind)) throw refusal("noOwnTrack", { kind });
      if (track.kind !== kind || track.readyState === "ended") throw refusal("badTrack", { kind });
      media.provideTracks({ [kind]: track });
    },
    setVolume(ref, volume) {
      if (!(volume >= 0 && volume <= 1)) {
        throw new AppError("request.invalid", { details: { field: "volume" } });
      }
      media.setVolume(others(ref).id, volume);
    },
    streamBindAudio: (ref, tag) => media.bindSound(others(ref).id, tag),
    changeSpeaker: (deviceId) => media.changeDevice("audiooutput", deviceId),
    changed(name) {
      for (const stream of face.view().streams.values()) {
        if (nameOf(stream) === name) face.emitter.emit("onTracksChanged", stream, read(stream));
      }
    },
  };
}
