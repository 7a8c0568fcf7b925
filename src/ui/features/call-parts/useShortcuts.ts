/**
 * One letter with Alt per gesture. The person can turn them off in the settings drawer. They do nothing while the person types or a
 * dialog is open. Escape closes what is open beside the stage.
 */
import { useEffect, useRef } from "react";
import { useAppearance } from "../../state/services.ts";

export const SHORTCUTS = ["m", "v", "s", "h", "p", "c", "l"] as const;
export type Shortcut = (typeof SHORTCUTS)[number];
/** As the help shows a shortcut. */
export const keysOf = (key: Shortcut): readonly string[] => ["Alt", key.toUpperCase()];

const WRITING = "input, textarea, select, [contenteditable], [role='combobox'], [role='dialog']";
/** What lies above the page and takes the keys. */
export const OVERLAY = ".arco-modal-wrapper:not([style*='none']) .arco-modal, .arco-dropdown-menu";

type Press = Pick<
  KeyboardEvent,
  "key" | "code" | "altKey" | "ctrlKey" | "metaKey" | "shiftKey" | "repeat"
>;
const isShortcut = (letter: string): letter is Shortcut =>
  (SHORTCUTS as readonly string[]).includes(letter);

/** @returns the shortcut that a press of keys means; null for any other press */
export function shortcutOf(press: Press): Shortcut | null {
  if (!press.altKey || press.ctrlKey || press.metaKey || press.shiftKey || press.repeat)
    return null;
  // On a Mac, Alt makes another character of a letter, so the place of the key counts.
  const letter = /^[a-z]$/i.test(press.key) ? press.key : press.code.replace(/^Key/, "");
  const lower = letter.toLowerCase();
  return isShortcut(lower) ? lower : null;
}

export function useShortcuts(
  handlers: Readonly<Partial<Record<Shortcut, () => void>>>,
  onEscape: () => void,
): void {
  const [{ conferenceKeys }] = useAppearance();
  const latest = useRef({ handlers, onEscape, conferenceKeys });
  useEffect(() => {
    latest.current = { handlers, onEscape, conferenceKeys };
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || document.querySelector(OVERLAY) !== null) return;
      const now = latest.current;
      if (event.key === "Escape") return now.onEscape();
      const shortcut = shortcutOf(event);
      if (shortcut === null || !now.conferenceKeys) return;
      if (event.target instanceof Element && event.target.closest(WRITING) !== null) return;
      const handler = now.handlers[shortcut];
      if (handler === undefined) return;
      event.preventDefault();
      handler();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
