/**
 * Plans the answer to a subscriber's offer. Each kind of the publisher's media goes to the first section of the offer that can
 * take it, under the payload types and header extension ids of that offer. All other sections are answered as inactive.
 */
import type { VideoCodec } from "../../../../shared/protocol/confr-model.ts";
import type { IceParams, RtpMap, SdpSection } from "./parse.ts";
import {
  ABS_SEND_TIME_URI,
  AUDIO_LEVEL_URI,
  extensionId,
  invalid,
  isCodec,
  NO_CODEC,
  PARAMETERS,
  type PublishPlan,
  readOffer,
  type TrackPlan,
} from "./plan.ts";

/** Where one kind of the publisher's media goes on the subscriber's connection. */
export interface Route {
  readonly kind: "audio" | "video";
  readonly mid: string;
  readonly payloadType: number;
  /** Payload type of retransmissions (RFC 4588); null: they go out as the packets themselves. */
  readonly rtx: number | null;
  /** Id of abs-send-time; 0: not negotiated. */
  readonly absSendTime: number;
  /** Id of the level of the sound; 0: not negotiated. */
  readonly audioLevel: number;
  readonly codec: "opus" | VideoCodec;
  readonly fmtp: string;
  readonly feedback: readonly string[];
}
/** A section of the offer, in the offer's order. `route` is null for a section that stays inactive. */
export interface SubscribedSection {
  readonly kind: "audio" | "video";
  readonly mid: string;
  readonly payloadType: number;
  readonly codec: string;
  readonly fmtp: string;
  readonly route: Route | null;
}
export interface SubscribePlan {
  readonly ice: IceParams;
  readonly candidates: readonly string[];
  readonly sections: readonly SubscribedSection[];
  readonly audio: Route | null;
  readonly video: Route | null;
}

/** What the node understands of a receiver. Transport-wide feedback would need numbers of its own for each subscriber. */
const FEEDBACK = ["nack", "nack pli", "ccm fir", "goog-remb", "rrtr"];

const receives = (section: SdpSection): boolean =>
  section.inUse && (section.direction === "recvonly" || section.direction === "sendrecv");

const retransmission = (maps: readonly RtpMap[], payloadType: number): number | null =>
  maps.find(
    ({ codec, fmtp }) =>
      codec.toLowerCase() === "rtx" && fmtp.split(";")[0] === `apt=${payloadType}`,
  )?.payloadType ?? null;

function routeOf(section: SdpSection, track: TrackPlan): Route | null {
  const map = section.maps.find((m) => isCodec(m, track.codec));
  if (map === undefined || !receives(section)) return null;
  const video = track.kind === "video";
  return {
    kind: track.kind,
    mid: section.mid,
    payloadType: map.payloadType,
    rtx: video ? retransmission(section.maps, map.payloadType) : null,
    absSendTime: video ? extensionId(section, ABS_SEND_TIME_URI) : 0,
    audioLevel: video || track.audioLevel === 0 ? 0 : extensionId(section, AUDIO_LEVEL_URI),
    codec: track.codec,
    fmtp: map.fmtp,
    feedback: video ? FEEDBACK.filter((one) => map.feedback.includes(one)) : [],
  };
}

/** @throws AppError conference.invalid with details.reason */
export function planSubscribe(offer: string, source: PublishPlan): SubscribePlan {
  const { ice, candidates, sections } = readOffer(offer);
  const routes = new Map<SdpSection, Route>();
  for (const track of [source.audio, source.high]) {
    if (track === null) continue;
    const takers = sections.filter((s) => s.kind === track.kind && receives(s));
    const found = takers
      .map((section) => ({ section, route: routeOf(section, track) }))
      .find(({ route }) => route !== null);
    if (found?.route) routes.set(found.section, found.route);
    else if (takers.length > 0) {
      throw invalid(track.kind === "audio" ? "opus is not offered" : NO_CODEC);
    }
  }
  if (routes.size === 0) throw invalid("nothing of the stream can be received");
  const planned = sections.map((section): SubscribedSection => {
    const route = routes.get(section) ?? null;
    const map = section.maps.find(({ fmtp }) => PARAMETERS.test(fmtp));
    if (map === undefined) throw invalid("a section has no usable format");
    const { payloadType, codec, fmtp } = route ?? map;
    const kind = section.kind === "audio" ? "audio" : "video";
    return { kind, mid: section.mid, payloadType, codec, fmtp, route };
  });
  const find = (kind: string): Route | null =>
    planned.find(({ route }) => route?.kind === kind)?.route ?? null;
  return { ice, candidates, sections: planned, audio: find("audio"), video: find("video") };
}

/** Whether both plans carry the same streams, so that an ICE restart can go on with them. */
export function sameSubscribe(a: SubscribePlan, b: SubscribePlan): boolean {
  const name = ({ sections }: SubscribePlan): string => JSON.stringify(sections);
  return name(a) === name(b);
}
