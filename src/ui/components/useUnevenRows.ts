/**
 * Rows of unequal heights of which only those near the visible part are rendered. The scroll position is the caller's: it keeps what is
 * read in place, so this hook corrects nothing.
 */
import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";

/** px above and below the visible part that are rendered, and that must remain before rows are rendered again. */
const AROUND = 800;
const LEAST = 400;
/** Rows beyond that which may stay rendered. */
const SPARE = 15;
/** Rows that are rendered first, from the end. */
const FIRST = 40;
/** Rows beside a kept one that stay with it, so that keys lead from it to them. */
const BESIDE = 3;

/** Keys of the first and last rendered row, and px of the rows that were rendered before. */
interface Shown {
  readonly first: string;
  readonly last: string;
  readonly heights: ReadonlyMap<string, number>;
}
const NOTHING: Shown = { first: "", last: "", heights: new Map() };

export interface UnevenRow {
  readonly key: string;
  /** px, until the row was rendered once */
  readonly estimate: number;
}
export type Piece<R> =
  | { readonly row: R }
  /** Stands for rows that are not rendered. */
  | { readonly skip: string; readonly height: number };

export interface UnevenRows<R> {
  /** The element whose children are the pieces. */
  readonly list: RefObject<HTMLOListElement | null>;
  readonly pieces: readonly Piece<R>[];
  /** Renders a row wherever it is, because it has the focus or shall be shown. */
  keep(key: string): void;
  /** Must be called after each change of position or height. */
  settle(): void;
}

/** @param boxRef the element that scrolls */
export function useUnevenRows<R extends UnevenRow>(
  rows: readonly R[],
  boxRef: RefObject<HTMLElement | null>,
): UnevenRows<R> {
  const list = useRef<HTMLOListElement>(null);
  const heights = useRef(new Map<string, number>());
  const places = useMemo(() => new Map(rows.map(({ key }, at) => [key, at])), [rows]);
  /** By key and not by index: rows that come before them must not change which rows are rendered. */
  const [shown, setShown] = useState<Shown>(NOTHING);
  const [kept, setKept] = useState<string | null>(null);

  const last = places.get(shown.last) ?? rows.length - 1;
  const first = Math.min(places.get(shown.first) ?? Math.max(0, last + 1 - FIRST), last);
  const pieces = useMemo(() => {
    const at = kept === null ? undefined : places.get(kept);
    const near = (index: number): boolean => at !== undefined && Math.abs(index - at) <= BESIDE;
    const made: Piece<R>[] = [];
    let skipped = 0;
    for (const [index, row] of rows.entries()) {
      if ((index < first || index > last) && !near(index)) {
        skipped += shown.heights.get(row.key) ?? row.estimate;
        continue;
      }
      if (skipped > 0) made.push({ skip: `before ${row.key}`, height: skipped });
      skipped = 0;
      made.push({ row });
    }
    if (skipped > 0) made.push({ skip: "end", height: skipped });
    return made;
  }, [rows, places, first, last, shown, kept]);

  const now = useRef({ rows, pieces, first, last });
  useLayoutEffect(() => {
    now.current = { rows, pieces, first, last };
  });
  const settle = useCallback(() => {
    const [element, ol] = [boxRef.current, list.current];
    // nothing has a height while the page is hidden
    if (element === null || ol === null || element.clientHeight === 0) return;
    const { rows: all, pieces: drawn, first: from, last: to } = now.current;
    const tops = [...ol.children].map((child) => child.getBoundingClientRect().top);
    const end = ol.getBoundingClientRect().bottom;
    for (const [at, piece] of drawn.entries()) {
      const top = tops[at];
      if ("row" in piece && top !== undefined) {
        heights.current.set(piece.row.key, (tops[at + 1] ?? end) - top);
      }
    }
    // px from the list's first row
    const above = element.getBoundingClientRect().top - ol.getBoundingClientRect().top;
    const below = above + element.clientHeight;
    const find = (px: number): number => {
      let sum = 0;
      for (const [at, { key, estimate }] of all.entries()) {
        sum += heights.current.get(key) ?? estimate;
        if (sum > px) return at;
      }
      return all.length - 1;
    };
    const covers = (px: number): boolean => from <= find(above - px) && to >= find(below + px);
    if (all.length === 0) return;
    const [begin, until] = [find(above - AROUND), find(below + AROUND)];
    const spare = Math.max(0, begin - from) + Math.max(0, to - until);
    if (covers(LEAST) && spare <= SPARE) return;
    const next = {
      first: all[begin]?.key ?? "",
      // the last row is no key: rows that come after it are rendered with it
      last: until === all.length - 1 ? "" : (all[until]?.key ?? ""),
      heights: new Map(heights.current),
    };
    const show = (): void => setShown(next);
    // the visible part must not stay empty until React renders by itself
    if (covers(0)) show();
    else queueMicrotask(() => flushSync(show));
  }, [boxRef]);

  return { list, pieces, keep: setKept, settle };
}
