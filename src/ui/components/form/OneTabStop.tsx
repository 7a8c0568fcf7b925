/**
 * The library's searchable select has two tab stops: itself, and the input inside, which it hides from screen readers while a value is shown.
 * Here the input is none: the select gives it the focus. On the way back the select is none either, or it would give the focus to the
 * input again, and nobody could leave it backwards.
 */
import { type ReactNode, useLayoutEffect, useRef } from "react";
import "./other-input.css";

export function OneTabStop({ children }: { readonly children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const name = box.current?.querySelector("[role=combobox]")?.ariaLabel ?? null;
    for (const input of box.current?.querySelectorAll("input") ?? []) {
      input.tabIndex = -1;
      // beside chosen values it has no placeholder, and so no name
      if (input.placeholder === "") input.ariaLabel = name;
    }
  });
  useLayoutEffect(() => {
    const around = box.current;
    const onKeyDown = (event: KeyboardEvent): void => {
      const select = around?.querySelector<HTMLElement>("[role=combobox]") ?? null;
      if (event.key !== "Tab" || !event.shiftKey || select === null) return;
      select.tabIndex = -1;
      setTimeout(() => (select.tabIndex = 0));
    };
    around?.addEventListener("keydown", onKeyDown);
    return () => around?.removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    <div ref={box} className="form-one-stop">
      {children}
    </div>
  );
}
