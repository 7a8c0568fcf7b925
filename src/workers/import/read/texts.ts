/** Many texts decoded at once: one call for a block of them, cut up by the lengths in UTF-16. */

const BLOCK = 1 << 16;
/** Texts up to so many bytes are looked for among those that came before. */
const SHORT = 32;
const SLOTS = 1 << 12;

/**
 * @param bytes UTF-8 of all texts, one behind the other
 * @param start where text k begins, k up to and with `count`
 * @param repeats whether texts come back, as in the cells of a column: they are made once then
 */
export function textsOf(
  bytes: Uint8Array,
  count: number,
  start: (k: number) => number,
  repeats: boolean,
): string[] {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const texts: string[] = [];
  // by hash of the bytes: the last text that had it
  const seen = repeats ? new Int32Array(SLOTS).fill(-1) : null;
  let k = 0;
  while (k < count) {
    const first = k;
    const from = start(k);
    k += 1;
    while (k < count && start(k + 1) - from < BLOCK) k += 1;
    const to = start(k);
    const block = decoder.decode(bytes.subarray(from, to));
    const ascii = block.length === to - from;
    let at = 0;
    for (let q = first; q < k; q += 1) {
      const begin = start(q);
      const end = start(q + 1);
      let length = end - begin;
      let hash = length;
      if (!ascii || seen !== null) {
        let units = 0;
        for (let x = begin; x < end; x += 1) {
          const c = bytes[x]!;
          if ((c & 0xc0) !== 0x80) units += c >= 0xf0 ? 2 : 1;
          hash = (Math.imul(hash, 31) + c) | 0;
        }
        length = units;
      }
      if (seen !== null && end - begin <= SHORT) {
        const slot = (hash ^ (hash >>> 12)) & (SLOTS - 1);
        const known = seen[slot]!;
        if (known >= 0 && same(bytes, start(known), start(known + 1), begin, end)) {
          texts.push(texts[known]!);
          at += length;
          continue;
        }
        seen[slot] = q;
      }
      texts.push(block.substring(at, at + length));
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
