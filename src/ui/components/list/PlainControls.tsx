/**
 * The controls in a row: what Arco's Checkbox and Button are in the page, without what they do to become it. A list shows hundreds of them
 * while it scrolls, and their merged props, contexts and effects were most of the script of a frame.
 */
import "@arco-design/web-react/es/Button/style/css.js";
import "@arco-design/web-react/es/Checkbox/style/css.js";
import type { ChangeEvent } from "react";

const isWithShift = ({ nativeEvent }: ChangeEvent): boolean =>
  nativeEvent instanceof MouseEvent && nativeEvent.shiftKey;

/** @param props.onChange also says whether the shift key was held */
export function PlainMark(props: {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean, shift: boolean) => void;
}) {
  const { label, checked } = props;
  return (
    <label
      aria-label={label}
      className={checked ? "arco-checkbox arco-checkbox-checked" : "arco-checkbox"}
    >
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => props.onChange(event.target.checked, isWithShift(event))}
      />
      <span
        className={
          checked
            ? "arco-icon-hover arco-checkbox-icon-hover arco-icon-hover-disabled arco-checkbox-mask-wrapper"
            : "arco-icon-hover arco-checkbox-icon-hover arco-checkbox-mask-wrapper"
        }
      >
        <div className="arco-checkbox-mask">{checked && TICK}</div>
      </span>
    </label>
  );
}

const TICK = (
  <svg
    className="arco-checkbox-mask-icon"
    aria-hidden
    viewBox="0 0 1024 1024"
    width="200"
    height="200"
    fill="currentColor"
  >
    <path d="M877 206a65 65 0 0 0-95 4L381 685 235 533a65 65 0 0 0-92-1l-46 46a65 65 0 0 0-1 91l240 250a65 65 0 0 0 71 15 64 64 0 0 0 35-21l37-43 40-41-3-3 411-487a65 65 0 0 0-4-88z" />
  </svg>
);

export function PlainButton(props: {
  /** The call that it makes. */
  readonly call: string | undefined;
  /** For screen readers: its text is that of other rows too. */
  readonly name: string;
  readonly danger: boolean;
  readonly children: string;
  readonly onClick: () => void;
}) {
  const looks = "arco-btn arco-btn-text arco-btn-size-small arco-btn-shape-square";
  return (
    <button
      type="button"
      data-call={props.call}
      aria-label={props.name}
      className={props.danger ? `${looks} arco-btn-status-danger` : looks}
      onClick={props.onClick}
    >
      {props.children}
    </button>
  );
}
