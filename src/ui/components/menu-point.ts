/** Where a context menu opens, the same for every row, message and tag that has one. */
import type { MenuPoint } from "./ContextMenu.tsx";

/** A point, and what gets the focus back when the menu closes. */
export interface OpenedMenu extends MenuPoint {
  readonly opener: Element | null;
}

const below = (element: Element): MenuPoint => {
  const { left, bottom } = element.getBoundingClientRect();
  return { x: left, y: bottom };
};

/** Below the button that was pressed. @returns null when no element was */
export function menuOfButton({ target }: Pick<Event, "target">): OpenedMenu | null {
  if (!(target instanceof Element)) return null;
  const opener = target.closest("button") ?? target;
  return { ...below(opener), opener };
}

/** At the pointer. An event from the context-menu key may have no position: the menu then opens below its element. */
export function menuAtPointer(event: {
  readonly clientX: number;
  readonly clientY: number;
  readonly currentTarget: Element;
}): OpenedMenu {
  const { clientX, clientY, currentTarget } = event;
  const byKey = clientX === 0 && clientY === 0;
  const point = byKey ? below(currentTarget) : { x: clientX, y: clientY };
  return { ...point, opener: document.activeElement };
}
