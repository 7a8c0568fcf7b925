/** One key per gesture; inactive while the person types or a dialog is open. */
import { useEffect, useRef } from "react";

export const SHORTCUTS = ["m", "v", "s", "h", "p", "c", "l"] as const;
export type Shortcut = (typeof SHORTCUTS)[number];

const WRITING = "input, textarea, select, [contenteditable], [role='combobox'], [role='dialog']";

export function useShortcuts(handlers: Readonly<Partial<Record<Shortcut, () => void>>>): void {
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      if (event.target instanceof Element && event.target.closest(WRITING) !== null) return;
      if (document.querySelector(".arco-modal-wrapper:not([style*='none']) .arco-modal") !== null) {
        return;
      }
      const key = event.key.toLowerCase() as Shortcut;
      const handler = latest.current[key];
      if (handler === undefined) return;
      event.preventDefault();
      handler();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
