/** Selects a message: a box that covers its whole row for the mouse. Arrow keys lead to the next one. */
import type { KeyboardEvent } from "react";
import "./selection.css";

export function MessageCheck(props: {
  readonly label: string;
  readonly checked: boolean;
  /** @param range with the Shift key */
  readonly onToggle: (range: boolean) => void;
}) {
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const list = event.currentTarget.closest("ol");
    const boxes = [...(list?.querySelectorAll<HTMLElement>(".message-check") ?? [])];
    boxes[boxes.indexOf(event.currentTarget) + step]?.focus();
  };
  return (
    // no label around it: with Shift, or beside selected text, a label passes no click on
    <input
      type="checkbox"
      className="message-check"
      aria-label={props.label}
      checked={props.checked}
      onKeyDown={onKeyDown}
      onChange={({ nativeEvent }) =>
        props.onToggle("shiftKey" in nativeEvent && nativeEvent.shiftKey === true)
      }
    />
  );
}
