/** Rows of equal height. Only visible rows are rendered; the head stays at the top. */
import {
  defaultRangeExtractor,
  type Range,
  useVirtualizer,
  type VirtualItem,
} from "@tanstack/react-virtual";
import { type RefObject, useCallback, useRef } from "react";
import { useRowsInSight } from "./useRowsInSight.ts";
import { useScrollCue } from "./useScrollCue.ts";

const OVERSCAN = 12;

export interface VirtualRows {
  readonly box: RefObject<HTMLDivElement | null>;
  /** px of all rows plus the head */
  readonly height: number;
  readonly items: readonly VirtualItem[];
  scrollTo(index: number): void;
}

/**
 * @param need called with the visible range whenever it changes, after a jump once the list rests
 * @param kept a row that is rendered wherever it is, because it has the focus
 */
export function useVirtualRows(
  count: number,
  rowHeight: number,
  need: (from: number, to: number) => void,
  kept: number | null = null,
): VirtualRows {
  const box = useRef<HTMLDivElement>(null);
  useScrollCue(box);
  const rangeExtractor = useCallback(
    (range: Range) => {
      const shown = defaultRangeExtractor(range);
      if (kept === null || kept >= range.count || shown.includes(kept)) return shown;
      return [...shown, kept].toSorted((a, b) => a - b);
    },
    [kept],
  );
  // oxlint-disable-next-line react/incompatible-library -- no compiler memoises here
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    paddingStart: rowHeight,
    scrollPaddingStart: rowHeight,
    rangeExtractor,
  });
  const items = virtual.getVirtualItems();
  const range = virtual.range ?? { startIndex: 0, endIndex: 0 };
  const first = Math.max(0, range.startIndex - OVERSCAN);
  const last = Math.min(Math.max(0, count - 1), range.endIndex + OVERSCAN);
  const ask = useCallback(
    (from: number, to: number) => {
      if (count > 0) need(from, to);
    },
    [need, count],
  );
  useRowsInSight(first, last, ask);
  return {
    box,
    height: virtual.getTotalSize(),
    items,
    scrollTo: (index) => virtual.scrollToIndex(index),
  };
}
