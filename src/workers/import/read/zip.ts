/**
 * Reads a zip by slices of its Blob: the tail and the directory, then the requested parts. Supports Zip64, stored entries and
 * data descriptors. Sizes come from the directory and are checked against the inflated bytes.
 */
import { AppError } from "../../../shared/errors.ts";
import { u16, u32, u64 } from "./bytes.ts";
import { checkSignal, corrupt, tooLarge } from "./faults.ts";
import type { Pieces } from "../contracts.ts";
import { inflateHere, readSlice, storedBytes } from "./inflate.ts";
import { LIMITS } from "./limits.ts";

export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
}
export type Zip = ReadonlyMap<string, ZipEntry>;

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
/** @throws AppError import.corrupt, import.encrypted, import.too-large */
export async function openZip(blob: Blob, signal: AbortSignal): Promise<Zip> {
  const tailLength = Math.min(blob.size, 65_557);
  const tailAt = blob.size - tailLength;
  const tail = await readSlice(blob, tailAt, blob.size);
  checkSignal(signal);
  let end = tailLength - 22;
  while (end >= 0 && u32(tail, end) !== END) end -= 1;
  if (end < 0) throw corrupt("end of the zip is missing");
  let count = u16(tail, end + 10);
  let size = u32(tail, end + 12);
  let offset = u32(tail, end + 16);
  if (count === 0xffff || size === 0xffffffff || offset === 0xffffffff) {
    const locator = end - 20;
    if (locator >= 0 && u32(tail, locator) === 0x07064b50) {
      const at = u64(tail, locator + 8);
      const record = await readSlice(blob, at, at + 56);
      if (record.length < 56 || u32(record, 0) !== 0x06064b50) throw corrupt("zip64 end");
      count = u64(record, 32);
      size = u64(record, 40);
      offset = u64(record, 48);
    }
  }
  if (count > LIMITS.entries || size > LIMITS.directory) throw tooLarge("entries");
  if (offset + size > blob.size) throw corrupt("directory outside the file");
  const directory =
    offset >= tailAt
      ? tail.subarray(offset - tailAt, offset - tailAt + size)
      : await readSlice(blob, offset, offset + size);
  return readDirectory(directory, count, blob.size);
}

