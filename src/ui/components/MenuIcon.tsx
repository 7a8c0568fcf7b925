/** The icon of a menu entry. The frame shows before its two dozen icons are loaded; their places are kept. */
import { lazy, Suspense } from "react";
import { retrying } from "../state/retrying.ts";

const NamedIcon = lazy(() => retrying(() => import("./menu-icons.tsx")));

export function MenuIcon({ name }: { readonly name: string }) {
  return (
    <Suspense fallback={<svg className="arco-icon" width="1em" height="1em" aria-hidden="true" />}>
      <NamedIcon name={name} />
    </Suspense>
  );
}
