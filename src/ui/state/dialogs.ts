/** Dialogs outside of React's tree, and so outside of the page that opened them. */

/** Duration of Arco's closing animation plus a margin. */
const DIALOG_CLOSES_MS = 450;

/**
 * Closes open questions (`ask`). Otherwise one would keep the keyboard's focus below the window of a new call, or stay above a
 * page that did not open it.
 *
 * @param page path of the page whose own questions stay. The address changes before the page does, so a question that is asked
 *   meanwhile already belongs to the new page.
 */
export function closeDialogs(page?: string): void {
  const questions = [...document.querySelectorAll<HTMLElement>("[data-asked-on]")];
  if (questions.every(({ dataset }) => dataset["askedOn"] === page)) return;
  void import("@arco-design/web-react/es/Modal").then(({ default: Modal }) => {
    Modal.destroyAll();
    // The closed dialog returns its focus to the page below, which is inert, so the focus would be lost.
    setTimeout(() => {
      if (document.activeElement !== document.body) return;
      document.querySelector<HTMLElement>('[aria-modal="true"][tabindex="-1"]')?.focus();
    }, DIALOG_CLOSES_MS);
  });
}
