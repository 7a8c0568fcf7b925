/** Recording, pictures, and what a page hears about sound and transmission (docs/conferences.md#recording, docs/conferences.md#sound-meter). */
import { STREAM_TYPE } from "../../shared/domain/conference-types.ts";
import { AppError } from "../../shared/errors.ts";
import {
  capturePicture,
  type Recordings,
  savePicture,
  SCREEN,
  SELF,
} from "../../rtc-main/index.ts";
import { type Face, requireJoined, requireStream, streamIdOf } from "./context.ts";
import type { Stream, StreamRef } from "./contracts.ts";
import { refusal } from "./refuse.ts";
import type { SoundReading, TransmissionCount } from "../../rtc-main/index.ts";

/** Reads what a stream's connection carries, about once a second. */
export interface TransmissionHelper {
  /**
   * @param read the statistics of the stream's tracks
   * @returns a function that ends it
   */
  watch(
    read: () => Promise<TransmissionSample[]>,
    handler: OnTransmission,
    everyMs: number,
  ): () => void;
}
/** Counters of a track since its connection began. */
export type TransmissionSample = TransmissionCount;
/** `type` is the direction, `subtype` the kind; `data` counts since the last call. */
export type OnTransmission = (
  trackId: string,
  type: "inbound" | "outbound",
  subtype: "audio" | "video",
  data: { readonly bytesPerSecond: number; readonly packetsLostPerSecond: number },
) => void;
export type OnSoundChanged = (reading: SoundReading, stream: Stream) => void;

export interface RecordingApi {
  /**
   * Records the whole conference, or one stream, in this browser. All members see it. Rejects 'record requires a linked stream' before
   * media flow, and for the role audience.
   *
   * @returns the recording's id
   */
  startRecord(stream?: StreamRef): Promise<string>;
  /** Pauses the recording: the pause takes no time in the file. */
  pauseRecord(): Promise<void>;
  /** Ends `pauseRecord`. */
  resumeRecord(): Promise<void>;
  /**
   * Ends the recording. @returns the file, and the name under which `save` downloads it. It stays in the browser until it is saved or
   * discarded by `recordings`.
   */
  stopRecord(): Promise<{ readonly id: string; readonly file: Blob; readonly name: string }>;
  /** Recordings that this browser keeps. */
  readonly recordings: Recordings;
  /**
   * The picture that an element shows, own or another's, as `data:image/png;base64,…`.
   *
   * @param storeLocal also downloads it
   * @param fileName default: capture and the time
   */
  captureVideo(
    what: StreamRef | HTMLVideoElement,
    storeLocal?: boolean,
    fileName?: string,
  ): Promise<string>;
  /**
   * Calls the handler with the sound of the element's stream, every `getMediaMeterIntervalMillis`, and dispatches `onSoundChanged` on the
   * element.
   *
   * @returns a function that ends it. @throws when the interval is not greater than 0
   */
  onSoundChanged(tag: HTMLVideoElement, handler?: OnSoundChanged): () => void;
  /** Loads what `onMediaTransmission` needs: the module conference-helper of the library. */
  useHelper(helper: TransmissionHelper): void;
  /** Calls the handler about once a second with what the element's stream transmits. Without the helper it only warns. */
  onMediaTransmission(tag: HTMLVideoElement, handler: OnTransmission): () => void;
}

/** `detail` of the event captureVideo, which downloads the picture unless it says otherwise. */
interface CaptureDetail {
  readonly storeLocal?: boolean;
  readonly fileName?: string;
}

const METER_OFF = "monit sound chanaged not config. please config getMediaMeterIntervalMillis";
const NO_HELPER = "please import helper. <script>";
const NOTHING = (): void => undefined;

export function createRecording(face: Face): RecordingApi {
  const { core, media, warn, recordings } = face.deps;
  const { commands } = core;
  let helper: TransmissionHelper | null = null;

  /** By what name the media half knows the stream. */
  const mediaIdOf = (stream: Stream): string =>
    !stream.located() ? stream.id : stream.type === STREAM_TYPE.screen ? SCREEN : SELF;
  const shownBy = (tag: HTMLVideoElement): Stream | null => {
    const id = face.tags.streamIdOf(tag);
    return id === null ? null : (face.view().streams.get(id) ?? null);
  };
  const tagFor = (what: StreamRef | HTMLVideoElement): HTMLVideoElement => {
    if (typeof what === "object" && "srcObject" in what) return what;
    const tag = face.tags.tagOf(streamIdOf(what));
    if (tag === null) throw refusal("badStream");
    return tag;
  };

  const api: RecordingApi = {
    recordings,
    async startRecord(ref) {
      requireJoined(face);
      const streamId = ref === undefined ? undefined : requireStream(face, ref).id;
      const { id } = await commands.record(streamId === undefined ? {} : { streamId });
      return id;
    },
    async pauseRecord() {
      await commands.pauseRecording({ on: true });
    },
    async resumeRecord() {
      await commands.pauseRecording({ on: false });
    },
    async stopRecord() {
      const { id } = await commands.stopRecording({});
      return { id, ...(await recordings.file(id)) };
    },
    async captureVideo(what, storeLocal = false, fileName = "capture") {
      const picture = await capturePicture(tagFor(what));
      if (storeLocal) savePicture(picture, fileName, face.deps.now());
      return picture.url;
    },
    onSoundChanged(tag, handler = NOTHING) {
      if (media.meterMillis() <= 0) {
        throw new AppError("conference.invalid", {
          message: METER_OFF,
          details: { text: METER_OFF },
        });
      }
      return media.onSound((readings) => {
        const stream = shownBy(tag);
        const reading = stream === null ? undefined : readings.get(mediaIdOf(stream));
        if (stream === null || reading === undefined) return;
        handler(reading, stream);
        tag.dispatchEvent(new CustomEvent("onSoundChanged", { detail: { reading, stream } }));
      });
    },
    useHelper(given) {
      helper = given;
    },
    onMediaTransmission(tag, handler) {
      if (helper === null) {
        warn(NO_HELPER);
        return NOTHING;
      }
      const read = async (): Promise<TransmissionSample[]> => {
        const stream = shownBy(tag);
        return stream === null ? [] : media.transmission(mediaIdOf(stream));
      };
      const type = (): "inbound" | "outbound" =>
        shownBy(tag)?.located() === true ? "outbound" : "inbound";
      return helper.watch(
        read,
        (trackId, _direction, subtype, data) => {
          handler(trackId, type(), subtype, data);
          const detail = { trackId, type: type(), subtype, data };
          tag.dispatchEvent(new CustomEvent("onMediaTransmission", { detail }));
        },
        1000,
      );
    },
  };
  face.tagHandlers.register("captureVideo", (streamId, detail) => {
    const { storeLocal = true, fileName } = (detail ?? {}) as CaptureDetail;
    return api.captureVideo(streamId, storeLocal, fileName);
  });
  return api;
}
