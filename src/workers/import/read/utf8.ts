/** Checks that bytes are valid UTF-8 without decoding them: decoding costs more than everything else in reading a CSV. */

/** Length of the sequence that begins with this byte; 0 when no sequence does. */
function lengthOf(c: number): number {
  if (c < 0x80) return 1;
  if (c < 0xc2) return 0;
  if (c < 0xe0) return 2;
  if (c < 0xf0) return 3;
  return c < 0xf5 ? 4 : 0;
}

/** The second byte has narrower bounds, which exclude overlong forms, surrogates and code points above U+10FFFF. */
function isSecond(c: number, second: number): boolean {
  if ((second & 0xc0) !== 0x80) return false;
  if (c === 0xe0) return second >= 0xa0;
  if (c === 0xed) return second < 0xa0;
  if (c === 0xf0) return second >= 0x90;
  return c !== 0xf4 || second < 0x90;
}

/** @returns where the sequence at b[i] ends; 0 when it is invalid or incomplete */
export function sequenceEnd(b: Uint8Array, i: number): number {
  const length = lengthOf(b[i]!);
  if (length === 0 || i + length > b.length || !isSecond(b[i]!, b[i + 1]!)) return 0;
  if (length > 2 && (b[i + 2]! & 0xc0) !== 0x80) return 0;
  if (length > 3 && (b[i + 3]! & 0xc0) !== 0x80) return 0;
  return i + length;
}

/** @returns where the valid bytes end: b.length, or the start of an invalid or incomplete sequence */
function validEnd(b: Uint8Array): number {
  const end = b.length;
  let i = 0;
  while (i < end) {
    const c = b[i]!;
    if (c < 0x80) {
      i += 1;
      continue;
    }
    const next = sequenceEnd(b, i);
    if (next === 0) return i;
    i = next;
  }
  return i;
}

/** Length of the sequence at the end of b that is valid as far as it goes but incomplete; 0 when there is none. */
function cutOff(b: Uint8Array): number {
  for (let length = 1; length <= Math.min(3, b.length); length += 1) {
    const at = b.length - length;
    const first = b[at]!;
    if ((first & 0xc0) === 0x80) continue;
    if (lengthOf(first) <= length) return 0;
    return length === 1 || isSecond(first, b[at + 1]!) ? length : 0;
  }
  return 0;
}

export interface Mended {
  readonly bytes: Uint8Array;
  /** Where the first sign stands that was put in place of broken bytes; -1 when there is none. */
  readonly brokenAt: number;
}

/**
 * Mends a text chunk by chunk: bytes that are no UTF-8 become U+FFFD, as the platform's decoder does it. A sequence can span two
 * chunks; then its beginning comes with the second one.
 */
export function createUtf8Mender() {
  let rest = new Uint8Array(0);
  const encoder = new TextEncoder();
  return {
    /** Whether the beginning of a sequence was kept back. */
    get isWaiting(): boolean {
      return rest.length > 0;
    },
    mend(chunk: Uint8Array, last: boolean): Mended {
      let whole = chunk;
      if (rest.length > 0) {
        whole = new Uint8Array(rest.length + chunk.length);
        whole.set(rest);
        whole.set(chunk, rest.length);
        rest = new Uint8Array(0);
      }
      const end = validEnd(whole);
      if (end === whole.length) return { bytes: whole, brokenAt: -1 };
      const cut = last ? 0 : cutOff(whole);
      const length = whole.length - cut;
      rest = whole.slice(length);
      if (end === length) return { bytes: whole.subarray(0, length), brokenAt: -1 };
      const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(
        whole.subarray(end, length),
      );
      const mended = encoder.encode(text);
      const bytes = new Uint8Array(end + mended.length);
      bytes.set(whole.subarray(0, end));
      bytes.set(mended, end);
      return { bytes, brokenAt: end };
    },
  };
}
