import type { ComponentPropsWithoutRef } from "react";
import { useScrollCue } from "./useScrollCue.ts";

/**
 * A box that scrolls sideways and shows that it does; for tables that are wider than the window.
 *
 * @param props with a `tabIndex` the box keeps it; without one it takes the focus while it scrolls
 */
export function ScrollBox(props: ComponentPropsWithoutRef<"div">) {
  const ref = useScrollCue<HTMLDivElement>(undefined, props.tabIndex === undefined);
  return <div {...props} ref={ref} />;
}
