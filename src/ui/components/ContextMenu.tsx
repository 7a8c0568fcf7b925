/** A menu at a point of the window: the arrow keys move in it, Escape and a click beside it close it. */
import { useEffect, useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from "react";
import "./context-menu.css";

/** Minimum distance from the window's edges, px. */
const EDGE = 4;

export interface MenuPoint {
  readonly x: number;
  readonly y: number;
}

export function ContextMenu(props: {
  readonly at: MenuPoint;
  readonly label: string;
  /** @param refocus closed by keyboard: what opened the menu must get the focus back */
  readonly onClose: (refocus: boolean) => void;
  /** Buttons with the role `menuitem`. */
  readonly children: ReactNode;
}) {
  const { at, onClose } = props;
  const box = useRef<HTMLDivElement>(null);

  // without dependencies: entries may come while the menu is open, and it stays within the window
  useLayoutEffect(() => {
    const menu = box.current;
    if (menu === null) return;
    menu.style.left = `${Math.max(EDGE, Math.min(at.x, innerWidth - menu.offsetWidth - EDGE))}px`;
    menu.style.top = `${Math.max(EDGE, Math.min(at.y, innerHeight - menu.offsetHeight - EDGE))}px`;
  });
  useLayoutEffect(() => {
    const first = box.current?.querySelector<HTMLElement>("button:not(:disabled)");
    first?.focus({ preventScroll: true });
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another point is another menu
  }, [at]);

  useEffect(() => {
    const outside = (event: Event): void => {
      if (event.target instanceof Node && box.current?.contains(event.target) === true) return;
      onClose(false);
    };
    const away = (): void => onClose(false);
    addEventListener("pointerdown", outside, true);
    addEventListener("resize", away);
    addEventListener("blur", away);
    return () => {
      removeEventListener("pointerdown", outside, true);
      removeEventListener("resize", away);
      removeEventListener("blur", away);
    };
  }, [onClose]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const items = [...(box.current?.querySelectorAll<HTMLElement>("button:not(:disabled)") ?? [])];
    const now = items.findIndex((item) => item === document.activeElement);
    const go: Readonly<Record<string, number>> = {
      ArrowDown: now + 1,
      ArrowRight: now + 1,
      ArrowUp: now - 1 + items.length,
      ArrowLeft: now - 1 + items.length,
      Home: 0,
      End: items.length - 1,
    };
    const next = go[event.key];
    if (next !== undefined) items[next % items.length]?.focus();
    else if (event.key === "Escape" || event.key === "Tab") onClose(true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div
      ref={box}
      className="context-menu"
      role="menu"
      tabIndex={-1}
      aria-label={props.label}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => event.preventDefault()}
    >
      {props.children}
    </div>
  );
}
