/** What a call shows, as long as the person may make it; otherwise that it is not so now (docs/session.md#changed-rights). */
import { lazy, type ReactNode, Suspense } from "react";
import { useDenied } from "../../state/may.ts";
import { retrying } from "../../state/retrying.ts";

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
      <Suspense fallback={null}>
        <TakenNote title={title} />
      </Suspense>
    </div>
  );
}
