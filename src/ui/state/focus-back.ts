/** The library's mark of a dialog that is closed and has not left the page yet. It holds the focus no more. */
const CLOSED_DIALOG = '[data-focus-lock-disabled="disabled"]';

/** Whether nothing that stays has the focus. */
function isFree(): boolean {
  const { activeElement } = document;
  return (
    activeElement === null ||
    activeElement === document.body ||
    activeElement.closest(CLOSED_DIALOG) !== null
  );
}

/**
 * Gives the focus back to what had it before a dialog opened, unless something else has it by now.
 *
 * @param opener what had the focus; null or the page's body: nothing had it
 * @param otherwise takes the focus where the opener is gone or disabled by then
 */
export function giveFocusBack(
  opener: Element | null,
  otherwise: () => HTMLElement | null = () => null,
): void {
  if (!isFree() || !(opener instanceof HTMLElement) || opener === document.body) return;
  const takes = opener.isConnected && !opener.matches(":disabled");
  (takes ? opener : otherwise())?.focus({ preventScroll: true });
}
