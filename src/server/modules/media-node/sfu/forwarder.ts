/**
 * One outgoing stream of a subscriber, fed by one of the publisher's layers at a time. Packets pass unchanged until the first
 * switch. From then on SSRC, sequence number, timestamp and VP8's picture numbers are rewritten, so that the receiver sees one
 * continuous stream. A switch waits for a keyframe, and so does a picture that resumes after a pause.
 */
import type { VideoCodec } from "../../../../shared/protocol/confr-model.ts";
import { parseRtp, rewriteExtensions, rewriteRtp, seqDiff, type RtpHeader } from "../rtp/header.ts";
import { parseVp8, rewriteVp8, startsKeyframe } from "../rtp/payload.ts";
import type { SenderReport } from "../rtp/rtcp.ts";
import type { TrackPlan } from "../sdp/plan.ts";

export interface Forwarder {
  /** @returns the packet to send; null when this layer is not being sent */
  forward(layer: number, packet: Buffer, header: RtpHeader, now: number): Buffer | null;
  /** @param cached looks up a layer's packet @returns the packet that went out as `sequence`; null when it is not available */
  resend(
    sequence: number,
    cached: (layer: number, sequence: number) => Buffer | undefined,
  ): Buffer | null;
  senderReport(layer: number, report: SenderReport): SenderReport | null;
  /** @param layer the layer to send from now on; null pauses */
  want(layer: number | null): void;
  /** The layer whose keyframe is awaited. */
  readonly waiting: number | null;
  /** The layer that is sent now. */
  readonly current: number | null;
}

/** A run of packets of one layer, with the offsets from its numbers to the outgoing ones. */
interface Run {
  readonly layer: number;
  /** The layer's first sequence number in this run. `outFrom` is the outgoing number of that packet. */
  readonly from: number;
  readonly outFrom: number;
  readonly timestampOffset: number;
  readonly pictureOffset: number;
  readonly tl0Offset: number;
  /** Packets pass unchanged. */
  readonly plain: boolean;
  /** The subscriber's ids of the layer's header extensions; null when they are the same. */
  readonly extensions: ((id: number) => number) | null;
}

/** After this many packets a run is no longer young: more than any cache holds. */
const YOUNG_PACKETS = 4096;

/**
 * @param out the subscriber's SSRC, payload type and ids of the header extensions (0: not negotiated)
 * @param tracks the layers, by index
 * @param start the first layer; it is sent from its first packet on, without waiting for a keyframe
 */
