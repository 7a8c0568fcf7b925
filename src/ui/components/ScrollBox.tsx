import type { ComponentPropsWithoutRef } from "react";
import { useScrollCue } from "./useScrollCue.ts";

/** A box that scrolls sideways and shows that it does; for tables that are wider than the window. */
export function ScrollBox(props: ComponentPropsWithoutRef<"div">) {
  const ref = useScrollCue<HTMLDivElement>(undefined, true);
  return <div {...props} ref={ref} />;
}
