import { useEffect } from "react";

/** Where a question mark is text, or something else has the keys. */
const WRITING = "input, textarea, select, [contenteditable], [role='combobox'], [role='dialog']";

/** Runs the handler on the question mark while nobody types. Pass a stable handler. */
export function useHelpKey(handler: () => void): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent): void => {
      if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof Element && event.target.closest(WRITING) !== null) return;
      event.preventDefault();
      handler();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [handler]);
}
