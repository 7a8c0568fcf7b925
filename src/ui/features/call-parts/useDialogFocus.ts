import { useEffect, useRef, type RefObject } from "react";

/**
 * Focuses the dialog itself, and not a button, because a key meant for another element would press it. The page below is inert, so
 * the focus stays inside. The frame restores the focus afterwards.
 */
export function useDialogFocus(): RefObject<HTMLDivElement | null> {
  const dialog = useRef<HTMLDivElement>(null);
  useEffect(() => {
    dialog.current?.focus({ preventScroll: true });
  }, []);
  return dialog;
}
