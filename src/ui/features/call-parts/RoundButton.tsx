import type { ReactNode } from "react";

/** A round button of the call. The label is its accessible name, and is shown below it on request. */
export function RoundButton(props: {
  readonly label: string;
  readonly tone?: "good" | "bad" | "plain" | "on";
  readonly busy?: boolean;
  readonly disabled?: boolean;
  /** Why it is disabled. */
  readonly why?: string | undefined;
  readonly caption?: boolean;
  readonly small?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}) {
  return (
    <span className="round" title={props.why}>
      <button
        type="button"
        className="round-button"
        data-tone={props.tone ?? "plain"}
        data-small={props.small === true}
        aria-label={props.label}
        aria-description={props.why}
        title={props.caption === true ? undefined : props.label}
        aria-busy={props.busy === true}
        disabled={props.disabled === true || props.busy === true}
        onClick={props.onClick}
      >
        {props.children}
      </button>
      {props.caption === true && <span aria-hidden="true">{props.label}</span>}
    </span>
  );
}
