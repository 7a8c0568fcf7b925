import { useEffect, useRef, type RefObject } from "react";
import "./scroll-cue.css";

/** A box that scrolls must be reachable by the keyboard, one that does not must not. */
function makeFocusable(box: HTMLElement): void {
  const scrolls = box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1;
  if (scrolls) box.tabIndex = 0;
  else box.removeAttribute("tabindex");
}

/** Marks the sides on which the box has hidden content; scroll-cue.css fades them. */
function mark(box: HTMLElement): void {
  const left = box.scrollLeft > 1;
  const right = box.scrollLeft + box.clientWidth < box.scrollWidth - 1;
  box.toggleAttribute("data-more-left", left);
  box.toggleAttribute("data-more-right", right);
}

/**
 * Shows at the edges of a box that it can be scrolled sideways.
 *
 * @param own reference to the box, when the caller already has one
 * @param focusable the box has no other place for the focus, so it takes the focus while it scrolls
 * @returns the reference to give to the box
 */
export function useScrollCue<E extends HTMLElement>(
  own?: RefObject<E | null>,
  focusable = false,
): RefObject<E | null> {
  const made = useRef<E>(null);
  const ref = own ?? made;
  useEffect(() => {
    const box = ref.current;
    if (box === null) return;
    const update = (): void => {
      mark(box);
      if (focusable) makeFocusable(box);
    };
    // The box's size, its content's size, and replaced content. It is called in the frame with the new layout, also at the beginning.
    const sizes = new ResizeObserver(update);
    const watch = (): void => {
      sizes.disconnect();
      sizes.observe(box);
      for (const child of box.children) sizes.observe(child);
    };
    const children = new MutationObserver((records) => {
      if (records.some(({ target }) => target === box)) watch();
      // At once: on a busy machine the frame with the new size may be late.
      if (focusable) makeFocusable(box);
    });
    children.observe(box, { childList: true, subtree: focusable });
    watch();
    box.addEventListener("scroll", update, { passive: true });
    return () => {
      sizes.disconnect();
      children.disconnect();
      box.removeEventListener("scroll", update);
    };
  }, [ref, focusable]);
  return ref;
}
