/** Questions that stand outside of React's tree, and so outside of the page that asked them. */

/** Arco's closing animation, and a little. */
const DIALOG_CLOSES_MS = 450;

/**
 * Closes open questions (Modal.confirm): one would hold the keyboard's focus beneath a call that has just come, and stay over a page
 * that did not ask it.
 */
export function closeDialogs(): void {
  if (document.querySelector(".arco-modal") === null) return;
  void import("@arco-design/web-react/es/Modal").then(({ default: Modal }) => {
    Modal.destroyAll();
    // the one closed hands its focus to the page beneath, which is inert: it would be nowhere
    setTimeout(() => {
      if (document.activeElement !== document.body) return;
      document.querySelector<HTMLElement>('[aria-modal="true"][tabindex="-1"]')?.focus();
    }, DIALOG_CLOSES_MS);
  });
}
