import { useEffect, useRef, type RefObject } from "react";
import "./scroll-cue.css";

/** Marks the sides of a box behind which it has more to show; scroll-cue.css fades them. */
function mark(box: HTMLElement): void {
  const left = box.scrollLeft > 1;
  const right = box.scrollLeft + box.clientWidth < box.scrollWidth - 1;
  box.toggleAttribute("data-more-left", left);
  box.toggleAttribute("data-more-right", right);
}

/**
 * Shows at the edges of a box that it can be scrolled sideways.
 *
 * @param own the box, when the caller has a reference to it already
 * @returns the reference to give to the box that scrolls
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
    // the box's own width, that of its content, and content that is replaced
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
