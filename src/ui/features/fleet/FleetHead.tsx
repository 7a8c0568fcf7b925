/** The head of a page of operations: title, one sentence, and what the page offers to choose. */
import type { ReactNode } from "react";

export function FleetHead(props: {
  readonly title: string;
  readonly subtitle: string;
  readonly children?: ReactNode;
}) {
  return (
    <header className="fleet-head">
      <div>
        <h1>{props.title}</h1>
        <p>{props.subtitle}</p>
      </div>
      {props.children}
    </header>
  );
}
