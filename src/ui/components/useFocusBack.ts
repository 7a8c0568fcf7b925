import { useEffect, useState } from "react";
import { giveFocusBack, watchActs } from "../state/focus-back.ts";

/**
 * Gives the focus back to what had it before a dialog opened. Call it in a component that exists only while its dialog is open: the
 * library's dialog takes the focus and holds it, but leaves it nowhere when it closes.
 * @param otherwise takes the focus where the button that opened the dialog is gone by then
 */
export function useFocusBack(otherwise: () => HTMLElement | null): void {
  const [{ opener, place }] = useState(() => ({
    opener: document.activeElement,
    place: otherwise,
  }));
  useEffect(() => {
    const acts = watchActs(opener);
    return () => {
      acts.end();
      giveFocusBack(opener, place, acts);
    };
  }, [opener, place]);
}
