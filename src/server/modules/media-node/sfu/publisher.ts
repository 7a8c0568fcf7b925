/** A publisher's connection: receives its packets, requests missing ones, reports what arrived, and forwards to subscribers. */
import type { VideoCodec } from "../../../../shared/protocol/confr-model.ts";
import { findExtension, isRtcp, parseRtp, type RtpHeader } from "../rtp/header.ts";
import { startsKeyframe } from "../rtp/payload.ts";
import { buildPli, buildRemb, parseRtcp, type SenderReport } from "../rtp/rtcp.ts";
import { createArrivalLog } from "../rtp/transport-feedback.ts";
import { type Held, NOT_HELD } from "../contracts.ts";
import type { PublishPlan, TrackPlan } from "../sdp/plan.ts";
import type { Place } from "./loudest.ts";
import { createReceiver, NACK_GAP, type Receiver } from "./receiver.ts";
import { createSoundGate } from "./sound-gate.ts";
import type { Transport } from "./transport.ts";
import { createUplink } from "./uplink.ts";

/** Indexes of `tracks`: sound 0, high layer 1, low layer 2. */
export const AUDIO = 0;
export const HIGH = 1;
export const LOW = 2;

export interface Sink {
  packet(track: number, packet: Buffer, header: RtpHeader, now: number): void;
  senderReport(track: number, report: SenderReport): void;
  /** Bits per second that the subscriber can receive when it gets too much and no lower layer exists; null otherwise. */
  strain(): number | null;
  /** What is held of this publisher has changed. */
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
  /** Requests a keyframe of a layer, at most one per PLI_GAP_MS. */
  keyframe(track: number, now: number): void;
  cached(track: number, sequence: number): Buffer | undefined;
  /** The packets since the last keyframe, oldest first; [] when the keyframe is too old to show. */
  recent(track: number, now: number): readonly Buffer[];
  bitrate(track: number, now: number): number;
  /** Call every 25 ms: sends NACKs, feedback and delayed keyframe requests. */
  tick(now: number): void;
  /** Gives its place among the sounds to another one. */
  close(): void;
  readonly packets: number;
  readonly bytes: number;
}

const PLI_GAP_MS = 300;
/** When other packets arrive but the keyframe does not, the request is repeated after this time. PLI_TRIES bounds the requests. */
const PLI_AGAIN_MS = 500;
const PLI_TRIES = 5;
/** A gap after this much silence means that the connection was cut. */
const BREAK_MS = 400;
const FEEDBACK_MS = 100;
const REPORT_MS = 1000;
/** A new subscriber starts with the last keyframe if it is younger than RECENT_MS and fewer than RECENT_PACKETS followed. */
const RECENT_MS = 600;
const RECENT_PACKETS = 120;

interface Layer {
  readonly plan: TrackPlan;
  readonly receiver: Receiver;
  keyframeAt: number;
  keyframeSequence: number;
  lastPli: number;
  pliDue: boolean;
  /** Keyframe requests since the last keyframe. */
  pliTries: number;
  packetAt: number;
  lostForGood: number;
}

/**
 * @param sender SSRC of the node's RTCP
 * @param place of the sound among the others of the conference
 */
export function createPublisher(
  plan: PublishPlan,
  transport: Pick<Transport, "send">,
  sender: number,
  place: Place,
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
  const level = plan.audio?.audioLevel ?? 0;
  const gate = createSoundGate(level);
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

  /** Passes a packet of sound on, or silence in its place. */
  const sound = (packet: Buffer, header: RtpHeader, now: number): void => {
    const at = level === 0 ? -1 : findExtension(packet, header, level, 1);
    const isLoud = place.heard(at === -1 ? null : packet.readUInt8(at) & 0x7f, now);
    const out = gate.pass(packet, header, isLoud, now);
    if (out !== null) for (const sink of sinks) sink.packet(AUDIO, out.packet, out.header, now);
  };

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
    // Lower the bitrate only when at least half of the subscribers are strained.
    const limit = uplink.limit(strained.length * 2 >= sinks.size ? strained : []);
    if (limit === null) return;
    const media = video.map((layer) => layer.plan.ssrc);
    transport.send(main.plan.mid, buildRemb(sender, media, limit));
  };

  /** Runs at each packet as well as at each tick, because a delayed NACK prolongs a freeze. */
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
        // A new subscriber must not receive packets that arrived while the picture was held.
        for (const layer of video) layer.keyframeAt = -Infinity;
      }
      held = next;
      if (held.audio) place.leave();
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
      if (!layer.receiver.receive(packet, header, now)) return;
      layer.packetAt = now;
      for (const other of video) ask(other, now);
      // After a cut, too many packets are missing, or they are too old, to wait for retransmission.
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
      if (track.kind === "audio") return sound(packet, header, now);
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
        // Losses from before a keyframe do not matter. A loss is given up a second after it happened.
        const gaveUp = lostForGood > layer.lostForGood && now - layer.keyframeAt > 2 * PLI_AGAIN_MS;
        layer.lostForGood = lostForGood;
        // The request or the keyframe itself may have been lost.
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

    close: () => place.leave(),

    get packets() {
      return present.reduce((sum, layer) => sum + layer.receiver.packets, 0);
    },
    get bytes() {
      return present.reduce((sum, layer) => sum + layer.receiver.bytes, 0);
    },
  };
}
