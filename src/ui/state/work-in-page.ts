/** What a reload of this page would lose (docs/shell.md#deployments). */
import { pagePath } from "../../core-client/base-path.ts";
import { AUTH_REDIRECT_PATH } from "../../shared/domain/guard.ts";

/** Texts below an element with this attribute are there again after a reload. */
const KEPT = "[data-kept]";
/** What is chosen, and not typed. */
const CHOICES = "select, [type=checkbox], [type=radio], [type=range], [type=color]";

export interface WorkInPage {
  /** Unsaved input, an open dialog, or work that `useLeaveWarning` guards. */
  unsaved(): boolean;
  /** When the person last did something here, ms since the epoch. */
  touchedAt(): number;
}

const isFilled = (element: HTMLElement): boolean =>
  element.closest(KEPT) === null &&
  ("value" in element ? element.value !== "" : element.textContent !== "");

export function watchWork(now: () => number): WorkInPage {
  const typed = new Set<HTMLElement>();
  let touched = now();
  const touch = (): void => {
    touched = now();
  };
  for (const event of ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"]) {
    addEventListener(event, touch, { capture: true, passive: true });
  }
  addEventListener(
    "input",
    ({ target }) => {
      // a tick in a box or a choice is saved at once, or guarded by its form
      if (target instanceof HTMLElement && !target.matches(CHOICES)) typed.add(target);
    },
    { capture: true },
  );
  const hasTyped = (): boolean => {
    for (const element of typed) if (!element.isConnected) typed.delete(element);
    return [...typed].some(isFilled);
  };
  // The reload for a new build asks before it drops text that no form guards.
  addEventListener("beforeunload", (event) => {
    if ("renewing" in document.documentElement.dataset && hasTyped()) event.preventDefault();
  });
  return {
    unsaved: () =>
      hasTyped() ||
      // its address held tokens that are gone after a reload
      pagePath() === AUTH_REDIRECT_PATH ||
      [...document.querySelectorAll("[role=dialog], [role=alertdialog]")].some((dialog) =>
        dialog.checkVisibility(),
      ) ||
      // the forms' own guards answer (useLeaveWarning.ts)
      !dispatchEvent(new Event("beforeunload", { cancelable: true })),
    touchedAt: () => touched,
  };
}
