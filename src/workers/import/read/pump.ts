/** Carries inflated chunks to a tokeniser that takes what it can and is given the rest again with more behind it. */
import type { AppError } from "../../../shared/errors.ts";
import type { EntryStream } from "./zip.ts";

export interface Tokens {
  /** Nothing more is wanted. */
  readonly done: boolean;
  /**
   * The bytes behind b[0, length) are zero, SLACK of them: looking ahead ends there.
   *
   * @param last no more will come
   * @returns how many bytes were taken
   */
  feed(b: Uint8Array, length: number, last: boolean): number;
  /** What is wrong when more than the limit stays untaken. */
  stuck(): AppError;
}

const BUFFER = 1 << 17;
/** Zero bytes behind what is offered. */
export const SLACK = 32;

/**
 * What was not taken is offered again only when there is twice as much: work stays linear however long the unfinished piece is.
 *
 * @param limit most bytes that may stay untaken
 * @param eager offer each chunk at once, for the first rows
 * @param onChunk after each chunk: inflated bytes so far
 */
export async function pump(
  stream: EntryStream,
  tokens: Tokens,
  limit: number,
  eager: boolean,
  onChunk: (bytes: number) => void,
): Promise<void> {
  let room = BUFFER;
  let buffer = new Uint8Array(room + SLACK);
  let length = 0;
  let total = 0;
  let offerAt = eager ? 1 : BUFFER;
  try {
    for (let chunk = await stream.next(); chunk !== null; chunk = await stream.next()) {
      total += chunk.length;
      let used = 0;
      while (used < chunk.length) {
        const part = Math.min(chunk.length - used, room - length);
        buffer.set(part === chunk.length ? chunk : chunk.subarray(used, used + part), length);
        length += part;
        used += part;
        if (length < offerAt && length < room) continue;
        buffer.fill(0, length, length + SLACK);
        const taken = tokens.feed(buffer, length, false);
        if (tokens.done) return;
        if (taken > 0) {
          buffer.copyWithin(0, taken, length);
          length -= taken;
        } else if (length > limit) {
          throw tokens.stuck();
        }
        offerAt = eager || taken === 0 ? Math.max(2 * length, 1) : BUFFER;
        if (length === room) {
          room *= 2;
          const larger = new Uint8Array(room + SLACK);
          larger.set(buffer.subarray(0, length));
          buffer = larger;
        }
      }
      onChunk(total);
    }
    buffer.fill(0, length, length + SLACK);
    tokens.feed(buffer, length, true);
  } finally {
    stream.close();
  }
}
