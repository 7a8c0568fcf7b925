/** One message in the middle of a page, with the possible next steps. */
import type { ReactNode } from "react";
import { PlainIcon } from "../../components/PlainIcon.tsx";
import "./plain.css";

const ICONS = {
  browser: "desktop",
  broken: "exclamation",
  lost: "compass",
  lock: "lock",
  building: "apps",
  robot: "robot",
} as const;

export function PlainPage(props: {
  readonly icon: keyof typeof ICONS;
  readonly title: string;
  readonly hint: string;
  /** Inside the frame instead of alone on the page. */
  readonly inner?: boolean;
  /** It stands there until something is loaded. */
  readonly waits?: boolean;
  readonly children?: ReactNode;
}) {
  const role = props.waits === true ? "status" : props.icon === "broken" ? "alert" : undefined;
  const content = (
    <div className="plain-box" role={role}>
      <span className="plain-icon" aria-hidden="true">
        <PlainIcon name={ICONS[props.icon]} />
      </span>
      <h1>{props.title}</h1>
      {props.hint !== "" && <p>{props.hint}</p>}
      {props.children !== undefined && <div className="plain-actions">{props.children}</div>}
    </div>
  );
  return props.inner === true ? (
    <div className="plain plain-inner">{content}</div>
  ) : (
    <main className="plain">{content}</main>
  );
}
