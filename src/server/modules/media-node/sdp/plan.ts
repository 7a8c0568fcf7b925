/**
 * Plans what the node accepts of a publisher's offer: at most one audio track (opus) and up to two video tracks in one codec, each
 * with its SSRC, in any order. Anything else is not negotiated. subscribe-plan.ts does the same for subscribers.
 */
import type { VideoCodec } from "../../../../shared/protocol/confr-model.ts";
import { AppError } from "../../../../shared/errors.ts";
import { parseSdp, type IceParams, type RtpMap, type SdpSection } from "./parse.ts";

export const TRANSPORT_CC_URI =
  "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01";
export const ABS_SEND_TIME_URI = "http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time";

/** RFC 6464: how loud the sound of a packet is. */
export const AUDIO_LEVEL_URI = "urn:ietf:params:rtp-hdrext:ssrc-audio-level";

export interface TrackPlan {
  readonly kind: "audio" | "video";
  readonly mid: string;
  readonly payloadType: number;
  readonly clockRate: number;
  readonly codec: "opus" | VideoCodec;
  readonly fmtp: string;
  readonly ssrc: number;
  /** 0: not offered. */
  readonly transportCc: number;
  readonly absSendTime: number;
  readonly audioLevel: number;
}
/** A section of the offer, in the offer's order. `track` is null for a section that is not used (inactive, or nothing is sent). */
export interface PlannedSection {
  readonly kind: "audio" | "video";
  readonly mid: string;
  readonly payloadType: number;
  readonly codec: "opus" | VideoCodec;
  readonly fmtp: string;
  readonly track: TrackPlan | null;
}
export interface PublishPlan {
  readonly ice: IceParams;
  readonly candidates: readonly string[];
  readonly sections: readonly PlannedSection[];
  readonly audio: TrackPlan | null;
  readonly high: TrackPlan | null;
  readonly low: TrackPlan | null;
  readonly vcodec: VideoCodec | null;
}

export const invalid = (reason: string): AppError =>
  new AppError("conference.invalid", { details: { reason } });

/** `details.reason` when the offer has no preferred codec. The conference ends the member with reason 22. */
export const NO_CODEC = "no codec of the preference is offered";

/** Texts of format parameters that may be written into another description. */
export const PARAMETERS = /^[A-Za-z0-9=;, ._+/-]{0,400}$/;

export const isCodec = (map: RtpMap, codec: "opus" | VideoCodec): boolean => {
  if (map.codec.toLowerCase() !== codec.toLowerCase() || !PARAMETERS.test(map.fmtp)) return false;
  return (
    codec !== "H264" ||
    (/packetization-mode=1/.test(map.fmtp) && /profile-level-id=42e0/i.test(map.fmtp))
  );
};

const sends = (section: SdpSection): boolean =>
  section.inUse && (section.direction === "sendonly" || section.direction === "sendrecv");

export interface Offered {
  readonly ice: IceParams;
  /** At most 64. */
  readonly candidates: readonly string[];
  /** Sound and pictures, each mid once, all in one bundle. */
  readonly sections: readonly SdpSection[];
}

/** What holds for every offer of a client. @throws AppError conference.invalid with details.reason */
export function readOffer(offer: string): Offered {
  const sdp = parseSdp(offer);
  if (typeof sdp === "string") throw invalid(sdp);
  const { sections } = sdp;
  const ice = sections[0]?.ice ?? null;
  if (ice === null) throw invalid("ICE or DTLS parameters are missing");
  if (sections.some((s) => s.ice?.ufrag !== ice.ufrag))
    throw invalid("the sections are not bundled");
  if (sections.some(({ kind }) => kind !== "audio" && kind !== "video"))
    throw invalid("only sound and pictures");
  if (new Set(sections.map((s) => s.mid)).size !== sections.length)
    throw invalid("a mid is there twice");
  return { ice, candidates: sections.flatMap((s) => s.candidates).slice(0, 64), sections };
}

