/**
 * Feeds inflated chunks to a tokeniser. The tokeniser takes what it can; the rest is offered again together with the next bytes.
 */
import type { AppError } from "../../../shared/errors.ts";
import type { Pieces } from "../contracts.ts";

/** @typeParam P pieces that can come instead of bytes, because another thread parsed the bytes */
export interface Tokens<P = never> {
  /** The tokeniser needs no more input. */
  readonly done: boolean;
  /**
   * Consumes bytes of b[0, length). SLACK zero bytes follow them, so that lookahead stops there.
   *
   * @param last whether these are the last bytes
   * @returns number of bytes consumed
   */
  feed(b: Uint8Array, length: number, last: boolean): number;
  /** Takes a parsed piece that follows all bytes fed so far, none of which is left over. @returns whether it fits here */
  readonly adopt?: (piece: P) => boolean;
  /** The error to throw when more than the limit is left over. */
  stuck(): AppError;
}

const BUFFER = 1 << 17;
/** Number of zero bytes after the offered bytes. */
export const SLACK = 32;

/**
 * Bytes that were not consumed are offered again only when there are twice as many. So the work stays linear, however long an
 * unfinished piece is.
 *
 * @param limit most bytes that may be left over
 * @param eager offer each chunk at once, so that the first rows come early
 * @param onChunk called after each chunk with the inflated bytes so far
 */
export async function pump<P extends { readonly length: number } = never>(
  stream: Pieces<Uint8Array | P>,
  tokens: Tokens<P>,
  limit: number,
  eager: boolean,
  onChunk: (bytes: number) => void,
): Promise<void> {
  let capacity = BUFFER;
  let buffer = new Uint8Array(capacity + SLACK);
  let length = 0;
  let total = 0;
  let offerAt = eager ? 1 : BUFFER;
  /** @returns false when the bytes before the piece end within a row, so that the piece cannot start there */
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
        const part = Math.min(chunk.length - used, capacity - length);
        buffer.set(part === chunk.length ? chunk : chunk.subarray(used, used + part), length);
        length += part;
        used += part;
        if (length < offerAt && length < capacity) continue;
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
        if (length === capacity) {
          capacity *= 2;
          const larger = new Uint8Array(capacity + SLACK);
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
