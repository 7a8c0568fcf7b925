/**
 * Escape where the library's dialog does not hear it: its select takes the key also while its list is closed, and a list that closes takes
 * the focus of its search field along, so that the key goes to the document.
 */
import { type RefObject, useEffect, useRef } from "react";

const OPEN_DIALOGS = ".arco-modal-wrapper:not([style*='none']) [role=dialog]";

/** @param inside an element of the dialog @param onEscape null while the dialog is not open or does not close by Escape */
export function useEscape(inside: RefObject<HTMLElement | null>, onEscape: (() => void) | null) {
  const latest = useRef(onEscape);
  useEffect(() => {
    latest.current = onEscape;
  });
  const listens = onEscape !== null;
  useEffect(() => {
    if (!listens) return;
    const onKeyDown = (event: KeyboardEvent): void => {
      const box = inside.current?.closest("[role=dialog]");
      const { target } = event;
      if (event.key !== "Escape" || !(target instanceof Element) || !box) return;
      const select = box.contains(target) ? target.closest("[role=combobox]") : null;
      const isClosedSelect = select?.ariaExpanded === "false";
      const isLost =
        target === document.body && [...document.querySelectorAll(OPEN_DIALOGS)].at(-1) === box;
      if (!isClosedSelect && !isLost) return;
      event.stopPropagation();
      latest.current?.();
    };
    document.addEventListener("keydown", onKeyDown, true);
    return () => document.removeEventListener("keydown", onKeyDown, true);
  }, [inside, listens]);
}
