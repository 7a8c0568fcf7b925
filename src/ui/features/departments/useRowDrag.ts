/**
 * Drags a row of the tree by the pointer: onto a row, or onto the edge between two. While it moves, marks stand in the document itself, because
 * a tree may have 2000 rows, which need not be drawn again for each step. A finger scrolls instead; the form of a department moves it too.
 */
import { type PointerEvent, type RefObject, useEffect, useRef } from "react";
import type { Part, Spot } from "./moving.ts";

/** px after which a press is a drag. */
const SLACK = 5;
/** ms over a folded row after which it unfolds. */
const UNFOLD = 600;
/** px from the end of the box within which it scrolls, and by how much at a time. */
const EDGE = 28;
const STEP = 12;
const STEP_MS = 40;

export interface RowDrag {
  readonly onPointerDown: (event: PointerEvent<HTMLElement>, id: string) => void;
}

export interface DragNeeds {
  readonly box: RefObject<HTMLElement | null>;
  /** Follows the pointer with what is dragged and why it cannot be dropped. */
  readonly label: RefObject<HTMLElement | null>;
  readonly nameOf: (id: string) => string;
  /** Where a drop would lead, or that it cannot: the department would stand below itself. */
  readonly spotAt: (id: string, over: string, part: Part) => Spot | "own" | null;
  readonly refusal: string;
  readonly onUnfold: (id: string) => void;
  readonly onDrop: (id: string, to: Spot) => void;
  readonly onRefused: () => void;
}

/** @param needs null: nothing can be dragged now */
export function useRowDrag(needs: DragNeeds | null): RowDrag {
  const latest = useRef(needs);
  useEffect(() => {
    latest.current = needs;
  });
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);
  return {
    onPointerDown(event, id) {
      const now = latest.current;
      if (now === null || event.button !== 0 || event.pointerType === "touch") return;
      if (event.target instanceof Element && event.target.closest("button, a") !== null) return;
      stop.current?.();
      // a row that unfolds meanwhile changes what a drop means
      stop.current = begin(
        () => latest.current ?? now,
        id,
        { x: event.clientX, y: event.clientY },
        event.currentTarget,
      );
    },
  };
}

interface Over {
  readonly row: HTMLElement;
  readonly id: string;
  readonly part: Part;
}

/** @returns ends it without a drop */
function begin(
  needs: () => DragNeeds,
  id: string,
  from: { readonly x: number; readonly y: number },
  source: HTMLElement,
): () => void {
  let dragging = false;
  let over: Over | null = null;
  let pointer = from;
  let unfolding: ReturnType<typeof setTimeout> | undefined;
  let scrolling: ReturnType<typeof setInterval> | undefined;

  const rowAt = (x: number, y: number): Over | null => {
    const row = document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-id]") ?? null;
    if (row === null || needs().box.current?.contains(row) !== true) return null;
    const { top, height } = row.getBoundingClientRect();
    const share = (y - top) / height;
    const part = share < 0.25 ? "before" : share > 0.75 ? "after" : "into";
    return { row, id: row.dataset["id"] ?? "", part };
  };
  const clear = (): void => {
    clearTimeout(unfolding);
    delete over?.row.dataset["drop"];
    over = null;
  };
  const look = (): void => {
    const found = rowAt(pointer.x, pointer.y);
    const { current: label } = needs().label;
    if (label !== null) {
      label.hidden = false;
      label.style.left = `${pointer.x + 14}px`;
      label.style.top = `${pointer.y + 14}px`;
    }
    if (found?.row === over?.row && found?.part === over?.part) return;
    clear();
    over = found;
    const spot = found === null ? null : needs().spotAt(id, found.id, found.part);
    if (label !== null) {
      label.textContent = spot === "own" ? needs().refusal : needs().nameOf(id);
      label.dataset["refused"] = String(spot === "own");
    }
    if (found === null || spot === null) return;
    found.row.dataset["drop"] = spot === "own" ? "refused" : found.part;
    if (found.part === "into" && found.row.getAttribute("aria-expanded") === "false") {
      unfolding = setTimeout(() => needs().onUnfold(found.id), UNFOLD);
    }
  };
  const onMove = (event: globalThis.PointerEvent): void => {
    pointer = { x: event.clientX, y: event.clientY };
    if (!dragging && Math.hypot(pointer.x - from.x, pointer.y - from.y) < SLACK) return;
    if (!dragging) {
      dragging = true;
      source.dataset["dragged"] = "";
      document.body.classList.add("dept-dragging");
      getSelection()?.removeAllRanges();
      scrolling = setInterval(() => {
        const { current: box } = needs().box;
        const { top = 0, bottom = 0 } = box?.getBoundingClientRect() ?? {};
        const by = pointer.y < top + EDGE ? -STEP : pointer.y > bottom - EDGE ? STEP : 0;
        if (by === 0) return;
        box?.scrollBy(0, by);
        look();
      }, STEP_MS);
    }
    look();
  };
  const end = (): void => {
    clear();
    clearInterval(scrolling);
    delete source.dataset["dragged"];
    document.body.classList.remove("dept-dragging");
    const { current: label } = needs().label;
    if (label !== null) label.hidden = true;
    document.removeEventListener("pointermove", onMove);
    document.removeEventListener("pointerup", onUp);
    document.removeEventListener("pointercancel", end);
    document.removeEventListener("keydown", onKey, true);
  };
  const onUp = (): void => {
    const spot = dragging && over !== null ? needs().spotAt(id, over.id, over.part) : null;
    end();
    if (spot === "own") needs().onRefused();
    else if (spot !== null) needs().onDrop(id, spot);
  };
  const onKey = (event: globalThis.KeyboardEvent): void => {
    if (event.key !== "Escape" || !dragging) return;
    // nothing else closes by this key
    event.preventDefault();
    event.stopPropagation();
    end();
  };
  document.addEventListener("pointermove", onMove);
  document.addEventListener("pointerup", onUp);
  document.addEventListener("pointercancel", end);
  document.addEventListener("keydown", onKey, true);
  return end;
}
