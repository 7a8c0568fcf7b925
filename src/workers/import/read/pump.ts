/** Carries inflated chunks to a tokeniser that takes what it can and is given the rest again with more behind it. */
import type { AppError } from "../../../shared/errors.ts";
import type { Pieces } from "../contracts.ts";

/** @typeParam P what may come instead of bytes, made of them elsewhere */
export interface Tokens<P = never> {
  /** Nothing more is wanted. */
  readonly done: boolean;
  /**
   * The bytes behind b[0, length) are zero, SLACK of them: looking ahead ends there.
   *
   * @param last no more will come
   * @returns how many bytes were taken
   */
  feed(b: Uint8Array, length: number, last: boolean): number;
  /** A piece that stands behind all that was fed, of which nothing is untaken. @returns whether it can be taken here */
  readonly adopt?: (piece: P) => boolean;
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
export async function pump<P extends { readonly length: number } = never>(
  stream: Pieces<Uint8Array | P>,
  tokens: Tokens<P>,
  limit: number,
  eager: boolean,
  onChunk: (bytes: number) => void,
): Promise<void> {
  let room = BUFFER;
  let buffer = new Uint8Array(room + SLACK);
  let length = 0;
  let total = 0;
  let offerAt = eager ? 1 : BUFFER;
  /** @returns false when what stands in front of the piece is in the middle of something: it was no place to begin */
  const adopt = (piece: P): boolean => {
    buffer.fill(0, length, length + SLACK);
    const taken = tokens.feed(buffer, length, false);
    if (taken > 0) {
      buffer.copyWithin(0, taken, length);
      length -= taken;
    }
    if (tokens.done) return true;
    if (!isBlank(buffer, length) || tokens.adopt?.(piece) !== true) return false;
    length = 0;
    return true;
  };
  try {
    for (let chunk = await stream.next(); chunk !== null; chunk = await stream.next()) {
      if (!(chunk instanceof Uint8Array)) {
        if (!adopt(chunk)) {
          stream.back?.();
          continue;
        }
        if (tokens.done) return;
        total += chunk.length;
        onChunk(total);
        continue;
      }
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

function isBlank(b: Uint8Array, length: number): boolean {
  for (let i = 0; i < length; i += 1) if (b[i]! > 32) return false;
  return true;
}
