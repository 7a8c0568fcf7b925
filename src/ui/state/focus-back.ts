/** Where the focus goes when a dialog closes. */

/** Around a question (ask.ts). */
const QUESTION = "[data-asked-on]";

/**
 * Where a dialog would have sent the focus that closed while a question above it had it, as when the question was whether its input may be
 * lost. What opened the question is gone then.
 */
let owed: (() => HTMLElement | null) | null = null;

/**
 * Gives the focus back to what had it before a dialog opened, unless something else has it by now.
 *
 * @param opener what had the focus; null or the page's body: nothing had it
 * @param otherwise takes the focus where the opener is gone by then
 */
export function giveFocusBack(
  opener: Element | null,
  otherwise: () => HTMLElement | null = () => null,
): void {
  const target = (): HTMLElement | null =>
    opener instanceof HTMLElement && opener.isConnected ? opener : otherwise();
  const { activeElement } = document;
  if (activeElement !== null && activeElement !== document.body) {
    if (activeElement.closest(QUESTION) !== null) owed = target;
    return;
  }
  const left = owed;
  owed = null;
  if (!(opener instanceof HTMLElement) || opener === document.body) return;
  const next = opener.isConnected ? opener : (left?.() ?? otherwise());
  next?.focus({ preventScroll: true });
}
