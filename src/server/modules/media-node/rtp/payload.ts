/** Reads from a payload what a layer switch needs: whether a keyframe begins, and VP8's picture numbers. */
import type { VideoCodec } from "../../../../shared/protocol/confr-model.ts";

/** Offsets and values of VP8's running numbers (RFC 7741 §4.2). An offset of -1 means absent. */
export interface Vp8Descriptor {
  readonly pictureIdAt: number;
  /** 7 or 15 bits. */
  readonly pictureIdBits: 7 | 15;
  readonly pictureId: number;
  readonly tl0At: number;
  readonly tl0: number;
  /** Offset of the VP8 payload after the descriptor. */
  readonly payloadAt: number;
  readonly startOfFrame: boolean;
}

/** @returns null when the payload is too short */
export function parseVp8(b: Buffer, start: number, end: number): Vp8Descriptor | null {
  if (start >= end) return null;
  const first = b[start] ?? 0;
  let at = start + 1;
  let pictureIdAt = -1;
  let pictureIdBits: 7 | 15 = 7;
  let pictureId = -1;
  let tl0At = -1;
  if ((first & 0x80) !== 0) {
    const bits = b[at] ?? 0;
    at += 1;
    if ((bits & 0x80) !== 0) {
      pictureIdAt = at;
      const high = b[at] ?? 0;
      if ((high & 0x80) !== 0) {
        pictureIdBits = 15;
        pictureId = ((high & 0x7f) << 8) | (b[at + 1] ?? 0);
        at += 2;
      } else {
        pictureId = high;
        at += 1;
      }
    }
    if ((bits & 0x40) !== 0) {
      tl0At = at;
      at += 1;
    }
    if ((bits & 0x30) !== 0) at += 1;
  }
  if (at >= end) return null;
  return {
    pictureIdAt,
    pictureIdBits,
    pictureId,
    tl0At,
    tl0: tl0At === -1 ? -1 : (b[tl0At] ?? 0),
    payloadAt: at,
    startOfFrame: (first & 0x10) !== 0 && (first & 0x0f) === 0,
  };
}

/** Rewrites in place the numbers that are present. */
export function rewriteVp8(b: Buffer, d: Vp8Descriptor, pictureId: number, tl0: number): void {
  if (d.pictureIdAt !== -1) {
    if (d.pictureIdBits === 15) b.writeUInt16BE(0x8000 | (pictureId & 0x7fff), d.pictureIdAt);
    else b.writeUInt8(pictureId & 0x7f, d.pictureIdAt);
  }
  if (d.tl0At !== -1) b.writeUInt8(tl0 & 0xff, d.tl0At);
}

const NAL_SPS = 7;
const NAL_IDR = 5;
const NAL_STAP_A = 24;
const NAL_FU_A = 28;

function h264Keyframe(b: Buffer, start: number, end: number): boolean {
  const type = (b[start] ?? 0) & 0x1f;
  // Browsers send a parameter set before every IDR picture, and the decoder needs it: the keyframe begins there.
  if (type === NAL_SPS) return true;
  if (type === NAL_STAP_A) {
    for (let at = start + 1; at + 3 <= end; at += 2 + b.readUInt16BE(at)) {
      if (((b[at + 2] ?? 0) & 0x1f) === NAL_SPS) return true;
    }
    return false;
  }
  if (type === NAL_FU_A) {
    const head = b[start + 1] ?? 0;
    return (head & 0x80) !== 0 && (head & 0x1f) === NAL_SPS;
  }
  return type === NAL_IDR && end - start > 1;
}

/** Whether a keyframe begins in this packet. Does not throw on malformed bytes. */
export function startsKeyframe(codec: VideoCodec, b: Buffer, start: number, end: number): boolean {
  if (start >= end) return false;
  if (codec === "H264") return h264Keyframe(b, start, end);
  const vp8 = parseVp8(b, start, end);
  return vp8 !== null && vp8.startOfFrame && ((b[vp8.payloadAt] ?? 1) & 0x01) === 0;
}
