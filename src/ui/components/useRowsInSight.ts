/** Asks for the rows near the visible part of a long list. Rows that only fly past, on the way to its end, are not asked for. */
import { useEffect, useRef } from "react";

/** ms for which the list must rest after a jump. */
const REST = 80;

/**
 * Calls `need` at once when the rows follow those before, and after a rest when the list jumped: keys and scroll bars pass thousands
 * of rows within a few frames.
 *
 * @param first index of the first row near the visible part
 * @param last index of the last one
 * @param need must keep its identity while it asks for the same rows; it is called again when it changes
 */
export function useRowsInSight(
  first: number,
  last: number,
  need: (first: number, last: number) => void,
): void {
  const before = useRef({ first, last });
  useEffect(() => {
    const jumped = first > before.current.last || last < before.current.first;
    before.current = { first, last };
    if (!jumped) {
      need(first, last);
      return;
    }
    const timer = setTimeout(() => need(first, last), REST);
    return () => clearTimeout(timer);
  }, [first, last, need]);
}
