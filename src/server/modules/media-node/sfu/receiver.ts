/** One incoming stream: counts its packets, requests missing ones and caches received ones for subscribers' NACKs. */
import { buildNack, buildReceiverReport, type SenderReport } from "../rtp/rtcp.ts";
import { seqDiff, type RtpHeader } from "../rtp/header.ts";

export interface Receiver {
  /** @returns false for a duplicate */
  receive(packet: Buffer, header: RtpHeader, now: number): boolean;
  /** A received packet by its sequence number; undefined when it is missing or no longer cached. */
  cached(sequence: number): Buffer | undefined;
  /** How many packets directly before this one are missing; 0 for a late packet. */
  gap(sequence: number): number;
  /** A NACK for the missing packets that are due; null when none is. */
  nack(now: number): Buffer | null;
  /** Number of missing packets that can still be requested. */
  readonly missing: number;
  /** Packets that were requested in vain and given up. */
  readonly lostForGood: number;
  report(now: number): Buffer | null;
  sawSenderReport(report: SenderReport, now: number): void;
  /** Bits per second over about the last second; 0 when nothing arrives. */
  bitrate(now: number): number;
  /** Smoothed share of the expected packets that did not arrive, 0..1. */
  readonly loss: number;
  readonly packets: number;
  readonly bytes: number;
}

const CACHE = 1024;
/** The assumed round-trip time until the first retransmission has arrived. */
const RTT_MS = 80;
/** A NACK is repeated after RETRY round-trip times; each further wait is RETRY_LONGER times as long. */
const RETRY = 1.2;
const RETRY_LONGER = 1.25;
const RETRY_MIN_MS = 20;
const RETRY_MAX_MS = 1000;
/** A missing packet is given up after GIVE_UP_MS or GIVE_UP_RTTS round-trip times, whichever is longer. */
const GIVE_UP_MS = 1000;
const GIVE_UP_RTTS = 4;
/** A gap of more packets than this counts as a cut: the node requests a keyframe instead of retransmissions. */
export const NACK_GAP = 256;
const RATE_WINDOW_MS = 1000;

/**
 * @param options.keep whether to cache packets and request missing ones (video)
 * @param options.sender SSRC of the node's RTCP
 */
export function createReceiver(options: {
  readonly ssrc: number;
  readonly clockRate: number;
  readonly keep: boolean;
  readonly sender: number;
}): Receiver {
  const cache: (Buffer | undefined)[] = options.keep ? Array.from({ length: CACHE }) : [];
  const missing = new Map<number, { since: number; asked: number; tries: number; due: number }>();
  let rtt = RTT_MS;
  let base = -1;
  /** Extended sequence number, which does not wrap. */
  let highest = -1;
  let received = 0;
  let bytes = 0;
  let lost = 0;
  let lostForGood = 0;
  let jitter = 0;
  let transit = Number.NaN;
  let expectedBefore = 0;
  let receivedBefore = 0;
  let lastSr = 0;
  let lastSrAt = 0;
  let loss = 0;
  let window = { from: 0, bytes: 0 };
  let rate = 0;
  let rateAt = 0;

  /** Updates the round-trip time from a retransmission. The first NACK may have been lost, so a longer time weighs less. */
  const answered = (ms: number): void => {
    rtt += (ms - rtt) * (ms < rtt ? 0.5 : 0.1);
  };

  const begin = (sequence: number): void => {
    base = sequence;
    highest = sequence - 1;
    received = 0;
    expectedBefore = 0;
    receivedBefore = 0;
    missing.clear();
    cache.fill(undefined);
  };

  return {
    receive(packet, header, now) {
      const { sequence } = header;
      if (highest === -1) begin(sequence);
      let diff = seqDiff(sequence, highest & 0xffff);
      if (diff > 3000 || diff < -3000) {
        // The sender restarted its numbering.
        begin(sequence);
        diff = 1;
      }
      const extended = highest + diff;
      if (diff <= 0) {
        const asked = missing.get(extended)?.asked ?? Number.NaN;
        if (!Number.isNaN(asked)) answered(now - asked);
        const late = missing.delete(extended);
        const kept = cache[sequence & (CACHE - 1)];
        if (!late && (!options.keep || kept?.readUInt16BE(2) === sequence)) return false;
      } else {
        if (options.keep && diff > 1 && diff <= NACK_GAP) {
          for (let s = highest + 1; s < extended; s += 1) {
            missing.set(s, { since: now, asked: Number.NaN, tries: 0, due: now });
          }
        }
        highest = extended;
      }
      received += 1;
      bytes += packet.length;
      if (options.keep) cache[sequence & (CACHE - 1)] = packet;
      if (diff > 0) {
        const moved = now * (options.clockRate / 1000) - header.timestamp;
        if (!Number.isNaN(transit)) {
          const d = Math.abs(moved - transit);
          if (d < options.clockRate) jitter += (d - jitter) / 16;
        }
        transit = moved;
      }
      if (now - window.from >= RATE_WINDOW_MS) {
        rate = window.from === 0 ? 0 : (window.bytes * 8000) / (now - window.from);
        rateAt = now;
        window = { from: now, bytes: 0 };
      }
      window.bytes += packet.length;
      return true;
    },

    cached(sequence) {
      const packet = cache[sequence & (CACHE - 1)];
      return packet?.readUInt16BE(2) === sequence ? packet : undefined;
    },

    gap: (sequence) => (highest === -1 ? 0 : Math.max(0, seqDiff(sequence, highest & 0xffff) - 1)),

    nack(now) {
      const due: number[] = [];
      const patience = Math.max(GIVE_UP_MS, rtt * GIVE_UP_RTTS);
      for (const [sequence, state] of missing) {
        if (highest - sequence > CACHE || now - state.since >= patience) {
          missing.delete(sequence);
          lostForGood += 1;
        } else if (state.due <= now) {
          if (Number.isNaN(state.asked)) state.asked = now;
          const wait = Math.max(RETRY_MIN_MS, rtt * RETRY) * RETRY_LONGER ** state.tries;
          state.tries += 1;
          state.due = now + Math.min(wait, RETRY_MAX_MS);
          due.push(sequence & 0xffff);
        }
      }
      return due.length === 0 ? null : buildNack(options.sender, options.ssrc, due);
    },

    report(now) {
      if (highest === -1) return null;
      const expected = highest - base + 1;
      const fresh = expected - expectedBefore;
      const came = received - receivedBefore;
      expectedBefore = expected;
      receivedBefore = received;
      const fraction = fresh > 0 ? Math.max(0, Math.min(1, (fresh - came) / fresh)) : 0;
      loss += (fraction - loss) * 0.3;
      lost = Math.max(0, expected - received);
      return buildReceiverReport(options.sender, [
        {
          ssrc: options.ssrc,
          fractionLost: fraction,
          lost,
          highest,
          jitter,
          lastSr,
          sinceSr: lastSr === 0 ? 0 : Math.round(((now - lastSrAt) / 1000) * 65_536),
        },
      ]);
    },

    sawSenderReport(report, now) {
      lastSr = (((report.ntpHigh & 0xffff) << 16) | (report.ntpLow >>> 16)) >>> 0;
      lastSrAt = now;
    },

    bitrate: (now) => (now - rateAt > 3000 ? 0 : rate),
    get missing() {
      return missing.size;
    },
    get lostForGood() {
      return lostForGood;
    },
    get loss() {
      return loss;
    },
    get packets() {
      return received;
    },
    get bytes() {
      return bytes;
    },
  };
}
