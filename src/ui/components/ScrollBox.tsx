import type { ComponentPropsWithoutRef } from "react";
import { useScrollCue } from "./useScrollCue.ts";

/** A box that scrolls sideways and shows it: around tables that a narrow window cuts. */
export function ScrollBox(props: ComponentPropsWithoutRef<"div">) {
  const ref = useScrollCue<HTMLDivElement>();
  return <div {...props} ref={ref} />;
}
