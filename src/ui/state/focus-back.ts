/** Where the focus goes when a dialog or a question closes. */

/** Around a question (ask.ts). */
const QUESTION = "[data-asked-on]";
/** The library's mark of a dialog that is closed and has not left the page yet. It holds the focus no more. */
const CLOSED_DIALOG = '[data-focus-lock-disabled="disabled"]';

type Place = () => HTMLElement | null;

/**
 * By question: where a dialog would have sent the focus that closed while the question above it had it, as when the question was whether
 * to lose its input.
 */
const owed = new WeakMap<Element, Place>();

/** What a person did in a dialog while another one was above it. */
export interface Acts {
  /** Whether there was anything. */
  has(): boolean;
  /** Removes the listeners. */
  end(): void;
}

/**
 * Notes what a person does in the dialog that `opener` is in, while another one is above it. The one above holds the focus until it closes,
 * and is gone some time later: what happens below in between is the person's, who has moved on.
 */
export function watchActs(opener: Element | null): Acts {
  const below = opener?.closest("[role=dialog]") ?? null;
  let acted = false;
  const look = ({ target, isTrusted, repeat }: Event & { readonly repeat?: boolean }): void => {
    if (isTrusted && repeat !== true && target instanceof Node)
      acted ||= below?.contains(target) === true;
  };
  const kinds = below === null ? [] : (["keydown", "pointerdown"] as const);
  for (const kind of kinds) document.addEventListener(kind, look, true);
  return {
    has: () => acted,
    end() {
      for (const kind of kinds) document.removeEventListener(kind, look, true);
    },
  };
}

/** Whether nothing that stays has the focus. */
const isNowhere = (active: Element | null): boolean =>
  active === null || active === document.body || active.closest(CLOSED_DIALOG) !== null;
const canTake = (element: HTMLElement): boolean =>
  element.isConnected && !element.matches(":disabled") && element.checkVisibility();

/** Whether a dialog below has the focus, in which the target is: the library gives it to the dialog's first field. */
function isInDialogOf(target: HTMLElement | null, active: Element | null): boolean {
  const dialog = active?.closest("[role=dialog]") ?? null;
  return dialog !== null && dialog === target?.closest("[role=dialog]");
}

/**
 * Gives the focus back to what had it before a dialog opened, unless something else has it by now.
 *
 * @param opener what had the focus; null or the page's body: nothing had it
 * @param otherwise takes the focus where the opener is gone, hidden or disabled by then
 * @param acts in the dialog that the opener is in; once there are any, its focus stays where it is
 */
export function giveFocusBack(
  opener: Element | null,
  otherwise: Place,
  acts: Pick<Acts, "has">,
): void {
  const { activeElement } = document;
  if (!(opener instanceof HTMLElement) || opener === document.body) return;
  const place = (): HTMLElement | null => (canTake(opener) ? opener : otherwise());
  const question = activeElement?.closest(QUESTION) ?? null;
  if (isNowhere(activeElement) || (!acts.has() && isInDialogOf(place(), activeElement))) {
    place()?.focus({ preventScroll: true });
  } else if (question !== null) owed.set(question, place);
}

/**
 * Gives the focus back after a question. Until then its own button has it, or the first field of a dialog below, to which the library gives
 * it. A dialog that the answer opened keeps it.
 *
 * @param question what is around the question
 * @param opener what had the focus before
 * @param otherwise takes it where that is gone or disabled, and no dialog below closed with it
 * @param acts as for `giveFocusBack`
 */
export function giveFocusBackFrom(
  question: Element | null,
  opener: Element | null,
  otherwise: Place,
  acts: Pick<Acts, "has">,
): void {
  const left = question === null ? null : (owed.get(question) ?? null);
  const { activeElement } = document;
  const had = opener instanceof HTMLElement && opener !== document.body ? opener : null;
  const gone = left ?? (had === null ? null : otherwise);
  const target = had !== null && canTake(had) ? had : (gone?.() ?? null);
  const isLeft =
    isNowhere(activeElement) ||
    question?.contains(activeElement) === true ||
    (!acts.has() && isInDialogOf(target, activeElement));
  if (isLeft) target?.focus({ preventScroll: true });
}
