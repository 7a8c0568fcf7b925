/** One incoming stream: what came, what is missing (asked for again), what may be asked of us later (kept). */
import { buildNack, buildReceiverReport, type SenderReport } from "../rtp/rtcp.ts";
import { seqDiff, type RtpHeader } from "../rtp/header.ts";

export interface Receiver {
  /** @returns false for a packet that was here before */
  take(packet: Buffer, header: RtpHeader, now: number): boolean;
  /** A packet that came, by its sequence number; undefined when it is too long ago. */
  cached(sequence: number): Buffer | undefined;
  /** How many before this one did not come; 0 for one that is late. */
  gap(sequence: number): number;
  /** NACK for what is missing and due, null when nothing is. */
  nack(now: number): Buffer | null;
  /** Whether anything is missing that will be asked for again. */
  readonly missing: number;
  /** Packets that were asked for in vain. */
  readonly lostForGood: number;
  report(now: number): Buffer | null;
  sawSenderReport(report: SenderReport, now: number): void;
  /** Bits a second over the last second or so; 0 when nothing comes. */
  bitrate(now: number): number;
  /** 0..1, smoothed: of the packets first expected. */
  readonly loss: number;
  readonly packets: number;
  readonly bytes: number;
}

const CACHE = 1024;
/** What the way there and back is taken to be until a packet that was asked for has come. */
const RTT_MS = 80;
/** How long a question waits for its packet: somewhat more than the way there and back, and longer each time. */
const RETRY = 1.2;
const RETRY_LONGER = 1.25;
const RETRY_MIN_MS = 20;
const RETRY_MAX_MS = 1000;
/** A packet that was asked for in vain so long, or so many times the way there and back, is given up. */
const GIVE_UP_MS = 1000;
const GIVE_UP_RTTS = 4;
/** More than this at once is no loss but a break: a keyframe is asked for instead. */
export const NACK_GAP = 256;
const RATE_WINDOW_MS = 1000;

/**
 * @param options.keep whether packets are kept and missing ones asked for (video)
 * @param options.sender SSRC that the node writes its RTCP with
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
  /** Extended, does not wrap. */
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

  /** A packet came that was asked for. The first question may have been lost: a longer time says less than a shorter one. */
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
    take(packet, header, now) {
      const { sequence } = header;
      if (highest === -1) begin(sequence);
      let diff = seqDiff(sequence, highest & 0xffff);
      if (diff > 3000 || diff < -3000) {
        // its sender began anew
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
