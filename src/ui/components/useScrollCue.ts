import { useEffect, useRef, type RefObject } from "react";
import "./scroll-cue.css";

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
 * @returns the reference to give to the box
 */
export function useScrollCue<E extends HTMLElement>(
  own?: RefObject<E | null>,
): RefObject<E | null> {
  const made = useRef<E>(null);
  const ref = own ?? made;
  useEffect(() => {
    const box = ref.current;
    if (box === null) return;
    const update = (): void => mark(box);
    let frame = 0;
    const later = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(update);
    };
    // observe the box's width, its content's width, and replaced content
    const sizes = new ResizeObserver(later);
    const watch = (): void => {
      sizes.disconnect();
      sizes.observe(box);
      for (const child of box.children) sizes.observe(child);
      later();
    };
    const children = new MutationObserver(watch);
    children.observe(box, { childList: true });
    watch();
    box.addEventListener("scroll", update, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      sizes.disconnect();
      children.disconnect();
      box.removeEventListener("scroll", update);
    };
  }, [ref]);
  return ref;
}
