/** A publisher's connection: takes its packets, asks for what is missing, tells it what arrives, and hands on to subscribers. */
import type { VideoCodec } from "../../../../shared/protocol/confr-signalling.ts";
import { findExtension, isRtcp, parseRtp, type RtpHeader } from "../rtp/header.ts";
import { startsKeyframe } from "../rtp/payload.ts";
import { buildPli, buildRemb, parseRtcp, type SenderReport } from "../rtp/rtcp.ts";
import { createArrivalLog } from "../rtp/transport-feedback.ts";
import { type Held, NOT_HELD } from "../contracts.ts";
import type { PublishPlan, TrackPlan } from "../sdp/plan.ts";
import { createReceiver, NACK_GAP, type Receiver } from "./receiver.ts";
import type { Transport } from "./transport.ts";
import { createUplink } from "./uplink.ts";

/** Index of a track in `tracks`: audio 0; video layers high 1 and low 2. */
export const AUDIO = 0;
export const HIGH = 1;
export const LOW = 2;

export interface Sink {
  packet(track: number, packet: Buffer, header: RtpHeader, now: number): void;
  senderReport(track: number, report: SenderReport): void;
  /** Bits a second that it can take when it gets too much and there is nothing lower for it. */
  strain(): number | null;
  /** What the publisher may send on has changed. */
  heldChanged(now: number): void;
}

export interface Publisher {
  readonly plan: PublishPlan;
  /** [audio, high, low] */
  readonly tracks: readonly (TrackPlan | null)[];
  readonly sinks: Set<Sink>;
  readonly held: Held;
  hold(held: Held, now: number): void;
  packet(mid: string, packet: Buffer, now: number): void;
  /** A keyframe of a layer, as soon as the limit allows. */
  keyframe(track: number, now: number): void;
  cached(track: number, sequence: number): Buffer | undefined;
  /** From the last keyframe on, oldest first; [] when that is too long ago to be shown. */
  recent(track: number, now: number): readonly Buffer[];
  bitrate(track: number, now: number): number;
  /** Often (25 ms): NACKs, feedback, keyframes that had to wait. */
  tick(now: number): void;
  readonly packets: number;
  readonly bytes: number;
}

const PLI_GAP_MS = 300;
/** A keyframe that did not come, though other packets do, is asked for again after this, so many times. */
const PLI_AGAIN_MS = 500;
const PLI_TRIES = 5;
/** Silence after which a gap is a cut. */
const BREAK_MS = 400;
const FEEDBACK_MS = 100;
const REPORT_MS = 1000;
/** How old a keyframe may be for a newcomer to begin with it, and how much may have come since. */
const RECENT_MS = 600;
const RECENT_PACKETS = 120;

interface Layer {
  readonly plan: TrackPlan;
  readonly receiver: Receiver;
  keyframeAt: number;
  keyframeSequence: number;
  lastPli: number;
  pliDue: boolean;
  /** Since the last keyframe. */
  pliTries: number;
  packetAt: number;
  lostForGood: number;
}

