/** Raw deflate, on this thread by the browser's own stream. */
import type { Pieces } from "../contracts.ts";
import { fileGone } from "./faults.ts";

/** Packed bytes read at once, and given to inflate at once: a bomb makes a thousand of one, so the second is small. */
const SLICE = 1 << 20;
const PIECE = 1 << 16;

export const readSlice = async (blob: Blob, from: number, to: number): Promise<Uint8Array> => {
  try {
    return new Uint8Array(await blob.slice(from, to).arrayBuffer());
  } catch (cause) {
    throw fileGone(cause);
  }
};

/** The bytes of a Blob in pieces. */
function pieces(blob: Blob): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  const next = (): Promise<Uint8Array> | null => {
    if (at >= blob.size) return null;
    const begin = at;
    // small at first, so that the first rows come at once
    at = Math.min(blob.size, begin === 0 ? 2 * PIECE : begin + SLICE);
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

/** A part that was stored as it is. */
export const storedBytes = (packed: Blob | Uint8Array): Pieces<Uint8Array> =>
  readAll(packedBytes(packed));

export const inflateHere = (packed: Blob | Uint8Array): Pieces<Uint8Array> =>
  readAll(packedBytes(packed).pipeThrough(new DecompressionStream("deflate-raw")));
