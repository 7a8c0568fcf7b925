/** Copies XML text as bytes and resolves its references without making strings. */

export const u16 = (b: Uint8Array, i: number): number => b[i]! | (b[i + 1]! << 8);
export const u32 = (b: Uint8Array, i: number): number =>
  (b[i]! | (b[i + 1]! << 8) | (b[i + 2]! << 16) | (b[i + 3]! << 24)) >>> 0;
/** Exact up to 2^53, which is more than any size in a file. */
export const u64 = (b: Uint8Array, i: number): number => u32(b, i) + u32(b, i + 4) * 2 ** 32;

/** Writes a code point as UTF-8. @returns the index after it */
export function putCodePoint(out: Uint8Array, at: number, cp: number): number {
  let d = at;
  if (cp < 0x80) out[d++] = cp;
  else if (cp < 0x800) {
    out[d++] = 0xc0 | (cp >> 6);
    out[d++] = 0x80 | (cp & 63);
  } else if (cp < 0x10000) {
    out[d++] = 0xe0 | (cp >> 12);
    out[d++] = 0x80 | ((cp >> 6) & 63);
    out[d++] = 0x80 | (cp & 63);
  } else {
    out[d++] = 0xf0 | (cp >> 18);
    out[d++] = 0x80 | ((cp >> 12) & 63);
    out[d++] = 0x80 | ((cp >> 6) & 63);
    out[d++] = 0x80 | (cp & 63);
  }
  return d;
}

const NAMED: Readonly<Record<string, number>> = { amp: 38, lt: 60, gt: 62, quot: 34, apos: 39 };

/**
 * The code point that `&name;` stands for; -1 when unknown. Unknown references stay as they are: entities of a DOCTYPE are never
 * expanded.
 */
function reference(name: string): number {
  const named = NAMED[name];
  if (named !== undefined) return named;
  const digits = /^#(?:x([0-9a-f]{1,8})|([0-9]{1,8}))$/i.exec(name);
  if (digits === null) return -1;
  const cp = digits[1] === undefined ? Number(digits[2]) : Number.parseInt(digits[1], 16);
  return cp > 0 && cp < 0x110000 && (cp < 0xd800 || cp > 0xdfff) ? cp : -1;
}

const hex = (c: number): number =>
  c >= 48 && c <= 57 ? c - 48 : c >= 65 && c <= 70 ? c - 55 : c >= 97 && c <= 102 ? c - 87 : -1;

/** The character of `&amp;`, `&lt;` or `&gt;` at i, which are nearly all references; 0 for any other. */
function common(b: Uint8Array, i: number): number {
  if (b[i + 2] === 116 && b[i + 3] === 59) return b[i + 1] === 108 ? 60 : b[i + 1] === 103 ? 62 : 0;
  return b[i + 1] === 97 && b[i + 2] === 109 && b[i + 3] === 112 && b[i + 4] === 59 ? 38 : 0;
}

/** The value of the four digits of `_xHHHH_` at i, or -1. */
function escaped(b: Uint8Array, i: number, end: number): number {
  if (i + 7 > end || b[i + 1] !== 120 || b[i + 6] !== 95) return -1;
  let unit = 0;
  for (let k = i + 2; k < i + 6; k += 1) {
    const digit = hex(b[k]!);
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

/**
 * Copies b[i, end) up to a byte that needs special care: a reference, an escape or a line end. @returns number of bytes copied
 */
export function copyPlain(
  b: Uint8Array,
  i: number,
  end: number,
  out: Uint8Array,
  at: number,
): number {
  const shift = at - i;
  for (let k = i; k < end; k += 1) {
    const c = b[k]!;
    if (c === 38 || c === 95 || c === 13) return k - i;
    out[k + shift] = c;
  }
  return end - i;
}

/**
 * Copies XML text b[i, end) to `out`. Resolves references and the `_xHHHH_` of spreadsheets, and normalises line ends as XML
 * requires. Never writes more bytes than it reads.
 *
 * @returns the index after the copy in `out`
 */
export function copyText(
  b: Uint8Array,
  i: number,
  end: number,
  out: Uint8Array,
  at: number,
): number {
  const plain = copyPlain(b, i, end, out, at);
  return plain === end - i ? at + plain : copyMarked(b, i + plain, end, out, at + plain);
}

function copyMarked(
  b: Uint8Array,
  start: number,
  end: number,
  out: Uint8Array,
  at: number,
): number {
  let d = at;
  let i = start;
  while (i < end) {
    const c = b[i]!;
    if (c === 38) {
      const sign = common(b, i);
      const behind = i + (sign === 38 ? 5 : 4);
      if (sign > 0 && behind <= end) {
        out[d++] = sign;
        i = behind;
        continue;
      }
      let j = i + 1;
      while (j < end && b[j] !== 59 && j - i < 12) j += 1;
      const cp =
        b[j] === 59 && j < end ? reference(String.fromCharCode(...b.subarray(i + 1, j))) : -1;
      if (cp >= 0) {
        d = putCodePoint(out, d, cp);
        i = j + 1;
        continue;
      }
    } else if (c === 95) {
      let unit = escaped(b, i, end);
      if (unit >= 0) {
        i += 7;
        if (unit >= 0xd800 && unit < 0xdc00 && b[i] === 95) {
          const low = escaped(b, i, end);
          if (low >= 0xdc00 && low < 0xe000) {
            unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
            i += 7;
          }
        }
        d = putCodePoint(out, d, unit >= 0xd800 && unit < 0xe000 ? 0xfffd : unit);
        continue;
      }
    } else if (c === 13) {
      if (b[i + 1] === 10 && i + 1 < end) i += 1;
      out[d++] = 10;
      i += 1;
      continue;
    }
    out[d++] = c;
    i += 1;
  }
  return d;
}

/** Whether b[from, to) is how databases write that a field has no value: `NULL` or `\\N`. */
export function isNull(b: Uint8Array, from: number, to: number): boolean {
  if (to - from === 4) {
    return b[from] === 78 && b[from + 1] === 85 && b[from + 2] === 76 && b[from + 3] === 76;
  }
  return to - from === 2 && b[from] === 92 && b[from + 1] === 78;
}

/** If b[from, to) is `="…"`, moves the part between the quotes to `from`. @returns the index after it; -1 for anything else */
export function unwrapFormula(b: Uint8Array, from: number, to: number): number {
  const last = to - 1;
  if (last - from < 2 || b[from] !== 61 || b[from + 1] !== 34 || b[last] !== 34) return -1;
  for (let i = from + 2; i < last; i += 1) {
    if (b[i] !== 34) continue;
    // Two quotes stand for one.
    if (b[i + 1] !== 34 || i + 1 === last) return -1;
    i += 1;
  }
  let end = from;
  for (let i = from + 2; i < last; i += 1) {
    b[end] = b[i]!;
    end += 1;
    if (b[i] === 34) i += 1;
  }
  return end;
}

/** Column of the cell reference at i; `otherwise` when it has no letters. */
export function columnOf(b: Uint8Array, i: number, otherwise: number): number {
  let column = 0;
  for (let k = i; b[k]! >= 65; k += 1) column = column * 26 + (b[k]! & 31);
  return column > 0 ? column - 1 : otherwise;
}
