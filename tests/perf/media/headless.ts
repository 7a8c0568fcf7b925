/**
 * Subscribers without a browser, in a separate process so that their cost is not measured. They receive packets, request missing
 * ones, and count those that never came.
 */
import { Audio, PeerConnection, initLogger, type Track, Video } from "node-datachannel";
import { isRtcp, parseRtp, seqDiff } from "../../../src/server/modules/media-node/rtp/header.ts";
import { startsKeyframe } from "../../../src/server/modules/media-node/rtp/payload.ts";
import {
  buildNack,
  buildPli,
  buildReceiverReport,
} from "../../../src/server/modules/media-node/rtp/rtcp.ts";

export type ToHeadless =
  | { t: "watch"; id: string }
  | { t: "answer"; id: string; sdp: string }
  | { t: "candidate"; id: string; candidate: string }
  | { t: "figures" };
export interface HeadlessFigures {
  packets: number;
  lostForGood: number;
  connected: number;
  /** id to ms since the epoch */
  keyframes: Record<string, number>;
}
export type FromHeadless =
  | { t: "ready" }
  | { t: "offer"; id: string; sdp: string }
  | { t: "figures"; figures: HeadlessFigures };

const NACK_MS = 20;
const RETRY_MS = 60;
const GIVE_UP_MS = 3000;
const REPORT_MS = 1000;
/** A browser asks for a keyframe at this interval when it has packets but no picture. */
const PLI_MS = 250;

interface Stream {
  readonly id: string;
  readonly track: Track;
  readonly video: boolean;
  ssrc: number;
  highest: number;
  readonly missing: Map<number, { since: number; due: number }>;
}

initLogger("Fatal", () => undefined);
const peers = new Map<string, PeerConnection>();
const streams: Stream[] = [];
const figures: HeadlessFigures = {
  packets: 0,
  lostForGood: 0,
  connected: 0,
  keyframes: {},
};

const sendToParent = (message: FromHeadless): void => void process.send?.(message);

/** Feedback must follow a receiver report: Janus accepts no other. */
const report = (s: Stream): Buffer =>
  buildReceiverReport(2, [
    {
      ssrc: s.ssrc,
      fractionLost: 0,
      lost: 0,
      highest: s.highest,
      jitter: 0,
      lastSr: 0,
      sinceSr: 0,
    },
  ]);

function countPacket(id: string, s: Stream, b: Buffer): void {
  if (isRtcp(b)) return;
  figures.packets += 1;
  if (!s.video) return;
  const header = parseRtp(b);
  if (header === null) return;
  if (s.ssrc === 0) s.ssrc = header.ssrc;
  if (header.ssrc !== s.ssrc) {
    // In a retransmission stream (RFC 4588) the original sequence number precedes the payload.
    if (header.payloadEnd - header.payloadStart < 2) return;
    const original = b.readUInt16BE(header.payloadStart);
    s.missing.delete(s.highest + seqDiff(original, s.highest & 0xffff));
    return;
  }
  if (s.highest === -1) s.highest = header.sequence - 1;
  const after = seqDiff(header.sequence, s.highest & 0xffff);
  const extended = s.highest + after;
  if (after <= 0) s.missing.delete(extended);
  else {
    const now = Date.now();
    for (let n = s.highest + 1; n < extended; n += 1) s.missing.set(n, { since: now, due: now });
    s.highest = extended;
  }
  if (figures.keyframes[id] !== undefined) return;
  if (startsKeyframe("VP8", b, header.payloadStart, header.payloadEnd)) {
    figures.keyframes[id] = Date.now();
  }
}

setInterval(() => {
  const now = Date.now();
  for (const s of streams) {
    if (s.missing.size === 0) continue;
    const due: number[] = [];
    for (const [n, state] of s.missing) {
      if (now - state.since > GIVE_UP_MS) {
        s.missing.delete(n);
        figures.lostForGood += 1;
      } else if (state.due <= now) {
        state.due = now + RETRY_MS;
        due.push(n & 0xffff);
      }
    }
    if (due.length > 0) {
      s.track.sendMessageBinary(Buffer.concat([report(s), buildNack(2, s.ssrc, due)]));
    }
  }
}, NACK_MS);
setInterval(() => {
  for (const s of streams) {
    if (!s.video || s.ssrc === 0 || !s.track.isOpen()) continue;
    s.track.sendMessageBinary(report(s));
  }
}, REPORT_MS);

setInterval(() => {
  for (const s of streams) {
    if (!s.video || s.ssrc === 0 || figures.keyframes[s.id] !== undefined) continue;
    s.track.sendMessageBinary(Buffer.concat([report(s), buildPli(2, s.ssrc)]));
  }
}, PLI_MS);

function watch(id: string): void {
  const pc = new PeerConnection(id, { iceServers: [], disableAutoNegotiation: true });
  peers.set(id, pc);
  const receive = (media: Audio | Video, video: boolean): void => {
    const track = pc.addTrack(media);
    const s: Stream = { id, track, video, ssrc: 0, highest: -1, missing: new Map() };
    streams.push(s);
    track.onMessage((b) => countPacket(id, s, b));
  };
  // The payload types of Chromium, which publishes.
  const audio = new Audio("0", "RecvOnly");
  audio.addOpusCodec(111);
  const video = new Video("1", "RecvOnly");
  video.addVP8Codec(96);
  receive(audio, false);
  receive(video, true);
  pc.onStateChange((state) => {
    if (state === "connected") figures.connected += 1;
  });
  pc.onGatheringStateChange((state) => {
    if (state === "complete")
      sendToParent({ t: "offer", id, sdp: pc.localDescription()?.sdp ?? "" });
  });
  pc.setLocalDescription("offer");
}

process.on("message", (message: ToHeadless) => {
  if (message.t === "watch") watch(message.id);
  else if (message.t === "answer")
    peers.get(message.id)?.setRemoteDescription(message.sdp, "answer");
  else if (message.t === "candidate") {
    peers.get(message.id)?.addRemoteCandidate(message.candidate, "0");
  } else sendToParent({ t: "figures", figures });
});
process.on("disconnect", () => {
  for (const pc of peers.values()) pc.close();
  process.exit(0);
});
sendToParent({ t: "ready" });
