/** Inflates raw deflate data on this thread, with the browser's DecompressionStream. */
import type { Pieces } from "../contracts.ts";
import { fileGone } from "./faults.ts";

/**
 * SLICE: packed bytes per read. PIECE: packed bytes inflated at a time. One byte of a bomb inflates to a thousand, so PIECE is
 * small.
 */
const SLICE = 1 << 20;
const PIECE = 1 << 16;

export const readSlice = async (blob: Blob, from: number, to: number): Promise<Uint8Array> => {
  try {
    return new Uint8Array(await blob.slice(from, to).arrayBuffer());
  } catch (cause) {
    throw fileGone(cause);
  }
};

/** The bytes of a Blob as a stream of pieces. */
function pieces(blob: Blob): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  const next = (): Promise<Uint8Array> | null => {
    if (at >= blob.size) return null;
    const begin = at;
    // A small first read lets the first rows appear quickly.
    at = Math.min(blob.size, begin === 0 ? 2 * PIECE : begin + SLICE);
    return readSlice(blob, begin, at);
  };
  // The next slice is fetched while the current one is consumed.
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

const given = (bytes: Uint8Array): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream({
    start(controller) {
      if (bytes.length > 0) controller.enqueue(bytes as Uint8Array<ArrayBuffer>);
      controller.close();
    },
  });

const packedBytes = (packed: Blob | Uint8Array): ReadableStream<Uint8Array<ArrayBuffer>> =>
  packed instanceof Uint8Array ? given(packed) : pieces(packed);

const readAll = (stream: ReadableStream<Uint8Array>): Pieces<Uint8Array> => {
  const reader = stream.getReader();
  return {
    async next() {
      const chunk = await reader.read();
      return chunk.done ? null : chunk.value;
    },
    close: () => void reader.cancel().catch(() => undefined),
  };
};

/** An entry that was stored without compression. */
export const storedBytes = (packed: Blob | Uint8Array): Pieces<Uint8Array> =>
  readAll(packedBytes(packed));

export const inflateHere = (packed: Blob | Uint8Array): Pieces<Uint8Array> =>
  readAll(packedBytes(packed).pipeThrough(new DecompressionStream("deflate-raw")));
