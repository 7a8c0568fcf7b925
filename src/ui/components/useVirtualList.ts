/** A list whose rows measure themselves: only those near the visible part are rendered, and the one with the focus and its neighbours. */
import { defaultRangeExtractor, useVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import { type FocusEvent, type RefObject, useEffect, useRef, useState } from "react";

/** Rows that are rendered above and below the visible part. */
const AROUND = 12;

export interface VirtualList {
  /** The element that scrolls. */
  readonly box: RefObject<HTMLDivElement | null>;
  /** px of the element with the rows */
  readonly height: number;
  readonly items: readonly VirtualItem[];
  /** The rendered rows, without one that only has the focus. */
  readonly first: number;
  readonly last: number;
  /** The ref of each row, which has its number as data-index. */
  readonly measure: (element: Element | null) => void;
  /** Handlers of the element with the rows: they keep the row with the focus wherever the list is scrolled. */
  readonly keeping: {
    readonly onFocus: (event: FocusEvent) => void;
    readonly onBlur: (event: FocusEvent) => void;
  };
}

type KeyOf = (index: number) => string | number;

function indexOfKey(count: number, keyOf: KeyOf, key: string | number): number | null {
  for (let n = 0; n < count; n += 1) if (keyOf(n) === key) return n;
  return null;
}

/** Whether a part of the row stands in the box that scrolls. */
function isInSight(row: Element, box: Element | null): boolean {
  if (box === null) return true;
  const [inside, outside] = [row.getBoundingClientRect(), box.getBoundingClientRect()];
  return inside.bottom > outside.top && inside.top < outside.bottom;
}

/**
 * @param rowHeight px of most rows, until they are measured
 * @param keyOf names a row, which may move when the list changes
 * @param what is listed, by what it was searched: another list begins at its top, wherever the one before was scrolled
 * @param always the key of a row that is rendered wherever the list is scrolled, so that it can get the focus
 */
export function useVirtualList(
  count: number,
  rowHeight: number,
  keyOf: KeyOf,
  what: string,
  always: string | number | null = null,
): VirtualList {
  const box = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<string | number | null>(null);
  const kept = [focused, always].flatMap((key) => {
    const index = key === null ? null : indexOfKey(count, keyOf, key);
    return index === null ? [] : [index];
  });
  useEffect(() => {
    // Newer browsers answer a scroll with a promise, which React would take for the cleanup of the effect.
    box.current?.scrollTo(0, 0);
  }, [what]);
  // oxlint-disable-next-line react/incompatible-library -- no compiler memoises here
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    getItemKey: keyOf,
    overscan: AROUND,
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      if (kept.length === 0) return shown;
      // With its neighbours, so that Tab goes on from it and not from what is in sight.
      const around = kept.flatMap((n) => [n - 1, n, n + 1]).filter((n) => n >= 0 && n < count);
      return [...new Set([...shown, ...around])].toSorted((a, b) => a - b);
    },
  });
  // A row above that is measured moves the others, so the list scrolls along. It does not where the browser has scrolled since the last
  // event, as to a row that Tab reaches: the list would go back to where it was before.
  virtual.shouldAdjustScrollPositionOnItemSizeChange = ({ start, size }, _delta, now) => {
    const offset = now.scrollOffset ?? 0;
    if (Math.abs((box.current?.scrollTop ?? offset) - offset) > 1) return false;
    const isFirst = size === rowHeight;
    return isFirst ? start < offset : start + size <= offset && now.scrollDirection !== "backward";
  };
  const { startIndex, endIndex } = virtual.range ?? { startIndex: 0, endIndex: 0 };
  const last = Math.min(Math.max(0, count - 1), endIndex + AROUND);
  return {
    box,
    height: virtual.getTotalSize(),
    items: virtual.getVirtualItems(),
    first: Math.min(last, Math.max(0, startIndex - AROUND)),
    last,
    measure: virtual.measureElement,
    keeping: {
      onFocus({ target }) {
        const row = target.closest("[data-index]");
        const at = row?.getAttribute("data-index");
        if (row === null || at == null) return setFocused(null);
        const index = Number(at);
        setFocused(keyOf(index));
        // A row that was kept out of sight comes into it. The range of the last render may be older than a scroll, and a list that moves
        // below a pressed pointer takes its click away.
        if (!isInSight(row, box.current)) virtual.scrollToIndex(index);
      },
      // The row to which the focus goes is rendered only while the one that it leaves is kept.
      onBlur({ relatedTarget, currentTarget }) {
        if (!currentTarget.contains(relatedTarget)) setFocused(null);
      },
    },
  };
}
