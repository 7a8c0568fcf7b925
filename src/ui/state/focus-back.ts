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
  const { activeElement } = document;
  if (activeElement !== null && activeElement !== document.body) return;
  if (!(opener instanceof HTMLElement) || opener === document.body) return;
  const target = opener.isConnected ? opener : otherwise();
  target?.focus({ preventScroll: true });
}
