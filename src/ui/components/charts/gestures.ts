/** Zoom and pan of a chart by pointer, wheel and keys (docs/session.md#charts-over-time). */
import type { RangeGroup } from "./range-group.ts";
import { panned, rangeAfterKey, type TimeRange, zoomed } from "./time-range.ts";

/** Pixels that a pointer must move before it is a drag. */
const DRAG_PX = 3;
/** Of a wheel that counts lines. */
const LINE_PX = 16;

export interface GestureParts {
  /** Has the keyboard's focus. */
  readonly box: HTMLElement;
  /** The area of the lines. */
  readonly over: HTMLElement;
  readonly group: RangeGroup;
  /** Shows what is being chosen, in px of `over`; null: nothing. */
  readonly choose: (chosen: { readonly left: number; readonly width: number } | null) => void;
}

interface Drag {
  readonly id: number;
  readonly at: number;
  readonly range: TimeRange;
  readonly chooses: boolean;
  moved: boolean;
}

/** @returns ends it */
export function listenForGestures({ box, over, group, choose }: GestureParts): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  let drag: Drag | null = null;
  /** x of each finger. */
  const fingers = new Map<number, number>();

  const left = (x: number): number => x - over.getBoundingClientRect().left;
  const perPixel = ({ from, to }: TimeRange): number => (to - from) / Math.max(1, over.clientWidth);
  const timeAt = (x: number, range: TimeRange): number => range.from + left(x) * perPixel(range);

  function pinch(event: PointerEvent): void {
    const before = [...fingers.values()];
    fingers.set(event.pointerId, event.clientX);
    const now = [...fingers.values()];
    const [a = 0, b = 0] = before;
    const [c = 0, d = 0] = now;
    const range = group.shown();
    const factor = Math.abs(a - b) / Math.max(1, Math.abs(c - d));
    group.move(zoomed(range, factor, timeAt((c + d) / 2, range), group.limits()));
  }

  over.addEventListener(
    "pointerdown",
    (event) => {
      if (event.button !== 0) return;
      box.focus({ preventScroll: true });
      over.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, event.clientX);
      const { pointerId: id, clientX: at, shiftKey: chooses } = event;
      drag = fingers.size > 1 ? null : { id, at, range: group.shown(), chooses, moved: false };
    },
    { signal },
  );
  over.addEventListener(
    "pointermove",
    (event) => {
      if (fingers.size > 1 && fingers.has(event.pointerId)) return pinch(event);
      if (drag?.id !== event.pointerId) return undefined;
      const by = event.clientX - drag.at;
      drag.moved ||= Math.abs(by) >= DRAG_PX;
      if (!drag.moved) return undefined;
      if (drag.chooses) {
        return choose({ left: left(Math.min(drag.at, event.clientX)), width: Math.abs(by) });
      }
      return group.move(panned(drag.range, -by * perPixel(drag.range), group.limits()));
    },
    { signal },
  );
  const end = (event: PointerEvent): void => {
    fingers.delete(event.pointerId);
    const ended = drag;
    drag = null;
    if (ended?.id !== event.pointerId || !ended.moved) return;
    if (ended.chooses) {
      choose(null);
      if (event.type === "pointerup") {
        const times = [ended.at, event.clientX].map((x) => timeAt(x, ended.range));
        const range = { from: Math.min(...times), to: Math.max(...times) };
        group.move(zoomed(range, 1, range.from, group.limits()));
      }
    }
    group.rest();
  };
  over.addEventListener("pointerup", end, { signal });
  over.addEventListener("pointercancel", end, { signal });
  over.addEventListener("dblclick", () => group.move(null), { signal });

  over.addEventListener(
    "wheel",
    (event) => {
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1;
      const range = group.shown();
      const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        event.preventDefault();
        group.move(panned(range, sideways * unit * perPixel(range), group.limits()));
        return;
      }
      // Without the focus the wheel scrolls the page, on which a person may only pass the chart.
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== box) return;
      event.preventDefault();
      const factor = Math.exp(event.deltaY * unit * 0.002);
      group.move(zoomed(range, factor, timeAt(event.clientX, range), group.limits()));
    },
    { signal, passive: false },
  );
  box.addEventListener(
    "keydown",
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const range = rangeAfterKey(event.key, group.shown(), group.limits());
      if (range === undefined) return;
      event.preventDefault();
      group.move(range);
    },
    { signal },
  );
  return () => ending.abort();
}
