/**
 * Publishes an own stream to the media node: sound, the high layer and the low layer of the picture, so that the node can send
 * each subscriber the layer that fits. Tracks are added and removed without a new offer.
 */
import { STREAM_TYPE } from "../../shared/domain/conference-types.ts";
import type { ConferenceMediaCommand } from "../../shared/protocol/confr-media.ts";
import type { VideoCodec } from "../../shared/protocol/confr-model.ts";
import type { ConnectionDriver } from "../connections/driver.ts";
import type { LocalTracks } from "../engine.ts";
import type { Tally } from "../tally.ts";
import { sentLevel } from "../sound/meter.ts";
import { limitsOf, withForced } from "./send-settings.ts";

export type PublishCommand = Extract<ConferenceMediaCommand, { t: "publish" }>;

/** The low layer: a quarter of the width and height. */
export const LOW: RTCRtpEncodingParameters = {
  scaleResolutionDownBy: 4,
  maxBitrate: 150_000,
  maxFramerate: 15,
};

export interface Publisher {
  readonly type: PublishCommand["type"];
  offer(iceRestart: boolean): void;
  answer(sdp: string): void;
  setTracks(tracks: LocalTracks): void;
  /** Size of the captured picture, px; null when it is unknown. */
  resolution(): { readonly w: number; readonly h: number } | null;
  /** Level of the sound that is sent, 0..1; null when there is none, or the browser does not report it. */
  level(): Promise<number | null>;
}

/** Sorts the wanted codecs first, in their order. The others (such as retransmission) keep their order. */
export function preferred(
  all: readonly RTCRtpCodec[],
  vcodes: readonly VideoCodec[],
): RTCRtpCodec[] {
  const names = vcodes.map((one) => `video/${one}`.toLowerCase());
  const rank = (codec: RTCRtpCodec): number => {
    const found = names.indexOf(codec.mimeType.toLowerCase());
    return found < 0 ? names.length : found;
  };
  return [...all].sort((a, b) => rank(a) - rank(b));
}

export function createPublisher(
  deps: {
    readonly report: (message: string) => void;
    /** Returns the codecs that the browser can send; undefined when it does not report them. */
    readonly videoCodecs: () => readonly RTCRtpCodec[] | undefined;
  },
  tally: Tally,
  driver: ConnectionDriver,
  command: PublishCommand,
  initial: LocalTracks,
): Publisher {
  const { pc } = driver;
  const { report } = deps;
  const screen = command.type === STREAM_TYPE.screen;
  let tracks = initial;
  let small: { source: MediaStreamTrack; track: MediaStreamTrack; close: () => void } | null = null;
  const dropSmall = (): void => {
    small?.track.stop();
    small?.close();
    small = null;
  };
  /** Clones the track for the low layer: an overloaded low encoder must not reduce the high layer's picture. */
  const smallOf = (source: MediaStreamTrack | null): MediaStreamTrack | null => {
    if (small?.source === source) return small.track;
    dropSmall();
    if (source === null) return null;
    small = { source, track: source.clone(), close: tally.open("tracks") };
    return small.track;
  };
  driver.onClose(dropSmall);

  const limits = limitsOf(command);
  const init = (encoding: RTCRtpEncodingParameters | null): RTCRtpTransceiverInit => ({
    direction: "sendonly",
    ...(encoding === null ? {} : { sendEncodings: [encoding] }),
  });
  const limit = (maxBitrate: number | null): RTCRtpEncodingParameters | null =>
    maxBitrate === null ? null : { maxBitrate };
  // The media node relies on this order: sound, high, low.
  const audio =
    screen && tracks.audio === null
      ? null
      : pc.addTransceiver(tracks.audio ?? "audio", {
          ...init(limit(limits.audio)),
          // The mix comes back over the same section.
          ...(command.type === STREAM_TYPE.mixer ? { direction: "sendrecv" } : {}),
        });
  const high = pc.addTransceiver(tracks.video ?? "video", init(limit(limits.video)));
  const low =
    command.simulcast && !screen
      ? pc.addTransceiver(smallOf(tracks.video) ?? "video", init(LOW))
      : null;
  const all = deps.videoCodecs();
  if (all !== undefined) {
    const order = preferred(all, command.vcodes);
    high.setCodecPreferences(order);
    low?.setCodecPreferences(order);
  }
  /** Under load a screen keeps its resolution, so that text stays readable; a camera balances resolution and frame rate. */
  const degrade = (): void => {
    const { sender } = high;
    if (sender.getParameters === undefined) return;
    const parameters = {
      ...sender.getParameters(),
      degradationPreference: screen ? "maintain-resolution" : "balanced",
    };
    sender.setParameters(parameters as RTCRtpSendParameters).catch((error: unknown) => {
      if (!driver.closed) report(`degradation preference refused: ${String(error)}`);
    });
  };

  return {
    type: command.type,
    offer: (iceRestart) => driver.offer({ iceRestart }),
    answer: (sdp) => driver.acceptAnswer(withForced(sdp, command), degrade),
    setTracks(next) {
      if (driver.closed) return;
      tracks = next;
      if (audio !== null) driver.replaceTrack(audio.sender, tracks.audio);
      driver.replaceTrack(high.sender, tracks.video);
      if (low !== null) driver.replaceTrack(low.sender, smallOf(tracks.video));
    },
    resolution() {
      const { width, height } = tracks.video?.getSettings() ?? {};
      return width === undefined || height === undefined ? null : { w: width, h: height };
    },
    level: async () => (audio === null ? null : sentLevel(audio.sender)),
  };
}