function readDirectory(directory: Uint8Array, count: number, fileSize: number): Zip {
  const entries = new Map<string, ZipEntry>();
  const decoder = new TextDecoder();
  let p = 0;
  for (let k = 0; k < count; k += 1) {
    if (p + 46 > directory.length || u32(directory, p) !== CENTRAL) throw corrupt("zip directory");
    const nameLength = u16(directory, p + 28);
    const extraLength = u16(directory, p + 30);
    const nameEnd = p + 46 + nameLength;
    const extraEnd = nameEnd + extraLength;
    if (extraEnd > directory.length) throw corrupt("zip directory");
    if ((u16(directory, p + 8) & 1) === 1) throw new AppError("import.encrypted");
    // Some writers use backslashes or a leading slash.
    const name = decoder
      .decode(directory.subarray(p + 46, nameEnd))
      .replaceAll("\\", "/")
      .replace(/^\//, "");
    const sizes = zip64Sizes(directory, nameEnd, extraEnd, [
      u32(directory, p + 24),
      u32(directory, p + 20),
      u32(directory, p + 42),
    ]);
    const entry = { name, method: u16(directory, p + 10), ...sizes };
    if (entry.offset + 30 + entry.packed > fileSize)
      throw corrupt(`entry ${name} outside the file`);
    entries.set(name, entry);
    p = extraEnd + u16(directory, p + 32);
  }
  return entries;
}

/** Sizes that do not fit into 32 bits are in an extra field, in this order. */
function zip64Sizes(
  b: Uint8Array,
  from: number,
  to: number,
  short: readonly [size: number, packed: number, offset: number],
): Pick<ZipEntry, "size" | "packed" | "offset"> {
  const values = [...short];
  for (let x = from; x + 4 <= to; x += 4 + u16(b, x + 2)) {
    if (u16(b, x) !== 1) continue;
    let at = x + 4;
    for (const [index, value] of short.entries()) {
      if (value !== 0xffffffff) continue;
      if (at + 8 > to) throw corrupt("zip64 sizes");
      values[index] = u64(b, at);
      at += 8;
    }
  }
  const [size = 0, packed = 0, offset = 0] = values;
  return { size, packed, offset };
}

/**
 * NEAR: packed bytes up to which a part is read together with its header. HEADER_SPACE: bytes for what is between the two, mostly
 * the name.
 */
const NEAR = 1 << 16;
const HEADER_SPACE = 512;

/**
 * The inflated bytes of an entry as a stream, or what `inflate` makes of them.
 *
 * @param limit most inflated bytes allowed for this part
 * @returns next() throws AppError import.corrupt, import.too-large
 */
export async function openEntry<T extends { readonly length: number } = Uint8Array>(
  blob: Blob,
  entry: ZipEntry,
  limit: number,
  signal: AbortSignal,
  inflate?: (packed: Blob) => Pieces<T | Uint8Array>,
): Promise<Pieces<T | Uint8Array>> {
  if (entry.size > limit) throw tooLarge("size");
  if (entry.size > LIMITS.ratioFrom && entry.size > entry.packed * LIMITS.ratio) {
    throw tooLarge("ratio");
  }
  // A small part is read together with its header, because each read is a round trip to another process.
  const near = inflate === undefined && entry.packed <= NEAR ? HEADER_SPACE + entry.packed : 0;
  const header = await readSlice(blob, entry.offset, entry.offset + 30 + near);
  if (header.length < 30 || u32(header, 0) !== LOCAL) throw corrupt(`header of ${entry.name}`);
  const from = entry.offset + 30 + u16(header, 26) + u16(header, 28);
  if (from + entry.packed > blob.size) throw corrupt(`entry ${entry.name} outside the file`);
  if (entry.method !== 0 && entry.method !== 8) {
    throw new AppError("import.unsupported", { details: { method: entry.method } });
  }
  const at = from - entry.offset;
  const packed =
    near > 0 && at + entry.packed <= header.length
      ? header.subarray(at, at + entry.packed)
      : blob.slice(from, from + entry.packed);
  const inflated =
    entry.method === 0
      ? storedBytes(packed)
      : packed instanceof Blob && inflate !== undefined
        ? inflate(packed)
        : inflateHere(packed);
  const { close } = inflated;
  let total = 0;
  let last = 0;
  return {
    async next() {
      checkSignal(signal);
      let piece;
      try {
        piece = await inflated.next();
      } catch (cause) {
        throw cause instanceof AppError ? cause : corrupt(`inflating ${entry.name}`, cause);
      }
      if (piece === null) {
        if (total !== entry.size) throw corrupt(`size of ${entry.name}`);
        return null;
      }
      last = piece.length;
      total += last;
      if (total > entry.size) {
        close();
        throw corrupt(`${entry.name} is larger than it says`);
      }
      return piece;
    },
    back() {
      total -= last;
      inflated.back?.();
    },
    close,
  };
}

/** The text of a part that is small by nature. */
export async function entryText(blob: Blob, entry: ZipEntry, signal: AbortSignal): Promise<string> {
  const stream = await openEntry(blob, entry, LIMITS.part, signal);
  const out = new Uint8Array(entry.size);
  let length = 0;
  for (let chunk = await stream.next(); chunk !== null; chunk = await stream.next()) {
    out.set(chunk, length);
    length += chunk.length;
  }
  return new TextDecoder(
    out[0] === 0xff ? "utf-16le" : out[0] === 0xfe ? "utf-16be" : "utf-8",
  ).decode(out);
}
