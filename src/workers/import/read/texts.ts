/** Decodes the texts of a batch. A block of texts is decoded in one call and split by their lengths in UTF-16. */
import type { Batch } from "../contracts.ts";

const BLOCK = 1 << 16;
/** Texts up to this many bytes are compared with earlier ones to reuse their strings. */
const SHORT = 32;
const SLOTS = 1 << 12;

/** UTF-8 of one text of a batch. */
export const textBytes = ({ bytes, ends, gap }: Batch, index: number): Uint8Array =>
  bytes.subarray(index === 0 ? 0 : ends[index - 1]! + gap, ends[index]);

/**
 * Decodes many texts.
 *
 * @param bytes UTF-8 of all texts, one after the other
 * @param starts where each text begins, plus one more entry; text k ends `gap` bytes before text k + 1 begins
 * @param repeats whether texts tend to repeat, as in the cells of a column; the string of a repeated short text is then made once
 * @param gap bytes between two texts, each of them one character
 */
export function textsOf(
  bytes: Uint8Array,
  count: number,
  starts: Uint32Array,
  repeats: boolean,
  gap = 0,
): string[] {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const texts: string[] = Array(count);
  // Per hash of the bytes: index of the last text with that hash.
  const seen = repeats ? new Int32Array(SLOTS).fill(-1) : null;
  let k = 0;
  while (k < count) {
    const first = k;
    const from = starts[k]!;
    k += 1;
    while (k < count && starts[k + 1]! - from < BLOCK) k += 1;
    const to = Math.min(starts[k]!, bytes.length);
    const block = decoder.decode(bytes.subarray(from, to));
    // Bytes that are no UTF-8 become this character, and then the lengths that are counted below would not match the block.
    if (block.includes("\ufffd")) {
      for (let q = first; q < k; q += 1) {
        texts[q] = decoder.decode(bytes.subarray(starts[q], starts[q + 1]! - gap));
      }
      continue;
    }
    const ascii = block.length === to - from;
    let at = -gap;
    for (let q = first; q < k; q += 1) {
      const begin = starts[q]!;
      const end = starts[q + 1]! - gap;
      at += gap;
      let length = end - begin;
      if (seen !== null && length <= SHORT) {
        let units = 0;
        let hash = length;
        for (let x = begin; x < end; x += 1) {
          const c = bytes[x]!;
          if ((c & 0xc0) !== 0x80) units += c >= 0xf0 ? 2 : 1;
          hash = (Math.imul(hash, 31) + c) | 0;
        }
        length = units;
        const slot = (hash ^ (hash >>> 12)) & (SLOTS - 1);
        const known = seen[slot]!;
        if (known >= 0 && same(bytes, starts[known]!, starts[known + 1]! - gap, begin, end)) {
          texts[q] = texts[known]!;
          at += length;
          continue;
        }
        seen[slot] = q;
      } else if (!ascii) {
        let units = 0;
        for (let x = begin; x < end; x += 1) {
          const c = bytes[x]!;
          if ((c & 0xc0) !== 0x80) units += c >= 0xf0 ? 2 : 1;
        }
        length = units;
      }
      texts[q] = block.substring(at, at + length);
      at += length;
    }
  }
  return texts;
}

function same(b: Uint8Array, from: number, to: number, other: number, end: number): boolean {
  if (to - from !== end - other) return false;
  for (let k = 0; k < to - from; k += 1) if (b[from + k] !== b[other + k]) return false;
  return true;
}
