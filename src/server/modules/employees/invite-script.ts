/**
 * The script of the page behind an invitation link. A form that was sent shows so and is not sent twice, until the answer replaces the
 * page. Without the script the browser alone shows that it loads.
 */
export const INVITE_SCRIPT = `addEventListener("submit", (event) => {
  const form = event.target;
  if (form.dataset.sent === "true") return event.preventDefault();
  form.dataset.sent = "true";
  const button = event.submitter;
  if (!button?.dataset.busy) return;
  // after the browser has read the button's value
  setTimeout(() => {
    button.dataset.text = button.textContent;
    button.textContent = button.dataset.busy;
    button.setAttribute("aria-busy", "true");
  });
});
// a page that the person comes back to may be sent again
addEventListener("pageshow", () => {
  for (const form of document.forms) delete form.dataset.sent;
  for (const button of document.querySelectorAll("[aria-busy]")) {
    button.textContent = button.dataset.text;
    button.removeAttribute("aria-busy");
  }
});
document.querySelector("[aria-invalid]")?.focus();
`;
