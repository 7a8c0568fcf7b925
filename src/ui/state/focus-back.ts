/** Where the focus goes when a dialog or a question closes. */

/** Around a question (ask.ts). */
const QUESTION = "[data-asked-on]";

type Place = () => HTMLElement | null;

/** Where a dialog would have sent the focus that closed while a question above it had it, as when the question was whether to lose its input. */
let owed: Place | null = null;

const isNowhere = (active: Element | null): boolean => active === null || active === document.body;

/**
 * Gives the focus back to what had it before a dialog opened, unless something else has it by now.
 *
 * @param opener what had the focus; null or the page's body: nothing had it
 * @param otherwise takes the focus where the opener is gone by then
 */
export function giveFocusBack(opener: Element | null, otherwise: Place = () => null): void {
  const { activeElement } = document;
  if (!(opener instanceof HTMLElement) || opener === document.body) return;
  const place = (): HTMLElement | null => (opener.isConnected ? opener : otherwise());
  if (isNowhere(activeElement)) place()?.focus({ preventScroll: true });
  else if (activeElement?.closest(QUESTION) != null) owed = place;
}

/**
 * Gives the focus back after a question. Until then its own button has it, or the first field of a dialog below, to which the library gives
 * it. A dialog that the answer opened keeps it.
 *
 * @param question what is around the question
 * @param opener what had the focus before
 * @param otherwise takes it where that is gone, and no dialog below closed with it
 */
export function giveFocusBackFrom(
  question: Element | null,
  opener: Element | null,
  otherwise: Place,
): void {
  const left = owed;
  owed = null;
  const { activeElement } = document;
  const had = opener instanceof HTMLElement && opener !== document.body ? opener : null;
  const gone = left ?? (had === null ? null : otherwise);
  const target = had?.isConnected === true ? had : (gone?.() ?? null);
  const dialog = activeElement?.closest("[role=dialog]") ?? null;
  const isLeft =
    isNowhere(activeElement) ||
    question?.contains(activeElement) === true ||
    (dialog !== null && dialog === target?.closest("[role=dialog]"));
  if (isLeft) target?.focus({ preventScroll: true });
}
