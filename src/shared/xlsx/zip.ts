/**
 * Streams a zip archive. Sizes and checksums follow the data (data descriptors), so no entry is ever held in memory. There is
 * no zip64: an archive of 4 GiB ends the stream with an error.
 */
import { Deflate as FflateDeflate, Zip, ZipPassThrough } from "fflate";

export type Bytes = Uint8Array<ArrayBuffer>;
type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
/** Compresses as raw deflate. Closes its source when its reader stops. */
export type Deflate = (source: AsyncIterable<Uint8Array>) => AsyncIterable<Bytes>;

export interface ZipEntry {
  /** Path in the archive, with slashes. */
  readonly name: string;
  readonly content: Chunks;
}

const MAX = 0xff_ff_ff_ff;
const DEFLATE = 8;
const NONE = new Uint8Array(0);
/** The first date that zip can represent: equal contents make equal files, and the archive does not reveal when it was made. */
const DATE = new Date(1980, 0, 1);

/** Counts the size and checksum of its data. The archive gets the compressed data by `ondata`. */
class CompressedEntry extends ZipPassThrough {
  constructor(name: string) {
    super(name);
    this.compression = DEFLATE;
    this.mtime = DATE;
  }
  protected override process(): void {}
}

/** Runs on this thread, which is what small entries need. */
export const fflateDeflate: Deflate = async function* (source) {
  const out: Bytes[] = [];
  const deflate = new FflateDeflate({ level: 4 }, (chunk) => void out.push(chunk));
  for await (const chunk of source) {
    deflate.push(chunk);
    yield* out.splice(0);
  }
  deflate.push(NONE, true);
  yield* out;
};

/**
 * @param deflate the platform's own, where it is faster
 * @throws Error when the archive reaches 4 GiB, and any error of an entry's content
 */
export async function* zip(
  entries: Iterable<ZipEntry>,
  deflate: Deflate = fflateDeflate,
): AsyncGenerator<Bytes> {
  const out: Bytes[] = [];
  const archive = new Zip((error, chunk) => {
    if (error !== null) throw error;
    out.push(chunk);
  });
  let total = 0;
  for (const { name, content } of entries) {
    const entry = new CompressedEntry(name);
    archive.add(entry);
    for await (const packed of deflate(counted(content, entry))) {
      entry.ondata(null, packed, false);
      for (const chunk of out.splice(0)) {
        total += chunk.length;
        if (entry.size > MAX || total > MAX) throw new Error("the archive is over 4 GiB");
        yield chunk;
      }
    }
    entry.ondata(null, NONE, true);
  }
  archive.end();
  yield* out;
}

async function* counted(content: Chunks, entry: ZipPassThrough): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    entry.push(chunk);
    yield chunk;
  }
  entry.push(NONE, true);
}
