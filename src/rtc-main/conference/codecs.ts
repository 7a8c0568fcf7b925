/** Reads the browser's video codecs, so that a browser without H264 gets another codec instead of a black tile. */
import type { VideoCodec, VideoCodecs } from "../../shared/protocol/confr-model.ts";

const KNOWN: readonly VideoCodec[] = ["VP8", "H264"];

interface Capable {
  getCapabilities?(
    kind: string,
  ): { readonly codecs: readonly { readonly mimeType: string }[] } | null;
}

function namesOf(side: Capable | undefined): VideoCodec[] | undefined {
  const codecs = side?.getCapabilities?.("video")?.codecs;
  if (codecs === undefined) return undefined;
  const names = new Set(codecs.map(({ mimeType }) => mimeType.toLowerCase()));
  return KNOWN.filter((codec) => names.has(`video/${codec.toLowerCase()}`));
}

/** @returns undefined when the browser does not report its codecs */
export function browserVideoCodecs(
  receiver: Capable | undefined = globalThis.RTCRtpReceiver,
  sender: Capable | undefined = globalThis.RTCRtpSender,
): VideoCodecs | undefined {
  const receive = namesOf(receiver);
  const send = namesOf(sender);
  return receive === undefined || send === undefined ? undefined : { receive, send };
}
