/** Reads RTP headers (RFC 3550 §5.1, RFC 8285) and rewrites them in place. Reading never throws, whatever the bytes are. */

export interface RtpHeader {
  readonly marker: boolean;
  readonly payloadType: number;
  readonly sequence: number;
  readonly timestamp: number;
  readonly ssrc: number;
  /** Offsets of the payload's start and end, without padding. */
  readonly payloadStart: number;
  readonly payloadEnd: number;
  /** Offsets of the header extension's elements; equal when there are none. */
  readonly extensionStart: number;
  readonly extensionEnd: number;
  readonly extensionProfile: number;
}

const ONE_BYTE = 0xbede;

/** RTP and RTCP share a port: RTCP types are 192 to 223 (RFC 5761 §4). */
export const isRtcp = (b: Buffer): boolean => {
  const type = b[1];
  return type !== undefined && type >= 192 && type <= 223;
};

/** @returns null when the bytes are not an RTP packet */
export function parseRtp(b: Buffer): RtpHeader | null {
  if (b.length < 12) return null;
  const first = b.readUInt8(0);
  if (first >> 6 !== 2) return null;
  const second = b.readUInt8(1);
  let at = 12 + (first & 0x0f) * 4;
  let extensionStart = at;
  let extensionEnd = at;
  let extensionProfile = 0;
  if ((first & 0x10) !== 0) {
    if (at + 4 > b.length) return null;
    extensionProfile = b.readUInt16BE(at);
    extensionStart = at + 4;
    extensionEnd = extensionStart + b.readUInt16BE(at + 2) * 4;
    at = extensionEnd;
  }
  let end = b.length;
  if ((first & 0x20) !== 0) end -= b.readUInt8(b.length - 1);
  if (at > b.length || end < at) return null;
  return {
    marker: (second & 0x80) !== 0,
    payloadType: second & 0x7f,
    sequence: b.readUInt16BE(2),
    timestamp: b.readUInt32BE(4),
    ssrc: b.readUInt32BE(8),
    payloadStart: at,
    payloadEnd: end,
    extensionStart,
    extensionEnd,
    extensionProfile,
  };
}

/**
 * Offset of an extension's value, in the one-byte or two-byte form.
 *
 * @param length required length of the value, bytes
 * @returns -1 when the extension is absent
 */
export function findExtension(b: Buffer, header: RtpHeader, id: number, length: number): number {
  const oneByte = header.extensionProfile === ONE_BYTE;
  if (!oneByte && header.extensionProfile >> 4 !== 0x100) return -1;
  let at = header.extensionStart;
  while (at < header.extensionEnd) {
    const head = b[at] ?? 0;
    if (head === 0) {
      at += 1;
      continue;
    }
    const found = oneByte ? head >> 4 : head;
    if (oneByte && found === 15) return -1;
    const size = oneByte ? (head & 0x0f) + 1 : (b[at + 1] ?? 0);
    const value = at + (oneByte ? 1 : 2);
    if (found === id) return size === length && value + length <= header.extensionEnd ? value : -1;
    at = value + size;
  }
  return -1;
}

/** Distance from b to a for 16-bit numbers that wrap: -32768..32767. */
export const seqDiff = (a: number, b: number): number => ((a - b) << 16) >> 16;

export interface Rewrite {
  readonly payloadType: number;
  readonly sequence: number;
  readonly timestamp: number;
  readonly ssrc: number;
}

/** Rewrites the header in place. */
export function rewriteRtp(b: Buffer, to: Rewrite): void {
  b.writeUInt8((b.readUInt8(1) & 0x80) | (to.payloadType & 0x7f), 1);
  b.writeUInt16BE(to.sequence & 0xffff, 2);
  b.writeUInt32BE(to.timestamp >>> 0, 4);
  b.writeUInt32BE(to.ssrc >>> 0, 8);
}

/**
 * Gives the elements of the header extension other ids, in place. An element whose id is mapped to 0 becomes padding, so that the
 * receiver does not take it for an extension that has this id on its side.
 */
export function rewriteExtensions(b: Buffer, header: RtpHeader, map: (id: number) => number): void {
  const oneByte = header.extensionProfile === ONE_BYTE;
  if (!oneByte && header.extensionProfile >> 4 !== 0x100) return;
  for (let at = header.extensionStart; at < header.extensionEnd;) {
    const head = b[at] ?? 0;
    if (head === 0) {
      at += 1;
      continue;
    }
    const id = oneByte ? head >> 4 : head;
    if (oneByte && id === 15) return;
    const value = at + (oneByte ? 1 : 2);
    const end = value + (oneByte ? (head & 0x0f) + 1 : (b[at + 1] ?? 0));
    if (end > header.extensionEnd) return;
    const to = map(id);
    if (to === 0) b.fill(0, at, end);
    else b.writeUInt8(oneByte ? (to << 4) | (head & 0x0f) : to, at);
    at = end;
  }
}

/** A retransmission of `packet` in a stream of its own (RFC 4588 §4). */
export function buildRtx(
  packet: Buffer,
  header: RtpHeader,
  to: { readonly payloadType: number; readonly ssrc: number; readonly sequence: number },
): Buffer {
  const b = Buffer.allocUnsafe(packet.length + 2);
  packet.copy(b, 0, 0, header.payloadStart);
  b.writeUInt16BE(header.sequence, header.payloadStart);
  packet.copy(b, header.payloadStart + 2, header.payloadStart);
  rewriteRtp(b, { ...to, timestamp: header.timestamp });
  return b;
}
