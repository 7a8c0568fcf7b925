/**
 * Gives equal texts of a column equal ids, by open addressing over a hash of their bytes, so that no string is made per cell. A
 * shared string is hashed once, however often it occurs.
 */
import { CELL, type CellKind, type ColumnIds } from "./contracts.ts";
import { textsOf } from "./read/texts.ts";

export interface IdSource {
  readonly rows: number;
  /** Number of shared strings. */
  readonly strings: number;
  kind(i: number): CellKind;
  value(i: number): number;
  bytes(i: number): Uint8Array;
  /** Style of a cell that its format shows in another way. */
  style(i: number): number;
  /** Text bytes of a number, date, bool or error; the result of `marked` if the text alone is ambiguous. */
  key(i: number): Uint8Array;
}

/** Separates a text from its distinguishing suffix: the byte never occurs in UTF-8. */
const MARK = 0xff;
/** The key of a cell that looks like a text but is not equal to it: a number that lost digits, an error, a formatted number. */
export function marked(text: Uint8Array, by: Uint8Array): Uint8Array {
  const whole = new Uint8Array(text.length + 1 + by.length);
  whole.set(text);
  whole[text.length] = MARK;
  whole.set(by, text.length + 1);
  return whole;
}

/** Values whose id is cached. */
const REMEMBERED = 1 << 18;

export function createIds(source: IdSource): ColumnIds {
  const { rows } = source;
  const ids = new Int32Array(rows).fill(-1);
  let slots = new Int32Array(1024).fill(-1);
  let hashes = new Uint32Array(512);
  let ends = new Uint32Array(513);
  let arena = new Uint8Array(1 << 14);
  let count = 0;
  const byString = source.strings > 0 ? new Int32Array(source.strings).fill(-1) : null;
  /** Cached ids per kind and style. */
  const byValue = new Map<number, Map<number, number>>();

  function same(id: number, b: Uint8Array): boolean {
    const from = ends[id]!;
    if (ends[id + 1]! - from !== b.length) return false;
    for (let k = 0; k < b.length; k += 1) if (arena[from + k] !== b[k]) return false;
    return true;
  }

  function grow(): void {
    const size = 2 * slots.length;
    slots = new Int32Array(size).fill(-1);
    for (let id = 0; id < count; id += 1) {
      let slot = hashes[id]! & (size - 1);
      while (slots[slot] !== -1) slot = (slot + 1) & (size - 1);
      slots[slot] = id;
    }
    hashes = enlarge(hashes, new Uint32Array(size / 2));
    ends = enlarge(ends, new Uint32Array(size / 2 + 1));
  }

  function add(b: Uint8Array, hash: number, slot: number): number {
    const from = ends[count]!;
    if (from + b.length > arena.length) {
      arena = enlarge(arena, new Uint8Array(Math.max(2 * arena.length, from + b.length)));
    }
    if (b.length < 64) for (let k = 0; k < b.length; k += 1) arena[from + k] = b[k]!;
    else arena.set(b, from);
    hashes[count] = hash;
    ends[count + 1] = from + b.length;
    slots[slot] = count;
    count += 1;
    if (2 * count >= slots.length) grow();
    return count - 1;
  }

  function idOf(b: Uint8Array): number {
    if (b.length === 0) return -1;
    let hash = 0x811c9dc5;
    for (let k = 0; k < b.length; k += 1) hash = Math.imul(hash ^ b[k]!, 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    hash = (hash ^ (hash >>> 13)) >>> 0;
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const id = slots[slot]!;
      if (id === -1) return add(b, hash, slot);
      if (hashes[id] === hash && same(id, b)) return id;
      slot = (slot + 1) & mask;
    }
  }

  function valueId(i: number, kind: CellKind): number {
    const value = source.value(i);
    const place = kind < CELL.shownNumber ? kind : 16 * source.style(i) + kind;
    const ids = byValue.get(place) ?? new Map<number, number>();
    byValue.set(place, ids);
    const known = ids.get(value);
    if (known !== undefined) return known;
    const id = idOf(source.key(i));
    if (ids.size < REMEMBERED) ids.set(value, id);
    return id;
  }

  for (let i = 0; i < rows; i += 1) {
    const kind = source.kind(i);
    if (kind === CELL.empty) continue;
    if (kind === CELL.shared && byString !== null) {
      const index = source.value(i);
      const known = byString[index]!;
      if (known !== -1) ids[i] = known;
      else {
        const id = idOf(source.bytes(i));
        byString[index] = id;
        ids[i] = id;
      }
    } else if (kind === CELL.text) ids[i] = idOf(source.bytes(i));
    // Indexes of texts differ from batch to batch.
    else if (kind === CELL.error || kind === CELL.shownText) ids[i] = idOf(source.key(i));
    else ids[i] = valueId(i, kind);
  }

  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const text = (id: number): string => {
    if (id < 0 || id >= count) return "";
    const bytes = arena.subarray(ends[id], ends[id + 1]);
    const mark = bytes.lastIndexOf(MARK);
    return decoder.decode(mark < 0 ? bytes : bytes.subarray(0, mark));
  };
  return {
    ids,
    count,
    text,
    texts() {
      const used = arena.subarray(0, ends[count]);
      if (used.includes(MARK)) return Array.from({ length: count }, (_, id) => text(id));
      return textsOf(used, count, ends.subarray(0, count + 1), false);
    },
  };
}

function enlarge<T extends { set(from: T): void }>(from: T, to: T): T {
  to.set(from);
  return to;
}
