/** Writes SDP from plans, so that no text of a client reaches the native library or another client unchanged. */
import {
  ABS_SEND_TIME_URI,
  AUDIO_LEVEL_URI,
  TRANSPORT_CC_URI,
  type PlannedSection,
  type TrackPlan,
} from "./plan.ts";
import type { Route, SubscribedSection } from "./subscribe-plan.ts";

/** One side's ICE and DTLS parameters. */
export interface TransportParams {
  readonly ufrag: string;
  readonly pwd: string;
  readonly fingerprint: string;
  readonly setup: "actpass" | "active" | "passive";
  readonly candidates: readonly string[];
}
export interface WrittenSection {
  readonly kind: "audio" | "video";
  readonly mid: string;
  readonly direction: "sendonly" | "recvonly" | "inactive";
  readonly payloadType: number;
  readonly codec: string;
  readonly fmtp: string;
  readonly feedback: readonly string[];
  readonly extensions: readonly { readonly id: number; readonly uri: string }[];
  /** The sender's stream, in a section that sends. */
  readonly source?: { readonly ssrc: number; readonly cname: string; readonly stream: string };
  /** Bits per second that the other side may send. */
  readonly maxBitrate?: number;
  /** The stream of retransmissions. */
  readonly rtx?: { readonly payloadType: number; readonly ssrc: number };
}

const VIDEO_FEEDBACK = ["nack", "nack pli", "ccm fir"];

export function writeSdp(transport: TransportParams, sections: readonly WrittenSection[]): string {
  const lines = [
    "v=0",
    "o=- 1 1 IN IP4 127.0.0.1",
    "s=-",
    "t=0 0",
    `a=group:BUNDLE ${sections.map((s) => s.mid).join(" ")}`,
    "a=msid-semantic: WMS *",
    ...sections.flatMap((section, i) => writeSection(transport, section, i === 0)),
  ];
  return `${lines.join("\r\n")}\r\n`;
}

function writeSection(transport: TransportParams, s: WrittenSection, first: boolean): string[] {
  const { payloadType: pt, source, rtx } = s;
  const rate = s.kind === "audio" ? "48000/2" : "90000";
  return [
    `m=${s.kind} 9 UDP/TLS/RTP/SAVPF ${pt}${rtx === undefined ? "" : ` ${rtx.payloadType}`}`,
    "c=IN IP4 0.0.0.0",
    ...(s.maxBitrate === undefined
      ? []
      : [`b=AS:${Math.ceil(s.maxBitrate / 1000)}`, `b=TIAS:${Math.ceil(s.maxBitrate)}`]),
    `a=mid:${s.mid}`,
    `a=${s.direction}`,
    "a=rtcp-mux",
    "a=rtcp-rsize",
    `a=ice-ufrag:${transport.ufrag}`,
    `a=ice-pwd:${transport.pwd}`,
    "a=ice-options:trickle",
    `a=fingerprint:${transport.fingerprint}`,
    `a=setup:${transport.setup}`,
    `a=rtpmap:${pt} ${s.codec}/${rate}`,
    ...(s.fmtp === "" ? [] : [`a=fmtp:${pt} ${s.fmtp}`]),
    ...s.feedback.map((f) => `a=rtcp-fb:${pt} ${f}`),
    ...(rtx === undefined
      ? []
      : [`a=rtpmap:${rtx.payloadType} rtx/90000`, `a=fmtp:${rtx.payloadType} apt=${pt}`]),
    ...s.extensions.map((e) => `a=extmap:${e.id} ${e.uri}`),
    ...(source === undefined
      ? []
      : [
          `a=msid:${source.stream} ${source.stream}-${s.mid}`,
          ...(rtx === undefined ? [] : [`a=ssrc-group:FID ${source.ssrc} ${rtx.ssrc}`]),
          ...[source.ssrc, ...(rtx === undefined ? [] : [rtx.ssrc])].flatMap((ssrc) => [
            `a=ssrc:${ssrc} cname:${source.cname}`,
            `a=ssrc:${ssrc} msid:${source.stream} ${source.stream}-${s.mid}`,
          ]),
        ]),
    ...(first ? transport.candidates.map((c) => `a=${c}`) : []),
  ];
}

const extensions = (
  ids: Pick<TrackPlan, "absSendTime" | "audioLevel"> & Partial<Pick<TrackPlan, "transportCc">>,
): { id: number; uri: string }[] =>
  [
    { id: ids.transportCc ?? 0, uri: TRANSPORT_CC_URI },
    { id: ids.absSendTime, uri: ABS_SEND_TIME_URI },
    { id: ids.audioLevel, uri: AUDIO_LEVEL_URI },
  ].filter(({ id }) => id !== 0);

/** A section of the publisher's connection: of the offer (reduced to what the node accepts) or of the node's answer. */
export function publisherSection(
  side: "offer" | "answer",
  section: PlannedSection,
  maxBitrate?: number,
): WrittenSection {
  const { track } = section;
  const direction = side === "offer" ? "sendonly" : "recvonly";
  return {
    kind: section.kind,
    mid: section.mid,
    direction: track === null ? "inactive" : direction,
    payloadType: section.payloadType,
    codec: section.codec,
    fmtp: section.fmtp,
    feedback:
      track === null
        ? []
        : [
            ...(section.kind === "video" ? [...VIDEO_FEEDBACK, "goog-remb"] : []),
            ...(track.transportCc === 0 ? [] : ["transport-cc"]),
          ],
    extensions: track === null ? [] : extensions(track),
    ...(side === "offer" && track !== null
      ? { source: { ssrc: track.ssrc, cname: "p", stream: "p" } }
      : {}),
    ...(maxBitrate === undefined ? {} : { maxBitrate }),
  };
}

/** What a subscriber receives in one section. */
export interface Sent {
  readonly ssrc: number;
  /** SSRC of its retransmissions. */
  readonly rtxSsrc: number;
  /** Name of the media stream. */
  readonly stream: string;
}

/** A section of the node's answer to a subscriber. @param sent what goes out by a route */
export function answeredSection(
  section: SubscribedSection,
  sent: (route: Route) => Sent,
): WrittenSection {
  const { kind, mid, payloadType, codec, fmtp, route } = section;
  const base = { kind, mid, payloadType, codec, fmtp };
  if (route === null) return { ...base, direction: "inactive", feedback: [], extensions: [] };
  const { ssrc, rtxSsrc, stream } = sent(route);
  const { rtx } = route;
  return {
    ...base,
    direction: "sendonly",
    feedback: route.feedback,
    extensions: extensions(route),
    source: { ssrc, cname: stream, stream },
    ...(rtx === null ? {} : { rtx: { payloadType: rtx, ssrc: rtxSsrc } }),
  };
}

/** A section of a subscriber's offer, reduced to what the node answers. It is what the library gets to see. */
export const offeredSection = (section: SubscribedSection): WrittenSection => ({
  kind: section.kind,
  mid: section.mid,
  direction: section.route === null ? "inactive" : "recvonly",
  payloadType: section.payloadType,
  codec: section.codec,
  fmtp: section.fmtp,
  feedback: section.route?.feedback ?? [],
  extensions: [],
});
