/** What a call shows, as long as the person may make it; otherwise that it is not so now (docs/session.md#changed-rights). */
import { lazy, type ReactNode } from "react";
import { useDenied } from "../../state/may.ts";
import { retrying } from "../../state/retrying.ts";
import { Part } from "../Part.tsx";

const TakenNote = lazy(() =>
  retrying(() => import("./TakenNote.tsx")).then((m) => ({ default: m.TakenNote })),
);

export function Allowed(props: {
  readonly call: string;
  /** What the page is called. */
  readonly title: string;
  readonly children: ReactNode;
}) {
  return useDenied(props.call) ? <TakenPanel title={props.title} /> : props.children;
}

/** In place of a page. */
export function TakenPanel({ title }: { readonly title: string }) {
  return (
    <div className="panel list-page">
      <Part>
        <TakenNote title={title} />
      </Part>
    </div>
  );
}