/** @param sender SSRC that the node writes its RTCP with */
export function createPublisher(
  plan: PublishPlan,
  transport: Pick<Transport, "send">,
  sender: number,
): Publisher {
  const tracks = [plan.audio, plan.high, plan.low];
  const layers = tracks.map((track): Layer | null =>
    track === null
      ? null
      : {
          plan: track,
          receiver: createReceiver({
            ssrc: track.ssrc,
            clockRate: track.clockRate,
            keep: track.kind === "video",
            sender,
          }),
          keyframeAt: -Infinity,
          keyframeSequence: 0,
          lastPli: -Infinity,
          pliDue: false,
          pliTries: 0,
          packetAt: -Infinity,
          lostForGood: 0,
        },
  );
  const present = layers.filter((layer) => layer !== null);
  const video = present.filter((layer) => layer.plan.kind === "video");
  const codec: VideoCodec = plan.vcodec ?? "VP8";
  const arrivals = createArrivalLog();
  const first = present.find((layer) => layer.plan.transportCc !== 0) ?? null;
  const sinks = new Set<Sink>();
  let held: Held = NOT_HELD;
  const uplink = createUplink({
    transportFeedback: first !== null,
    receivers: video.map((layer) => layer.receiver),
    rate: () => video.reduce((sum, layer) => sum + layer.receiver.bitrate(reportedAt), 0),
  });
  let feedbackAt = 0;
  let reportedAt = 0;

  const find = (mid: string): number => layers.findIndex((layer) => layer?.plan.mid === mid);

  const rtcp = (packet: Buffer, now: number): void => {
    for (const item of parseRtcp(packet)) {
      if (item.t !== "sr") continue;
      const index = layers.findIndex((layer) => layer?.plan.ssrc === item.report.ssrc);
      const layer = layers[index];
      if (layer === undefined || layer === null) continue;
      layer.receiver.sawSenderReport(item.report, now);
      for (const sink of sinks) sink.senderReport(index, item.report);
    }
  };

  const pli = (layer: Layer, now: number): void => {
    layer.pliDue = now - layer.lastPli < PLI_GAP_MS;
    if (layer.pliDue) return;
    layer.lastPli = now;
    layer.pliTries += 1;
    transport.send(layer.plan.mid, buildPli(sender, layer.plan.ssrc));
  };

  const report = (now: number): void => {
    reportedAt = now;
    for (const layer of present) {
      const rr = layer.receiver.report(now);
      if (rr !== null) transport.send(layer.plan.mid, rr);
    }
    const main = video[0];
    if (main === undefined) return;
    const strained = [...sinks].map((sink) => sink.strain()).filter((rate) => rate !== null);
    // one that is badly off does not decide for all the others
    const limit = uplink.limit(strained.length * 2 >= sinks.size ? strained : []);
    if (limit === null) return;
    const media = video.map((layer) => layer.plan.ssrc);
    transport.send(main.plan.mid, buildRemb(sender, media, limit));
  };

  /** At each packet as well as at each tick: a picture stands still for as long as the question waits. */
  const ask = (layer: Layer, now: number): void => {
    if (layer.receiver.missing === 0) return;
    const nack = layer.receiver.nack(now);
    if (nack !== null) transport.send(layer.plan.mid, nack);
  };

  return {
    plan,
    tracks,
    sinks,
    get held() {
      return held;
    },
    hold(next, now) {
      if (next.video === held.video && next.audio === held.audio) return;
      if (held.video && !next.video) {
        // what came while it was held is given to no newcomer
        for (const layer of video) layer.keyframeAt = -Infinity;
      }
      held = next;
      for (const sink of sinks) sink.heldChanged(now);
    },

    packet(mid, packet, now) {
      if (isRtcp(packet)) return rtcp(packet, now);
      const header = parseRtp(packet);
      const index = find(mid);
      const layer = layers[index];
      if (header === null || layer === undefined || layer === null) return;
      const track = layer.plan;
      if (track.transportCc !== 0) {
        const at = findExtension(packet, header, track.transportCc, 2);
        if (at !== -1) arrivals.record(packet.readUInt16BE(at), now);
      }
      if (header.ssrc !== track.ssrc || header.payloadType !== track.payloadType) return;
      const gap = track.kind === "video" ? layer.receiver.gap(header.sequence) : 0;
      const silent = now - layer.packetAt > BREAK_MS;
      if (!layer.receiver.take(packet, header, now)) return;
      layer.packetAt = now;
      for (const other of video) ask(other, now);
      // a cut: what was lost in it is too much, or too old, to be waited for
      if (gap > NACK_GAP || (gap > 0 && silent)) pli(layer, now);
      if (
        track.kind === "video" &&
        startsKeyframe(codec, packet, header.payloadStart, header.payloadEnd)
      ) {
        layer.keyframeAt = now;
        layer.keyframeSequence = header.sequence;
        layer.pliDue = false;
        layer.pliTries = 0;
      }
      if (track.kind === "video" ? held.video : held.audio) return;
      for (const sink of sinks) sink.packet(index, packet, header, now);
    },

    keyframe(track, now) {
      const layer = layers[track];
      if (layer !== undefined && layer !== null && layer.plan.kind === "video") {
        layer.pliTries = 0;
        pli(layer, now);
      }
    },

    cached: (track, sequence) => layers[track]?.receiver.cached(sequence),

    recent(track, now) {
      const layer = layers[track];
      if (layer === undefined || layer === null || now - layer.keyframeAt > RECENT_MS) return [];
      const packets: Buffer[] = [];
      for (let i = 0; i < RECENT_PACKETS; i += 1) {
        const packet = layer.receiver.cached((layer.keyframeSequence + i) & 0xffff);
        if (packet === undefined) return packets;
        packets.push(packet);
      }
      return [];
    },

    bitrate: (track, now) => layers[track]?.receiver.bitrate(now) ?? 0,

    tick(now) {
      for (const layer of video) {
        ask(layer, now);
        const { lostForGood } = layer.receiver;
        // what was lost before a keyframe is not missed any more; it was given up a second after it was lost
        const gaveUp = lostForGood > layer.lostForGood && now - layer.keyframeAt > 2 * PLI_AGAIN_MS;
        layer.lostForGood = lostForGood;
        // what was asked for may have been lost, or its keyframe
        const unheard =
          layer.pliTries > 0 &&
          layer.pliTries < PLI_TRIES &&
          layer.packetAt > layer.lastPli &&
          now - Math.max(layer.lastPli, layer.keyframeAt) > PLI_AGAIN_MS;
        if (layer.pliDue || gaveUp || unheard) pli(layer, now);
      }
      if (first !== null && now - feedbackAt >= FEEDBACK_MS) {
        feedbackAt = now;
        const feedback = arrivals.build(sender, first.plan.ssrc);
        if (feedback !== null) transport.send(first.plan.mid, feedback);
      }
      if (now - reportedAt >= REPORT_MS) report(now);
    },

    get packets() {
      return present.reduce((sum, layer) => sum + layer.receiver.packets, 0);
    },
    get bytes() {
      return present.reduce((sum, layer) => sum + layer.receiver.bytes, 0);
    },
  };
}
