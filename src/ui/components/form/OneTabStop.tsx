/**
 * The library's searchable select has two tab stops: itself, and the input inside, which it hides from screen readers while a value is shown.
 * This component leaves one tab stop. The input leaves the tab order; the select passes the focus to it. While the input has the focus, the
 * select leaves the tab order too. Otherwise Shift+Tab would move to the select, which would pass the focus to the input again.
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
    const mark = (): void => {
      const around = box.current;
      const select = around?.querySelector<HTMLElement>("[role=combobox]") ?? null;
      if (around === null || select === null || select.ariaDisabled === "true") return;
      select.tabIndex = around.contains(document.activeElement) ? -1 : 0;
    };
    // Not when the focus is gone to nowhere: the library takes it away when its list closes, and the next Tab begins from the input.
    const events = ["focusin", "pointerup"];
    for (const type of events) document.addEventListener(type, mark, true);
    return () => {
      for (const type of events) document.removeEventListener(type, mark, true);
    };
  }, []);
  return (
    <div ref={box} className="form-one-stop">
      {children}
    </div>
  );
}
