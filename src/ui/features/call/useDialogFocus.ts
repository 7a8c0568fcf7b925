import { useEffect, useRef, type RefObject } from "react";

/**
 * Focus of a dialog: the dialog itself takes it (never a button, which a key meant for elsewhere would press), and the page
 * beneath is inert meanwhile, so the focus cannot leave. The frame gives it back afterwards.
 */
export function useDialogFocus(): RefObject<HTMLDivElement | null> {
  const dialog = useRef<HTMLDivElement>(null);
  useEffect(() => {
    dialog.current?.focus({ preventScroll: true });
  }, []);
  return dialog;
}
