/** The tracks of streams, and how their sound is heard in this tab (docs/conferences.md#own-tracks-and-bitrates). */
import { STREAM_TYPE } from "../../shared/domain/conference-types.ts";
import { AppError } from "../../shared/errors.ts";
import { trackConstraintsSchema } from "../../shared/protocol/confr-publish.ts";
import { SCREEN, SELF } from "../../rtc-main/index.ts";
import { type Face, requireStream } from "./context.ts";
import type { Stream, StreamRef } from "./contracts.ts";
import { failingAs } from "./failures.ts";
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
  /**
   * Opens the own camera or microphone again for another picture or sound (size, pictures per second, echo cancellation …), without a new
   * connection. It holds for devices that open later, in whichever tab. Call it in the tab that carries the media.
   *
   * @param constraints beside those of `publish`; use `changeCamera` for another device
   *
   * Rejects with request.invalid, and with media.* for what the device cannot give or for a track of the page. Then `details` have
   * `error` (-203) and `errorType`, and nothing has changed.
   */
  changeConstraints(kind: "audio" | "video", constraints: MediaTrackConstraints): Promise<void>;
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
    async changeConstraints(kind, asked) {
      const { deviceId, facingMode, groupId, ...rest } = asked;
      const parsed = trackConstraintsSchema.safeParse(rest);
      const namesDevice = [deviceId, facingMode, groupId].some((one) => one !== undefined);
      if (!parsed.success || namesDevice) {
        throw new AppError("request.invalid", { details: { field: kind } });
      }
      const wanted = parsed.data as MediaTrackConstraints;
      await failingAs("constraints", () => media.constrain(kind, wanted));
      await face.deps.core.commands.constrain({ kind, constraints: parsed.data });
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
