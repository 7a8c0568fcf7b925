import { type ReactNode, useId } from "react";

/** A line of the settings drawer: what it sets, the control, and what there is to say about it. */
export function Line(props: {
  readonly label: string;
  readonly hint?: string | null;
  readonly children: (id: string) => ReactNode;
}) {
  const id = useId();
  const { hint = null } = props;
  return (
    <>
      <div className="settings-line">
        <span id={id}>{props.label}</span>
        {props.children(id)}
      </div>
      {hint !== null && <p className="settings-hint">{hint}</p>}
    </>
  );
}
