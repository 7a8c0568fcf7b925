/** One message in the middle of a page, with the possible next steps. */
import type { ReactNode } from "react";
import {
  IconApps,
  IconCompass,
  IconDesktop,
  IconExclamationCircle,
  IconLock,
} from "@arco-design/web-react/icon";
import "./plain.css";

const ICONS = {
  browser: IconDesktop,
  broken: IconExclamationCircle,
  lost: IconCompass,
  lock: IconLock,
  building: IconApps,
};

export function PlainPage(props: {
  readonly icon: keyof typeof ICONS;
  readonly title: string;
  readonly hint: string;
  /** Inside the frame instead of alone on the page. */
  readonly inner?: boolean;
  readonly children?: ReactNode;
}) {
  const Icon = ICONS[props.icon];
  const content = (
    <div className="plain-box">
      <span className="plain-icon" aria-hidden="true">
        <Icon />
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
