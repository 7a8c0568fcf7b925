/**
 * A zip by slices of its Blob: the tail and the directory, then the parts that are asked for. Zip64, stored entries and data
 * descriptors; sizes are taken from the directory and checked against what comes out.
 */
import { AppError } from "../../../shared/errors.ts";
import { u16, u32, u64 } from "./bytes.ts";
import { checkSignal, corrupt, tooLarge } from "./faults.ts";
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
/** Packed bytes read at once, and given to inflate at once: a bomb makes a thousand of one, so the second is small. */
const SLICE = 1 << 20;
const PIECE = 1 << 16;

export const readSlice = async (blob: Blob, from: number, to: number): Promise<Uint8Array> => {
  try {
    return new Uint8Array(await blob.slice(from, to).arrayBuffer());
  } catch (cause) {
    // the file was changed or taken away on disk since it was chosen
    throw new AppError("import.corrupt", {
      message: "读取文件失败，文件可能已被移动或修改，请重新选择",
      cause,
    });
  }
};

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
    // some writers use backslashes, some begin with a slash
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

/** Sizes that do not fit into 32 bits stand in an extra field, in this order. */
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

/** The entry's packed bytes in pieces. */
function packedPieces(
  blob: Blob,
  from: number,
  to: number,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = from;
  const next = (): Promise<Uint8Array> | null => {
    if (at >= to) return null;
    const begin = at;
    // small at first, so that the first rows come at once
    at = Math.min(to, begin === from ? begin + 2 * PIECE : begin + SLICE);
    return readSlice(blob, begin, at);
  };
  // one slice is fetched while the one before is being read
  let coming = next();
  coming?.catch(() => undefined);
  let slice: Uint8Array = new Uint8Array(0);
  let used = 0;
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        if (used >= slice.length) {
          if (coming === null) {
            controller.close();
            return;
          }
          slice = await coming;
          used = 0;
          coming = next();
          coming?.catch(() => undefined);
        }
        const piece = slice.subarray(used, used + PIECE) as Uint8Array<ArrayBuffer>;
        used += PIECE;
        controller.enqueue(piece);
      },
      cancel() {
        coming = null;
      },
    },
    { highWaterMark: 1 },
  );
}

export interface EntryStream {
  /** null at the end. @throws AppError import.corrupt, import.too-large */
  next(): Promise<Uint8Array | null>;
  /** Idempotent; no need to wait. */
  close(): void;
}

/**
 * Inflated bytes of an entry as they come.
 *
 * @param limit most bytes that this part may have
 */
export async function openEntry(
  blob: Blob,
  entry: ZipEntry,
  limit: number,
  signal: AbortSignal,
): Promise<EntryStream> {
  if (entry.size > limit) throw tooLarge("size");
  if (entry.size > LIMITS.ratioFrom && entry.size > entry.packed * LIMITS.ratio) {
    throw tooLarge("ratio");
  }
  const header = await readSlice(blob, entry.offset, entry.offset + 30);
  if (header.length < 30 || u32(header, 0) !== LOCAL) throw corrupt(`header of ${entry.name}`);
  const from = entry.offset + 30 + u16(header, 26) + u16(header, 28);
  if (from + entry.packed > blob.size) throw corrupt(`entry ${entry.name} outside the file`);
  const packed = packedPieces(blob, from, from + entry.packed);
  if (entry.method !== 0 && entry.method !== 8) {
    throw new AppError("import.unsupported", { details: { method: entry.method } });
  }
  const reader = (
    entry.method === 0 ? packed : packed.pipeThrough(new DecompressionStream("deflate-raw"))
  ).getReader();
  let total = 0;
  const close = (): void => void reader.cancel().catch(() => undefined);
  return {
    async next() {
      checkSignal(signal);
      let chunk;
      try {
        chunk = await reader.read();
      } catch (cause) {
        throw cause instanceof AppError ? cause : corrupt(`inflating ${entry.name}`, cause);
      }
      if (chunk.done) {
        if (total !== entry.size) throw corrupt(`size of ${entry.name}`);
        return null;
      }
      total += chunk.value.length;
      if (total > entry.size) {
        close();
        throw corrupt(`${entry.name} is larger than it says`);
      }
      return chunk.value;
    },
    close,
  };
}

/** A part that is small by its nature. */
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
