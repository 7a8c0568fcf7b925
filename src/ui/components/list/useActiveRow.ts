/** The row of a list that has the focus, and the keys that move it. */
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { VirtualRows } from "../useVirtualRows.ts";

/** Rows that the page keys move by. */
const PAGE = 10;

export interface ActiveRow {
  readonly index: number | null;
  /** How often a key moved it. */
  readonly moves: number;
  set(index: number): void;
  onKeyDown(event: KeyboardEvent): void;
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: PAGE,
  PageUp: -PAGE,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

const isControl = (target: EventTarget): boolean =>
  target instanceof Element && target.closest("button, a, input") !== null;

export function useActiveRow(options: {
  /** Index of the first row that is shown. */
  readonly from: number;
  /** Number of rows that are shown. */
  readonly count: number;
  /** The row that is open beside the list; it stays in sight. */
  readonly open: number | null;
  readonly onOpen: ((index: number) => void) | undefined;
  /** @param range with all rows since the one that was marked last */
  readonly onChoose: (index: number, range: boolean) => void;
}): ActiveRow {
  const { from, count, open } = options;
  const last = from + count - 1;
  const [focused, setFocused] = useState<number | null>(null);
  const [moves, setMoves] = useState(0);
  const chosen = open ?? focused;
  const index = chosen === null || count === 0 ? null : Math.max(from, Math.min(last, chosen));
  return {
    index,
    moves,
    set: setFocused,
    onKeyDown(event) {
      if (event.altKey || event.ctrlKey || event.metaKey || count === 0) return;
      const step = STEPS[event.key];
      if (step !== undefined) {
        event.preventDefault();
        setMoves((n) => n + 1);
        const at = index ?? (step > 0 ? from - 1 : from);
        setFocused(Math.max(from, Math.min(last, at + step)));
        return;
      }
      if (index === null || isControl(event.target)) return;
      if (event.key === "Enter") options.onOpen?.(index);
      else if (event.key === " ") options.onChoose(index, event.shiftKey);
      else return;
      event.preventDefault();
    },
  };
}

/**
 * Brings the row into sight that is open or that a key led to, and gives the latter the focus.
 *
 * @param from index of the first row that is shown
 */
export function useRowInSight(
  { index, moves }: ActiveRow,
  from: number,
  open: number | null,
  { box, scrollTo }: VirtualRows,
): void {
  const before = useRef({ moves, open });
  useEffect(() => {
    const was = before.current;
    before.current = { moves, open };
    if (index === null || (was.moves === moves && was.open === open)) return;
    scrollTo(index - from);
    if (was.moves === moves) return;
    box.current
      ?.querySelector<HTMLElement>(`[data-index="${index}"]`)
      ?.focus({ preventScroll: true });
  }, [index, moves, from, open, box, scrollTo]);
}
