/** Reads and builds RTCP (RFC 3550 §6, RFC 3611, RFC 4585, RFC 5104, goog-remb). Reading never throws. */

const SR = 200;
const RR = 201;
const RTPFB = 205;
const PSFB = 206;
const XR = 207;
/** Blocks of an extended report: the receiver's time, and the sender's answer to it. */
const RRTR = 4;
const DLRR = 5;

/** Most sequence numbers that one NACK may request: an honest receiver needs no more. */
const NACK_MAX = 512;

export interface ReportBlock {
  readonly ssrc: number;
  /** 0..1 since the last report. */
  readonly fractionLost: number;
}
export interface SenderReport {
  readonly ssrc: number;
  readonly ntpHigh: number;
  readonly ntpLow: number;
  readonly rtpTimestamp: number;
  readonly packets: number;
  readonly octets: number;
}
export type RtcpItem =
  | { readonly t: "sr"; readonly report: SenderReport; readonly blocks: readonly ReportBlock[] }
  | { readonly t: "rr"; readonly blocks: readonly ReportBlock[] }
  | { readonly t: "nack"; readonly media: number; readonly sequences: readonly number[] }
  /** PLI (picture loss indication) or FIR (full intra request). */
  | { readonly t: "pli"; readonly media: number }
  /** Round-trip question of a receive-only side (RRTR). `time` is the middle 32 bits of its NTP time. */
  | { readonly t: "time"; readonly from: number; readonly time: number }
  /** The receiver's estimate, bits per second. */
  | { readonly t: "remb"; readonly bitrate: number };

/** The known items of a compound packet. Parsing stops at a truncated part. */
export function parseRtcp(b: Buffer): RtcpItem[] {
  const items: RtcpItem[] = [];
  for (let at = 0; at + 8 <= b.length;) {
    if (b.readUInt8(at) >> 6 !== 2) break;
    const end = at + (b.readUInt16BE(at + 2) + 1) * 4;
    if (end > b.length) break;
    const item = parsePart(b.subarray(at, end));
    if (item !== null) items.push(item);
    at = end;
  }
  return items;
}

function parsePart(p: Buffer): RtcpItem | null {
  const count = p.readUInt8(0) & 0x1f;
  switch (p.readUInt8(1)) {
    case SR:
      return p.length < 28
        ? null
        : {
            t: "sr",
            report: {
              ssrc: p.readUInt32BE(4),
              ntpHigh: p.readUInt32BE(8),
              ntpLow: p.readUInt32BE(12),
              rtpTimestamp: p.readUInt32BE(16),
              packets: p.readUInt32BE(20),
              octets: p.readUInt32BE(24),
            },
            blocks: parseBlocks(p, 28, count),
          };
    case RR:
      return { t: "rr", blocks: parseBlocks(p, 8, count) };
    case RTPFB:
      return count === 1 && p.length >= 16
        ? { t: "nack", media: p.readUInt32BE(8), sequences: parseNack(p) }
        : null;
    case PSFB:
      if (p.length < 12) return null;
      if (count === 1) return { t: "pli", media: p.readUInt32BE(8) };
      if (count === 4) {
        return { t: "pli", media: p.length >= 16 ? p.readUInt32BE(12) : p.readUInt32BE(8) };
      }
      return count === 15 ? parseRemb(p) : null;
    case XR:
      return parseTime(p);
    default:
      return null;
  }
}

function parseTime(p: Buffer): RtcpItem | null {
  for (let at = 8; at + 4 <= p.length; at += (p.readUInt16BE(at + 2) + 1) * 4) {
    if (p.readUInt8(at) !== RRTR || at + 12 > p.length) continue;
    const time = ((p.readUInt16BE(at + 6) << 16) | p.readUInt16BE(at + 8)) >>> 0;
    return { t: "time", from: p.readUInt32BE(4), time };
  }
  return null;
}

function parseBlocks(p: Buffer, from: number, count: number): ReportBlock[] {
  const blocks: ReportBlock[] = [];
  for (let i = 0, at = from; i < count && at + 24 <= p.length; i += 1, at += 24) {
    blocks.push({ ssrc: p.readUInt32BE(at), fractionLost: p.readUInt8(at + 4) / 256 });
  }
  return blocks;
}

function parseNack(p: Buffer): number[] {
  const sequences: number[] = [];
  for (let at = 12; at + 4 <= p.length; at += 4) {
    const first = p.readUInt16BE(at);
    const more = p.readUInt16BE(at + 2);
    sequences.push(first);
    for (let bit = 0; bit < 16; bit += 1) {
      if ((more & (1 << bit)) !== 0) sequences.push((first + bit + 1) & 0xffff);
    }
    if (sequences.length >= NACK_MAX) return sequences.slice(0, NACK_MAX);
  }
  return sequences;
}

