/** An entry of a menu of the chat. */
import type { ReactNode } from "react";

export function MenuItem(props: {
  readonly icon: ReactNode;
  readonly onClick: () => void;
  readonly children: ReactNode;
}) {
  return (
    <button
      type="button"
      role="menuitem"
      className="message-menu-item"
      tabIndex={-1}
      onClick={props.onClick}
    >
      {props.icon}
      {props.children}
    </button>
  );
}
