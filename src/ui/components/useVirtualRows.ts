/** Rows of equal height, as many as there are. Only visible rows are rendered; the head stays at the top. */
import {
  type CSSProperties,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import {
  aheadOf,
  AT_TOP,
  barOf,
  driftOf,
  type Extent,
  follow,
  heightOf,
  listFor,
  mustSettle,
  type Place,
  rowsAt,
} from "./row-places.ts";
import { useRowsInSight } from "./useRowsInSight.ts";
import { useScrollCue } from "./useScrollCue.ts";

/** Rows that are rendered above and below the visible part. */
const OVERSCAN = 12;
/** ms without scrolling after which the list rests. */
const REST = 150;

export interface VirtualRow {
  readonly index: number;
  /** px from the top of the element with the rows */
  readonly start: number;
}
export interface VirtualRows {
  /** The element that scrolls. */
  readonly box: RefObject<HTMLDivElement | null>;
  /** Of the element with the head and the rows, the only one in the box that has a height. */
  readonly space: CSSProperties;
  readonly items: readonly VirtualRow[];
  /** Brings a row into sight. */
  scrollTo(index: number): void;
}

/** What is rendered: the visible rows, and px by which the list is ahead of the element. */
interface Sight {
  readonly first: number;
  readonly last: number;
  readonly ahead: number;
}

const NOTHING: Sight = { first: 0, last: 0, ahead: 0 };
const isSame = (a: Sight, b: Sight): boolean =>
  a.first === b.first && a.last === b.last && a.ahead === b.ahead;

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
  const content = (count + 1) * rowHeight;
  const [sight, setSight] = useState(NOTHING);
  const drawn = useRef(NOTHING);
  const at = useRef<Place>(AT_TOP);
  const view = useRef(0);
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);

  const { look, goTo } = useMemo(() => {
    const extent = (): Extent => ({ content, view: view.current });
    const show = (place: Place, sync: boolean): void => {
      at.current = place;
      const next = {
        ...rowsAt(extent(), place.list, rowHeight),
        ahead: aheadOf(extent(), place),
      };
      if (isSame(drawn.current, next)) return;
      drawn.current = next;
      // The visible part must not stay empty until React renders by itself.
      if (sync) flushSync(() => setSight(next));
      else setSight(next);
    };
    const goToList = (list: number, sync: boolean): void => {
      const element = box.current;
      if (element === null) return;
      element.scrollTop = Math.round(barOf(extent(), list));
      // Browsers round what they are given.
      show({ list, bar: element.scrollTop }, sync);
    };
    const settle = (sync: boolean): void => {
      if (Math.abs(driftOf(extent(), at.current)) >= 1) goToList(at.current.list, sync);
    };
    return {
      goTo: goToList,
      /** Follows what the browser made of the box. @param sync renders at once; not allowed while React renders */
      look(sync: boolean): void {
        const element = box.current;
        // Nothing has a height while the page is hidden.
        if (element === null || view.current === 0) return;
        const place = follow(extent(), at.current, element.scrollTop);
        if (mustSettle(extent(), place)) {
          at.current = place;
          settle(sync);
        } else show(place, sync);
        clearTimeout(rest.current);
        if (Math.abs(driftOf(extent(), at.current)) >= 1) {
          rest.current = setTimeout(() => settle(true), REST);
        }
      },
    };
  }, [content, rowHeight]);

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = (): void => {
      view.current = element.clientHeight;
    };
    const sizes = new ResizeObserver(() => {
      measure();
      look(true);
    });
    const onScroll = (): void => look(true);
    measure();
    look(false);
    sizes.observe(element);
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      clearTimeout(rest.current);
      sizes.disconnect();
      element.removeEventListener("scroll", onScroll);
    };
  }, [look]);

  const most = Math.max(0, count - 1);
  const first = Math.max(0, Math.min(sight.first, most) - OVERSCAN);
  const last = Math.min(most, sight.last + OVERSCAN);
  const ask = useCallback(
    (from: number, to: number) => {
      if (count > 0) need(from, to);
    },
    [need, count],
  );
  useRowsInSight(first, last, ask);

  const height = heightOf({ content });
  const isMapped = height < content;
  const items = useMemo(() => {
    const placed = (index: number): VirtualRow => {
      const start = (index + 1) * rowHeight - sight.ahead;
      if (!isMapped || (index >= first && index <= last)) return { index, start };
      // Out of sight, and no further, for an element far away is one that browsers cannot place.
      return { index, start: index < first ? -2 * rowHeight : height };
    };
    const shown =
      count === 0 ? [] : Array.from({ length: last - first + 1 }, (_, i) => placed(first + i));
    if (kept === null || kept < 0 || kept >= count || (kept >= first && kept <= last)) return shown;
    return kept < first ? [placed(kept), ...shown] : [...shown, placed(kept)];
  }, [first, last, count, kept, rowHeight, height, isMapped, sight.ahead]);
  return {
    box,
    space: useMemo(
      () => ({ height, position: "relative", ...(isMapped ? { overflowY: "clip" } : {}) }),
      [height, isMapped],
    ),
    items,
    scrollTo: useCallback(
      (index) =>
        goTo(listFor({ content, view: view.current }, at.current.list, index, rowHeight), false),
      [goTo, content, rowHeight],
    ),
  };
}
