/** Which rows a list asks for while it scrolls (docs/session.md#lists). Pure. */

export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** Rows beyond those in sight, at least. */
const LEAST = 60;
/** Steps of which the rows are asked for before: frames that an answer lasts on a slow machine. */
const STEPS = 20;
/** Rows beyond those in sight, at most: a page (useRows.ts). */
const MOST = 200;

/**
 * The rows in sight, and those that come into sight when the list goes on in the same direction, so that they are loaded then: more
 * of them the faster it goes. A list that rests or jumps asks for nothing more.
 *
 * @param total rows of the list
 */
export function withRowsAhead(before: RowRange, now: RowRange, total: number): RowRange {
  const jumped = now.from > before.to || now.to < before.from;
  if (jumped) return now;
  const last = Math.max(now.to, total - 1);
  const step = Math.max(Math.abs(now.from - before.from), Math.abs(now.to - before.to));
  const ahead = Math.min(MOST, Math.max(LEAST, step * STEPS));
  return {
    from: now.from < before.from ? Math.max(0, now.from - ahead) : now.from,
    to: now.to > before.to ? Math.min(last, now.to + ahead) : now.to,
  };
}
