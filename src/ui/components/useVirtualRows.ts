/** Rows of equal height. Only visible rows are rendered; the head stays at the top. */
import { useVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useRef } from "react";
import { useScrollCue } from "./useScrollCue.ts";

const OVERSCAN = 12;

export interface VirtualRows {
  readonly box: RefObject<HTMLDivElement | null>;
  /** px of all rows plus the head */
  readonly height: number;
  readonly items: readonly VirtualItem[];
  scrollTo(index: number): void;
}

/** @param need called with the visible range whenever it changes */
export function useVirtualRows(
  count: number,
  rowHeight: number,
  need: (from: number, to: number) => void,
): VirtualRows {
  const box = useRef<HTMLDivElement>(null);
  useScrollCue(box);
  // oxlint-disable-next-line react/incompatible-library -- no compiler memoises here
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    paddingStart: rowHeight,
  });
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (count > 0) need(first, last);
  }, [need, first, last, count]);
  return {
    box,
    height: virtual.getTotalSize(),
    items,
    scrollTo: (index) => virtual.scrollToIndex(index),
  };
}
