import { useEffect, useState } from "react";

/**
 * Gives the focus back to what had it before a dialog opened. Call it in a component that exists only while its dialog is open: the
 * library's dialog takes the focus and holds it, but leaves it nowhere when it closes.
 * @param otherwise takes the focus where the button that opened the dialog is gone by then
 */
export function useFocusBack(otherwise: () => HTMLElement | null): void {
  const [giveBack] = useState(() => {
    const opener = document.activeElement;
    return () => {
      const { activeElement } = document;
      if (activeElement !== null && activeElement !== document.body) return;
      if (!(opener instanceof HTMLElement) || opener === document.body) return;
      const target = opener.isConnected ? opener : otherwise();
      target?.focus({ preventScroll: true });
    };
  });
  useEffect(() => giveBack, [giveBack]);
}
