/** What a host page may say about an own stream (docs/conferences.md#own-tracks-and-bitrates), as the core and this tab need it. */
import { STREAM_TYPE } from "../../shared/domain/conference-types.ts";
import { AppError } from "../../shared/errors.ts";
import {
  type CaptureSources,
  captureSourcesSchema,
  type PublishSettings,
  publishSettingsSchema,
} from "../../shared/protocol/confr-publish.ts";
import type { VideoCodec } from "../../shared/protocol/confr-model.ts";
import { refusal } from "./refuse.ts";

/** Names, units and limits of the platform's specification. Bitrates in kbit/s: 30 to 20,000 for the picture, 6 to 510 for the sound. */
export interface SendOptions {
  /** At most this much; congestion may reduce it. */
  readonly maxVideoBitrate?: number;
  readonly maxAudioBitrate?: number;
  /** Exactly this much, whatever the network carries. Browsers other than Chromium read it as maxVideoBitrate. */
  readonly forceVideoBitrate?: number;
  /** At least this much (Chromium). */
  readonly forceMinVideoBitrate?: number;
  readonly forceAudioBitrate?: number;
  /** Codecs of the picture, best first. Those that the browser cannot send are left out. */
  readonly codecs?: readonly VideoCodec[];
  /** Whether silence is sent in few packets. Default: as the server asks. */
  readonly dtx?: boolean;
}

export interface PublishOptions extends SendOptions {
  /**
   * Publishes an audio-mixer stream (type 2) in place of camera and microphone. The platform's mixer receives the sound and sends back the mix
   * of all members, which plays in a hidden element. It then defaults `video` to false. On a platform without a mixer, other members do not
   * receive the sound (docs/conferences.md#mixer-streams). Default: false; where the server mixes, `publish` does so by itself.
   */
  readonly audioMixer?: boolean;
  /**
   * false: off from the start. Constraints: the microphone opens with them. A track: sent in place of the microphone. It stays the
   * page's: the library never stops it, and does not send it while the stream's sound is paused. Default: true.
   */
  readonly audio?: boolean | MediaTrackConstraints | MediaStreamTrack;
  /** Like audio, for the camera. A canvas has a track by `captureStream()`. */
  readonly video?: boolean | MediaTrackConstraints | MediaStreamTrack;
  readonly microphoneId?: string;
  readonly cameraId?: string;
  /** Wanted size of the camera's picture, px; the browser takes the nearest one. */
  readonly resolution?: { readonly w: number; readonly h: number };
  /** Wanted pictures per second of the camera. */
  readonly frameRate?: number;
  /** Whether a small picture is sent beside the large one, for small tiles. Default: true. */
  readonly simulcast?: boolean;
}

/** What `publish` sends to the core, and the tracks that this tab provides for it. */
export interface Publishing {
  readonly type: typeof STREAM_TYPE.camera | typeof STREAM_TYPE.mixer;
  readonly audioMuted: boolean;
  readonly videoOff: boolean;
  readonly settings?: PublishSettings;
  readonly sources?: CaptureSources;
  readonly tracks: { readonly audio?: MediaStreamTrack; readonly video?: MediaStreamTrack };
}

const isTrack = (what: unknown): what is MediaStreamTrack =>
  typeof what === "object" && what !== null && "kind" in what && "readyState" in what;
const isEmpty = (what: object): boolean => Object.keys(what).length === 0;

/** A whole MediaStream is none: its tracks are given one by one. */
const isDescription = (what: unknown): boolean =>
  typeof what === "object" && what !== null && !Array.isArray(what) && !("getTracks" in what);
const isSource = (what: unknown): boolean =>
  what === undefined || typeof what === "boolean" || isDescription(what);

/** @throws 'Unspported pubS' when this does not describe what is published */
export function requirePublishable(options: PublishOptions): void {
  const isSupported = isDescription(options) && isSource(options.audio) && isSource(options.video);
  if (!isSupported) throw refusal("unsupported");
}

/** @throws AppError request.invalid; `details.field` is the option that is out of its limits */
export function settingsOf(
  options: SendOptions & { readonly simulcast?: boolean },
): PublishSettings {
  const { maxVideoBitrate, maxAudioBitrate, forceVideoBitrate } = options;
  const { forceMinVideoBitrate, forceAudioBitrate, codecs, dtx, simulcast } = options;
  const given = Object.entries({
    maxVideoBitrate,
    maxAudioBitrate,
    forceVideoBitrate,
    forceMinVideoBitrate,
    forceAudioBitrate,
    codecs,
    dtx,
    simulcast,
  }).filter(([, value]) => value !== undefined);
  const parsed = publishSettingsSchema.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  const field = String(parsed.error.issues[0]?.path[0] ?? "");
  throw new AppError("request.invalid", { details: { field } });
}

type Source = CaptureSources["audio"];
function sourceOf(
  kind: "audio" | "video",
  wish: PublishOptions["audio"],
  wanted: MediaTrackConstraints,
): Source {
  if (isTrack(wish)) {
    if (wish.kind !== kind || wish.readyState === "ended") throw refusal("badTrack", { kind });
    return "own";
  }
  const asked = { ...wanted, ...(typeof wish === "object" ? wish : {}) };
  if (isEmpty(asked)) return undefined;
  const parsed = captureSourcesSchema.safeParse({ [kind]: asked });
  if (!parsed.success) throw new AppError("request.invalid", { details: { field: kind } });
  return parsed.data[kind];
}

/** @throws AppError request.invalid and conference.invalid for options that do not fit */
export function publishingOf(options: PublishOptions): Publishing {
  const { microphoneId, cameraId, resolution, frameRate, audioMixer = false } = options;
  const { audio = true, video = !audioMixer } = options;
  if (audio === false && video === false) throw refusal("noStream");
  const sources = {
    audio: sourceOf(
      "audio",
      audio,
      microphoneId === undefined ? {} : { deviceId: { exact: microphoneId } },
    ),
    video: sourceOf("video", video, {
      ...(cameraId === undefined ? {} : { deviceId: { exact: cameraId } }),
      ...(resolution === undefined
        ? {}
        : { width: { ideal: resolution.w }, height: { ideal: resolution.h } }),
      ...(frameRate === undefined ? {} : { frameRate: { ideal: frameRate } }),
    }),
  };
  const given = Object.fromEntries(
    Object.entries(sources).filter(([, source]) => source !== undefined),
  ) as CaptureSources;
  const settings = settingsOf(options);
  return {
    type: audioMixer ? STREAM_TYPE.mixer : STREAM_TYPE.camera,
    audioMuted: audio === false,
    videoOff: video === false,
    ...(isEmpty(settings) ? {} : { settings }),
    ...(isEmpty(given) ? {} : { sources: given }),
    tracks: {
      ...(isTrack(audio) ? { audio } : {}),
      ...(isTrack(video) ? { video } : {}),
    },
  };
}
