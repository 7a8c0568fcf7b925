/** Gives what waits the height of what will stand there, so that nothing below moves when it comes. */
import type { ReactNode } from "react";
import "./read-shape.css";

export function ReadShape(props: {
  /** An invisible copy of the future content, with any data. It reserves the height. It must be one element. */
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