/** @throws AppError conference.invalid with details.reason */
export function planPublish(offer: string, vcodes: readonly VideoCodec[]): PublishPlan {
  const { ice, candidates, sections } = readOffer(offer);
  const videos = sections.filter((s) => s.kind === "video");
  if (videos.length > 2 || sections.length - videos.length > 1) {
    throw invalid("at most one section of sound and two of video");
  }
  const offers = (codec: VideoCodec): boolean =>
    videos.every((s) => s.maps.some((map) => isCodec(map, codec)));
  const vcodec = videos.length === 0 ? null : (vcodes.find(offers) ?? null);
  if (videos.length > 0 && vcodec === null) throw invalid(NO_CODEC);
  const planned = sections.map((section) => planSection(section, vcodec));
  const tracks = planned.flatMap((s) => (s.track === null ? [] : [s.track]));
  if (new Set(tracks.map((t) => t.ssrc)).size !== tracks.length)
    throw invalid("an SSRC is there twice");
  if (tracks.length === 0) throw invalid("nothing is sent");
  const [high = null, low = null] = tracks.filter((t) => t.kind === "video");
  return {
    ice,
    candidates,
    sections: planned,
    audio: tracks.find((t) => t.kind === "audio") ?? null,
    high,
    low,
    vcodec: high === null ? null : vcodec,
  };
}

/** @returns 0 when the section does not offer the extension under an id of the one-byte form */
export function extensionId({ extensions }: SdpSection, uri: string): number {
  const id = extensions.find((e) => e.uri === uri)?.id ?? 0;
  return id >= 1 && id <= 14 ? id : 0;
}

/** Whether the packets of both plans are the same streams, so that an ICE restart can go on with them. */
export function samePublish(a: PublishPlan, b: PublishPlan): boolean {
  const name = ({ sections }: PublishPlan): string => JSON.stringify(sections);
  return name(a) === name(b);
}

function planSection(section: SdpSection, vcodec: VideoCodec | null): PlannedSection {
  const kind = section.kind === "audio" ? "audio" : "video";
  const codec = kind === "audio" ? "opus" : (vcodec ?? "VP8");
  const map = section.maps.find((m) => isCodec(m, codec));
  if (map === undefined) throw invalid(kind === "audio" ? "opus is not offered" : NO_CODEC);
  const base = {
    kind,
    mid: section.mid,
    payloadType: map.payloadType,
    codec,
    fmtp: map.fmtp,
  } as const;
  if (!sends(section)) return { ...base, track: null };
  const ssrc = section.ssrcs.find((s) => !section.repair.includes(s));
  if (ssrc === undefined || ssrc === 0) throw invalid("a section that sends names no SSRC");
  const feedback = map.feedback.includes("transport-cc");
  return {
    ...base,
    track: {
      ...base,
      clockRate: map.clockRate,
      ssrc,
      transportCc: feedback ? extensionId(section, TRANSPORT_CC_URI) : 0,
      absSendTime: kind === "video" ? extensionId(section, ABS_SEND_TIME_URI) : 0,
      audioLevel: kind === "audio" ? extensionId(section, AUDIO_LEVEL_URI) : 0,
    },
  };
}

export interface AnswerPlan {
  readonly ice: IceParams;
  readonly candidates: readonly string[];
  /** The mids that the subscriber accepts. */
  readonly accepted: ReadonlySet<string>;
}

/** Checks a subscriber's answer. @throws AppError conference.invalid with details.reason */
export function planAnswer(answer: string, mids: readonly string[]): AnswerPlan {
  const sdp = parseSdp(answer);
  if (typeof sdp === "string") throw invalid(sdp);
  const ice = sdp.sections.find((s) => s.ice !== null)?.ice ?? null;
  if (ice === null) throw invalid("ICE or DTLS parameters are missing");
  if (sdp.sections.map((s) => s.mid).join(" ") !== mids.join(" ")) {
    throw invalid("the answer's sections are not the offer's");
  }
  const takes = (s: SdpSection): boolean =>
    s.inUse && (s.direction === "recvonly" || s.direction === "sendrecv");
  return {
    ice,
    candidates: sdp.sections.flatMap((s) => s.candidates).slice(0, 64),
    accepted: new Set(sdp.sections.filter(takes).map((s) => s.mid)),
  };
}
