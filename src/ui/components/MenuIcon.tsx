/** The icon of a menu entry. The frame shows before its two dozen icons are loaded; their places are kept. */
import { lazy } from "react";
import { retrying } from "../state/retrying.ts";
import { Part } from "./Part.tsx";

const NamedIcon = lazy(() => retrying(() => import("./menu-icons.tsx")));

export function MenuIcon({ name }: { readonly name: string }) {
  return (
    <Part fallback={<svg className="arco-icon" width="1em" height="1em" aria-hidden="true" />}>
      <NamedIcon name={name} />
    </Part>
  );
}
