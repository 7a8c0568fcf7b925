/** Texts of a batch. Many are decoded at once: one call for a block of them, cut up by the lengths in UTF-16. */
import type { Batch } from "../contracts.ts";

const BLOCK = 1 << 16;
/** Texts up to so many bytes are looked for among those that came before. */
const SHORT = 32;
const SLOTS = 1 << 12;

/** UTF-8 of one text of a batch. */
export const textBytes = ({ bytes, ends, gap }: Batch, index: number): Uint8Array =>
  bytes.subarray(index === 0 ? 0 : ends[index - 1]! + gap, ends[index]);

/**
 * @param bytes UTF-8 of all texts, one behind the other
 * @param starts where each text begins; text k ends `gap` bytes before k + 1 begins, so there is one more of them than texts
 * @param repeats whether texts come back, as in the cells of a column: they are made once then
 * @param gap bytes between two texts, each a character
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
  // by hash of the bytes: the last text that had it
  const seen = repeats ? new Int32Array(SLOTS).fill(-1) : null;
  let k = 0;
  while (k < count) {
    const first = k;
    const from = starts[k]!;
    k += 1;
    while (k < count && starts[k + 1]! - from < BLOCK) k += 1;
    const to = Math.min(starts[k]!, bytes.length);
    const block = decoder.decode(bytes.subarray(from, to));
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
