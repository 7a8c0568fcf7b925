/** Gives what waits the height of what will stand there, so that nothing below moves when it comes. */
import type { ReactNode } from "react";
import "./read-shape.css";

export function ReadShape(props: {
  /** What will stand there, with any data, as one element that arranges its parts itself; nobody sees it. */
  readonly shape: ReactNode;
  /** What is shown meanwhile. */
  readonly children: ReactNode;
}) {
  return (
    <div className="read-shape">
      <div aria-hidden="true">{props.shape}</div>
      {props.children}
    </div>
  );
}
