/**
 * A button with Arco's looks and none of its code. The pages that a visitor without a login sees use it, and the pages that replace a
 * failed one.
 */
import type { ButtonHTMLAttributes, ReactNode } from "react";
import { PlainIcon } from "./PlainIcon.tsx";

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "type"> {
  /** Arco's `primary`, `text` and `secondary`. */
  readonly look?: "primary" | "text" | "secondary";
  readonly size?: "mini" | "default" | "large";
  readonly danger?: boolean;
  /** Shows that the action runs, and ignores presses meanwhile. */
  readonly loading?: boolean;
  readonly submit?: boolean;
  readonly icon?: ReactNode;
}

export function PlainButton(props: Props) {
  const { look = "secondary", size = "default", danger, loading, submit, ...rest } = props;
  const { icon, className, children, onClick, ...attributes } = rest;
  const classes = [
    "arco-btn",
    `arco-btn-${look}`,
    `arco-btn-size-${size}`,
    "arco-btn-shape-square",
    danger === true && "arco-btn-status-danger",
    loading === true && "arco-btn-loading",
    children === undefined && "arco-btn-icon-only",
    attributes.disabled === true && "arco-btn-disabled",
    className,
  ];
  return (
    <button
      {...attributes}
      type={submit === true ? "submit" : "button"}
      className={classes.filter((name) => typeof name === "string").join(" ")}
      onClick={(event) => {
        if (loading === true) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {loading === true ? <PlainIcon name="loading" /> : icon}
      {children !== undefined && <span>{children}</span>}
    </button>
  );
}
