/**
 * Publishes an own stream to the media node: sound, the high layer and the low layer of the picture, so that the node can send
 * each subscriber the layer that fits. Tracks are added and removed without a new offer.
 */
import type { ConfrCommand } from "../../shared/protocol/confr-media.ts";
import type { VideoCodec } from "../../shared/protocol/confr-signalling.ts";
import type { LocalTracks } from "../engines/engine.ts";
import type { Tally } from "../tally.ts";
import type { ConferenceConnection } from "./connection.ts";

export type PublishCommand = Extract<ConfrCommand, { t: "publish" }>;

/** The low layer: a quarter of the width and height. */
export const LOW: RTCRtpEncodingParameters = {
  scaleResolutionDownBy: 4,
  maxBitrate: 150_000,
  maxFramerate: 15,
};

export interface Publisher {
  readonly type: PublishCommand["type"];
  readonly link: ConferenceConnection;
  /** The sender of the sound; null for a screen without sound. */
  readonly audio: RTCRtpSender | null;
  offer(restart: boolean): void;
  answer(sdp: string): void;
  setTracks(tracks: LocalTracks): void;
  /** Size of the captured picture, px; null when it is unknown. */
  resolution(): { readonly w: number; readonly h: number } | null;
}

/** Returns the codecs that the browser can send; undefined when it does not report them. */
export type VideoCodecs = () => readonly RTCRtpCodec[] | undefined;

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
  deps: { readonly tally: Tally; readonly report: (message: string) => void },
  videoCodecs: VideoCodecs,
  link: ConferenceConnection,
  command: PublishCommand,
  initial: LocalTracks,
): Publisher {
  const { pc } = link;
  const { tally, report } = deps;
  const screen = command.type === 1;
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
  link.onClose(dropSmall);

  const { maxVideoBitrate, maxAudioBitrate } = command;
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
      : pc.addTransceiver(tracks.audio ?? "audio", init(limit(maxAudioBitrate)));
  const high = pc.addTransceiver(tracks.video ?? "video", init(limit(maxVideoBitrate)));
  const low =
    command.simulcast && !screen
      ? pc.addTransceiver(smallOf(tracks.video) ?? "video", init(LOW))
      : null;
  const all = videoCodecs();
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
      if (!link.closed) report(`degradation preference refused: ${String(error)}`);
    });
  };

  const sent = new Map<RTCRtpTransceiver, MediaStreamTrack | null>();
  if (audio !== null) sent.set(audio, tracks.audio);
  sent.set(high, tracks.video);
  if (low !== null) sent.set(low, smallOf(tracks.video));
  const put = (transceiver: RTCRtpTransceiver | null, track: MediaStreamTrack | null): void => {
    // Compare with the last requested track, because replaceTrack is asynchronous.
    if (transceiver === null || sent.get(transceiver) === track) return;
    sent.set(transceiver, track);
    transceiver.sender.replaceTrack(track).catch((error: unknown) => {
      if (!link.closed) report(`replaceTrack failed: ${String(error)}`);
    });
  };
  return {
    type: command.type,
    link,
    audio: audio?.sender ?? null,
    offer(restart) {
      link.run("publish", async () => {
        const offer = await pc.createOffer({ iceRestart: restart });
        if (!link.closed) await link.tell(offer, restart);
      });
    },
    answer(sdp) {
      link.run("answer", async () => {
        if (pc.signalingState !== "have-local-offer") {
          report("answer without an open offer, dropped");
          return;
        }
        await link.remote("answer", sdp);
        degrade();
      });
    },
    setTracks(next) {
      if (link.closed) return;
      tracks = next;
      put(audio, tracks.audio);
      put(high, tracks.video);
      if (low !== null) put(low, smallOf(tracks.video));
    },
    resolution() {
      const { width, height } = tracks.video?.getSettings() ?? {};
      return width === undefined || height === undefined ? null : { w: width, h: height };
    },
  };
}
