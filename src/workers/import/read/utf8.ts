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

/** Checks a text chunk by chunk; a sequence can span two chunks. */
export function createUtf8Check(): (chunk: Uint8Array, last: boolean) => boolean {
  let rest = new Uint8Array(0);
  return (chunk, last) => {
    let from = 0;
    if (rest.length > 0) {
      const wanted = lengthOf(rest[0]!) - rest.length;
      const whole = new Uint8Array(rest.length + Math.min(wanted, chunk.length));
      whole.set(rest);
      whole.set(chunk.subarray(0, wanted), rest.length);
      from = whole.length - rest.length;
      if (from < wanted && !last) {
        rest = whole;
        return true;
      }
      if (validEnd(whole) < whole.length) return false;
      rest = new Uint8Array(0);
    }
    const rest_ = chunk.subarray(from);
    const end = validEnd(rest_);
    if (end === rest_.length) return true;
    const length = lengthOf(rest_[end]!);
    // An incomplete sequence at the end is checked with the next chunk.
    if (last || length === 0 || end + length <= rest_.length) return false;
    rest = rest_.slice(end);
    return true;
  };
}
