/**
 * Streams a zip archive. Sizes and checksums follow the data (data descriptors), so no entry is ever held in memory. There is
 * no zip64: an entry or an archive of 4 GiB ends the stream with an error.
 */
import { pipeline } from "node:stream/promises";
import { constants, crc32, createDeflateRaw } from "node:zlib";

export interface ZipEntry {
  /** Path in the archive, with slashes. */
  readonly name: string;
  readonly content: AsyncIterable<Buffer> | Iterable<Buffer>;
}

const MAX = 0xff_ff_ff_ff;
const VERSION = 20;
/** Bit 3: a data descriptor follows; bit 11: the name is UTF-8. */
const FLAGS = 0x08_08;
const DEFLATE = 8;
/** 1980-01-01, the first date that zip can represent: the archive does not reveal when it was made. */
const DATE = 0x00_21;

interface Written {
  readonly name: Buffer;
  readonly offset: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
}

/** @throws Error when an entry or the archive reaches 4 GiB, and any error of an entry's content */
export async function* zip(entries: Iterable<ZipEntry>): AsyncGenerator<Buffer> {
  const done: Written[] = [];
  let offset = 0;
  for (const { name: text, content } of entries) {
    const name = Buffer.from(text);
    const start = offset;
    const header = localHeader(name);
    offset += header.length;
    yield header;
    const sums = { crc: 0, size: 0 };
    let packed = 0;
    for await (const chunk of deflated(counted(content, sums))) {
      packed += chunk.length;
      offset += chunk.length;
      if (sums.size > MAX || offset > MAX) throw new Error("the archive is over 4 GiB");
      yield chunk;
    }
    const entry = { name, offset: start, packed, ...sums };
    done.push(entry);
    const descriptor = dataDescriptor(entry);
    offset += descriptor.length;
    yield descriptor;
  }
  const directory = Buffer.concat(done.map(directoryHeader));
  if (offset + directory.length > MAX) throw new Error("the archive is over 4 GiB");
  yield directory;
  yield endOfDirectory(done.length, directory.length, offset);
}

async function* counted(
  content: ZipEntry["content"],
  sums: { crc: number; size: number },
): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    sums.crc = crc32(chunk, sums.crc);
    sums.size += chunk.length;
    yield chunk;
  }
}

async function* deflated(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  // Sheets are so repetitive that higher levels take time and gain little.
  const deflate = createDeflateRaw({ level: 4, strategy: constants.Z_DEFAULT_STRATEGY });
  const fed = pipeline(source, deflate);
  // Its error is thrown by the loop below. When the reader disconnects, the early end is intended.
  fed.catch(() => undefined);
  try {
    for await (const chunk of deflate) yield chunk as Buffer;
    await fed;
  } finally {
    deflate.destroy();
  }
}

function localHeader(name: Buffer): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04_03_4b_50, 0);
  header.writeUInt16LE(VERSION, 4);
  header.writeUInt16LE(FLAGS, 6);
  header.writeUInt16LE(DEFLATE, 8);
  header.writeUInt16LE(DATE, 12);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name]);
}

function dataDescriptor({ crc, packed, size }: Written): Buffer {
  const descriptor = Buffer.alloc(16);
  descriptor.writeUInt32LE(0x08_07_4b_50, 0);
  descriptor.writeUInt32LE(crc, 4);
  descriptor.writeUInt32LE(packed, 8);
  descriptor.writeUInt32LE(size, 12);
  return descriptor;
}

function directoryHeader({ name, offset, crc, packed, size }: Written): Buffer {
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02_01_4b_50, 0);
  header.writeUInt16LE(VERSION, 4);
  header.writeUInt16LE(VERSION, 6);
  header.writeUInt16LE(FLAGS, 8);
  header.writeUInt16LE(DEFLATE, 10);
  header.writeUInt16LE(DATE, 14);
  header.writeUInt32LE(crc, 16);
  header.writeUInt32LE(packed, 20);
  header.writeUInt32LE(size, 24);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt32LE(offset, 42);
  return Buffer.concat([header, name]);
}

function endOfDirectory(count: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06_05_4b_50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}