export function createForwarder(
  out: Pick<TrackPlan, "ssrc" | "payloadType" | "absSendTime" | "audioLevel">,
  tracks: readonly TrackPlan[],
  start: number | null,
): Forwarder {
  const codec: VideoCodec = tracks[0]?.codec === "H264" ? "H264" : "VP8";
  const video = tracks[0]?.kind === "video";
  let run: Run | null = null;
  /** The run began recently: packets from before its keyframe may still arrive, or be requested by NACK. */
  let young = false;
  let current: number | null = start;
  let wanted: number | null = start;
  /** The newest packet that was sent, as it arrived. It is parsed only when the next run begins. */
  let last: {
    readonly run: Run;
    readonly packet: Buffer;
    readonly header: RtpHeader;
    readonly out: number;
    readonly at: number;
  } | null = null;

  const write = (by: Run, packet: Buffer, header: RtpHeader): Buffer => {
    if (by.plain) return packet;
    const copy = Buffer.from(packet);
    rewriteRtp(copy, {
      payloadType: out.payloadType,
      sequence: header.sequence - by.from + by.outFrom,
      timestamp: header.timestamp + by.timestampOffset,
      ssrc: out.ssrc,
    });
    const vp8 = picture(copy, header);
    if (by.extensions !== null) rewriteExtensions(copy, header, by.extensions);
    if (vp8 !== null) {
      rewriteVp8(copy, vp8, vp8.pictureId + by.pictureOffset, vp8.tl0 + by.tl0Offset);
    }
    return copy;
  };

  const picture = (packet: Buffer, header: RtpHeader) =>
    codec === "VP8" && video ? parseVp8(packet, header.payloadStart, header.payloadEnd) : null;

  /** A receiver ignores ids that were not negotiated, so only what it negotiated, and what has such an id, matter. */
  const extensionsOf = (track: TrackPlan | undefined): ((id: number) => number) | null => {
    if (track === undefined) return null;
    const { absSendTime, audioLevel, transportCc } = track;
    const negotiated = [
      [absSendTime, out.absSendTime],
      [audioLevel, out.audioLevel],
    ].filter(([, to]) => to !== 0);
    if (negotiated.every(([from, to]) => from === to && to !== transportCc)) return null;
    return (id) => negotiated.find(([from]) => from === id)?.[1] ?? 0;
  };

  const begin = (layer: number, packet: Buffer, header: RtpHeader, now: number): Run => {
    const track = tracks[layer];
    const from = header.sequence;
    const extensions = extensionsOf(track);
    if (last === null) {
      const same = track?.ssrc === out.ssrc && track.payloadType === out.payloadType;
      const none = { timestampOffset: 0, pictureOffset: 0, tl0Offset: 0 };
      const plain = same && extensions === null;
      return { layer, from, outFrom: from, ...none, plain, extensions };
    }
    const rate = (track?.clockRate ?? 90_000) / 1000;
    const elapsed = Math.max(1, Math.round((now - last.at) * rate));
    const timestamp = last.header.timestamp + last.run.timestampOffset + elapsed;
    const before = picture(last.packet, last.header);
    const after = picture(packet, header);
    const both = before !== null && after !== null;
    return {
      layer,
      from,
      outFrom: (last.out + 1) & 0xffff,
      timestampOffset: timestamp - header.timestamp,
      pictureOffset: both
        ? before.pictureId + last.run.pictureOffset + 1 - after.pictureId
        : last.run.pictureOffset,
      tl0Offset: both ? before.tl0 + last.run.tl0Offset + 1 - after.tl0 : last.run.tl0Offset,
      plain: false,
      extensions,
    };
  };

  const remember = (current: Run, header: RtpHeader, packet: Buffer, at: number): void => {
    const sequence = (header.sequence - current.from + current.outFrom) & 0xffff;
    if (last !== null && seqDiff(sequence, last.out) <= 0) return;
    if (seqDiff(sequence, current.outFrom) > YOUNG_PACKETS) young = false;
    last = { run: current, packet, header, out: sequence, at };
  };

  return {
    forward(layer, packet, header, now) {
      if (wanted !== layer && current !== layer) return null;
      if (layer === wanted && layer !== current) {
        const key = !video || startsKeyframe(codec, packet, header.payloadStart, header.payloadEnd);
        if (!key) return null;
        current = layer;
        run = begin(layer, packet, header, now);
        young = last !== null;
      }
      if (layer !== current) return null;
      run ??= begin(layer, packet, header, now);
      // Packets from before the keyframe are useless and have no outgoing number. In the first run every packet passes.
      if (young && seqDiff(header.sequence, run.from) < 0) return null;
      remember(run, header, packet, now);
      return write(run, packet, header);
    },

    resend(sequence, cached) {
      // A packet that was never sent is not lost: it may be held.
      if (run === null || last === null || seqDiff(sequence, last.out) > 0) return null;
      const after = seqDiff(sequence, run.outFrom);
      // Nothing from before the keyframe is needed any more; under congestion it would only add load.
      if (young && after < 0) return null;
      const packet = cached(run.layer, (run.from + after) & 0xffff);
      const header = packet === undefined ? null : parseRtp(packet);
      return packet === undefined || header === null ? null : write(run, packet, header);
    },

    senderReport(layer, report) {
      if (run === null || run.layer !== layer || layer !== current) return null;
      if (run.plain) return report;
      return {
        ...report,
        ssrc: out.ssrc,
        rtpTimestamp: (report.rtpTimestamp + run.timestampOffset) >>> 0,
      };
    },

    want(layer) {
      wanted = layer;
      // A pause takes effect at once. A switch keeps sending the current layer until the keyframe.
      if (layer === null) current = null;
    },

    get waiting() {
      return wanted !== null && wanted !== current ? wanted : null;
    },
    get current() {
      return current;
    },
  };
}
