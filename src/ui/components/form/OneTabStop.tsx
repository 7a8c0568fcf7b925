/**
 * The library's searchable select has two tab stops: itself, and the input inside, which it hides from screen readers while a value is shown.
 * Here the input is none: the select gives it the focus.
 */
import { type ReactNode, useLayoutEffect, useRef } from "react";
import "./other-input.css";

export function OneTabStop({ children }: { readonly children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    for (const input of box.current?.querySelectorAll("input") ?? []) input.tabIndex = -1;
  });
  return (
    <div ref={box} className="form-one-stop">
      {children}
    </div>
  );
}
