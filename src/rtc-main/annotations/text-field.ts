/** The field in which a person types a text over a picture. Enter writes it, Escape drops it, and leaving the field writes it. */
import { MARK_LIMITS } from "../../shared/domain/annotations.ts";

export function openTextField(options: {
  readonly canvas: HTMLCanvasElement;
  /** CSS px of the canvas. */
  readonly left: number;
  readonly top: number;
  /** Of the text, CSS px. */
  readonly height: number;
  readonly colour: string;
  readonly label: string;
  readonly onText: (text: string) => void;
  readonly onClosed: () => void;
}): { close(): void } {
  const { canvas, left, top, height, colour } = options;
  const field = canvas.ownerDocument.createElement("input");
  field.type = "text";
  field.maxLength = MARK_LIMITS.text;
  field.setAttribute("aria-label", options.label);
  field.className = "marks-text";
  const space = Math.max(80, canvas.clientWidth - left - 8);
  Object.assign(field.style, {
    position: "absolute",
    zIndex: "2",
    left: `${canvas.offsetLeft + Math.min(left, Math.max(0, canvas.clientWidth - 88))}px`,
    top: `${canvas.offsetTop + top}px`,
    width: `${Math.min(space, 320)}px`,
    padding: "0 2px",
    border: `1px dashed ${colour}`,
    font: `600 ${Math.max(12, height)}px sans-serif`,
    lineHeight: "1.1",
    color: colour,
    background: "rgb(0 0 0 / 45%)",
  });
  let open = true;
  const close = (text: string | null): void => {
    if (!open) return;
    open = false;
    field.remove();
    if (text !== null) options.onText(text);
    options.onClosed();
  };
  field.addEventListener("keydown", (event) => {
    event.stopPropagation();
    // Enter also ends the choice of an input method.
    if (event.isComposing) return;
    if (event.key === "Enter") close(field.value);
    if (event.key === "Escape") close(null);
  });
  for (const name of ["pointerdown", "click"]) {
    field.addEventListener(name, (event) => event.stopPropagation());
  }
  field.addEventListener("blur", () => close(field.value));
  canvas.parentElement?.append(field);
  // Within the gesture the browser would move the focus to the canvas's page again.
  setTimeout(() => field.focus(), 0);
  return { close: () => close(null) };
}