function parseRemb(p: Buffer): RtcpItem | null {
  if (p.length < 20 || p.toString("latin1", 12, 16) !== "REMB") return null;
  const exponent = p.readUInt8(17) >> 2;
  const mantissa = ((p.readUInt8(17) & 0x03) << 16) | p.readUInt16BE(18);
  return { t: "remb", bitrate: mantissa * 2 ** exponent };
}

function head(count: number, type: number, bytes: number, sender: number): Buffer {
  const b = Buffer.alloc(bytes);
  b.writeUInt8(0x80 | count, 0);
  b.writeUInt8(type, 1);
  b.writeUInt16BE(bytes / 4 - 1, 2);
  b.writeUInt32BE(sender >>> 0, 4);
  return b;
}

export interface ReceiverBlock {
  readonly ssrc: number;
  /** 0..1 */
  readonly fractionLost: number;
  readonly lost: number;
  readonly highest: number;
  readonly jitter: number;
  /** Middle 32 bits of the last sender report's NTP time; 0 when none came. `sinceSr` is its age in 1/65536 s. */
  readonly lastSr: number;
  readonly sinceSr: number;
}

export function buildReceiverReport(sender: number, blocks: readonly ReceiverBlock[]): Buffer {
  const b = head(blocks.length, RR, 8 + 24 * blocks.length, sender);
  blocks.forEach((block, i) => {
    const at = 8 + 24 * i;
    b.writeUInt32BE(block.ssrc >>> 0, at);
    b.writeUInt8(Math.max(0, Math.min(255, Math.floor(block.fractionLost * 256))), at + 4);
    b.writeUIntBE(Math.max(0, Math.min(0x7fffff, block.lost)), at + 5, 3);
    b.writeUInt32BE(block.highest >>> 0, at + 8);
    b.writeUInt32BE(Math.round(block.jitter) >>> 0, at + 12);
    b.writeUInt32BE(block.lastSr >>> 0, at + 16);
    b.writeUInt32BE(block.sinceSr >>> 0, at + 20);
  });
  return b;
}

export function buildSenderReport(report: SenderReport): Buffer {
  const b = head(0, SR, 28, report.ssrc);
  b.writeUInt32BE(report.ntpHigh >>> 0, 8);
  b.writeUInt32BE(report.ntpLow >>> 0, 12);
  b.writeUInt32BE(report.rtpTimestamp >>> 0, 16);
  b.writeUInt32BE(report.packets >>> 0, 20);
  b.writeUInt32BE(report.octets >>> 0, 24);
  return b;
}

/** Answers an RRTR without delay (DLRR). @param time the value of the question */
export function buildTimeAnswer(sender: number, receiver: number, time: number): Buffer {
  const b = head(0, XR, 24, sender);
  b.writeUInt8(DLRR, 8);
  b.writeUInt16BE(3, 10);
  b.writeUInt32BE(receiver >>> 0, 12);
  b.writeUInt32BE(time >>> 0, 16);
  return b;
}

/** @param sequences ascending 16-bit sequence numbers */
export function buildNack(sender: number, media: number, sequences: readonly number[]): Buffer {
  const pairs: [first: number, more: number][] = [];
  for (const sequence of sequences) {
    const last = pairs.at(-1);
    const after = last === undefined ? 0 : (sequence - last[0]) & 0xffff;
    if (last !== undefined && after >= 1 && after <= 16) last[1] |= 1 << (after - 1);
    else pairs.push([sequence, 0]);
  }
  const b = head(1, RTPFB, 12 + 4 * pairs.length, sender);
  b.writeUInt32BE(media >>> 0, 8);
  pairs.forEach(([first, more], i) => {
    b.writeUInt16BE(first & 0xffff, 12 + 4 * i);
    b.writeUInt16BE(more & 0xffff, 14 + 4 * i);
  });
  return b;
}

export function buildPli(sender: number, media: number): Buffer {
  const b = head(1, PSFB, 12, sender);
  b.writeUInt32BE(media >>> 0, 8);
  return b;
}

/** @param bitrate bits per second for all of `media` together */
export function buildRemb(sender: number, media: readonly number[], bitrate: number): Buffer {
  const b = head(15, PSFB, 20 + 4 * media.length, sender);
  b.write("REMB", 12, "latin1");
  let mantissa = Math.max(0, Math.floor(bitrate));
  let exponent = 0;
  while (mantissa > 0x3ffff) {
    mantissa = Math.floor(mantissa / 2);
    exponent += 1;
  }
  b.writeUInt8(media.length, 16);
  b.writeUInt8((exponent << 2) | (mantissa >> 16), 17);
  b.writeUInt16BE(mantissa & 0xffff, 18);
  media.forEach((ssrc, i) => b.writeUInt32BE(ssrc >>> 0, 20 + 4 * i));
  return b;
}
