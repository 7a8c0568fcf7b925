/** Which rows a list asks for while it scrolls (docs/session.md#lists). Pure. */

export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** Rows beyond those in sight. A fast wheel passes ten in a frame, and an answer takes a few frames. */
const AHEAD = 60;

/**
 * The rows in sight, and those that come into sight when the list goes on in the same direction, so that they are loaded then. A list that
 * rests or jumps asks for nothing more.
 *
 * @param total rows of the list
 */
export function withRowsAhead(before: RowRange, now: RowRange, total: number): RowRange {
  const jumped = now.from > before.to || now.to < before.from;
  if (jumped) return now;
  const last = Math.max(now.to, total - 1);
  return {
    from: now.from < before.from ? Math.max(0, now.from - AHEAD) : now.from,
    to: now.to > before.to ? Math.min(last, now.to + AHEAD) : now.to,
  };
}
