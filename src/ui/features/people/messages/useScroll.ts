/** Where the message list is scrolled to: it stays at its end, or keeps what is read in place when rows change above. */
import { useCallback, useEffect, useLayoutEffect, useRef, type RefObject } from "react";

/** px from the end that still count as the end. */
const NEAR = 80;

export interface Scroll {
  onScroll(): void;
  toEnd(): void;
}

/** What the list showed last. */
interface Kept {
  readonly end: boolean;
  readonly scrollTop: number;
  readonly height: number;
  /** The first message in sight, and its bottom in px from the list's first row. */
  readonly anchor: Element | null;
  readonly bottom: number;
}

const bottomOf = (box: Element, row: Element): number =>
  row.getBoundingClientRect().bottom - box.getBoundingClientRect().top + box.scrollTop;

/** The first message that reaches into the visible part. */
function firstInSight(box: Element): Element | null {
  const rows = box.getElementsByClassName("message");
  let from = 0;
  let to = rows.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    const row = rows.item(middle);
    if (row !== null && bottomOf(box, row) <= box.scrollTop) from = middle + 1;
    else to = middle;
  }
  return rows.item(from);
}

function look(box: Element, end: boolean): Kept {
  // Also at the end: older rows may come between a scroll away from it and the event of that scroll.
  const anchor = firstInSight(box);
  const bottom = anchor === null ? 0 : bottomOf(box, anchor);
  return { end, anchor, bottom, scrollTop: box.scrollTop, height: box.scrollHeight };
}

/**
 * @param list a message that the person wrote (a new last one, or one more unsent) leads to the end
 */
export function useScroll(
  boxRef: RefObject<HTMLDivElement | null>,
  list: {
    /** Id of the last message. */
    readonly last: string | undefined;
    readonly lastBySelf: boolean;
    readonly unsent: number;
    /** The end of the list is not the newest message, so the list does not stay there when rows come. */
    readonly open: boolean;
    /** Called after each change of position or height. */
    readonly onSettled: () => void;
    readonly onEnd: (atEnd: boolean) => void;
  },
): Scroll {
  const { last, lastBySelf, unsent, open, onSettled, onEnd } = list;
  const kept = useRef<Kept>({ end: true, scrollTop: 0, height: 0, anchor: null, bottom: 0 });
  const wrote = useRef({ last, unsent });
  const isOpen = useRef(open);

  const toEnd = useCallback(() => {
    const element = boxRef.current;
    if (element === null) return;
    element.scrollTop = element.scrollHeight;
    kept.current = look(element, true);
    onEnd(true);
    onSettled();
  }, [boxRef, onEnd, onSettled]);

  /** The rows have changed: puts what was in sight back to its place. */
  const restore = useCallback(
    (toTheEnd: boolean) => {
      const element = boxRef.current;
      if (element === null) return;
      const { end, scrollTop, height, anchor, bottom } = kept.current;
      // The event of a scroll comes a frame after the scroll.
      const scrolled = Math.abs(element.scrollTop - scrollTop) >= 1;
      const shown = Math.min(height, element.scrollHeight);
      const left = scrolled && shown - element.scrollTop - element.clientHeight >= NEAR;
      const stays = toTheEnd || (end && !left);
      if (stays) element.scrollTop = element.scrollHeight;
      else if (anchor?.isConnected === true) {
        element.scrollTop += bottomOf(element, anchor) - bottom;
      }
      kept.current = look(element, stays && !isOpen.current);
      onSettled();
    },
    [boxRef, onSettled],
  );

  // without dependencies: every row may have changed, and a late past call counts as much as a message
  useLayoutEffect(() => {
    const before = wrote.current;
    wrote.current = { last, unsent };
    isOpen.current = open;
    restore((lastBySelf && before.last !== last) || unsent > before.unsent);
  });

  // the emoji panel, a long draft or a picture of unknown size changes what fits
  useEffect(() => {
    const element = boxRef.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => restore(false));
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    return () => observer.disconnect();
  }, [boxRef, restore]);

  const onScroll = useCallback(() => {
    const element = boxRef.current;
    if (element === null) return;
    const end = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
    kept.current = look(element, end && !isOpen.current);
    onEnd(end);
    onSettled();
  }, [boxRef, onEnd, onSettled]);

  return { onScroll, toEnd };
}
