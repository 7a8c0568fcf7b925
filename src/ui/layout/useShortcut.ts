import { useEffect } from "react";

/** Runs the handler on Ctrl or ⌘ with this key, wherever the focus is. Pass a stable handler. */
export function useShortcut(key: string, handler: () => void): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent): void => {
      if (event.key.toLowerCase() !== key || event.altKey || event.shiftKey) return;
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      handler();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [key, handler]);
}
