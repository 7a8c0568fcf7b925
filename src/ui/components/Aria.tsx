/** Adds what Arco leaves out for keyboards and screen readers to the elements that it renders inside. */
import { type ReactNode, useLayoutEffect, useRef } from "react";

export function Aria(props: {
  /** Accessible name of the progress bar inside. */
  readonly progress?: string;
  readonly children: ReactNode;
}) {
  const { progress, children } = props;
  const box = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    // a closed Select keeps its search box, hidden from screen readers but not from the Tab key
    for (const input of box.current?.querySelectorAll<HTMLElement>("input[aria-hidden]") ?? []) {
      input.tabIndex = -1;
    }
    const bar = box.current?.querySelector("[role=progressbar]");
    if (progress !== undefined) bar?.setAttribute("aria-label", progress);
  });
  return (
    <span ref={box} style={{ display: "contents" }}>
      {children}
    </span>
  );
}
