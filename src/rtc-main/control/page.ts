/**
 * Executes input in this page by events of the DOM, when the shared screen is this tab. Such events are not trusted: a page cannot use them
 * to open a device, a file dialog or another window. What a browser does by itself for a trusted event (focus, text, scrolling) is done
 * here and in page-keys.ts.
 */
import { BUTTON, OPER, PICTURE_SCALE } from "../../shared/domain/remote-control.ts";
import type { ControlAction } from "../../shared/protocol/remote-control.ts";
import type { ControlExecutor } from "./contracts.ts";
import { createPageKeys } from "./page-keys.ts";

type PointerAction = Extract<ControlAction, { x: number }>;
/** `button` and the bit of `buttons` of the browser's events. */
const BUTTONS: Readonly<Record<number, readonly [button: number, bit: number]>> = {
  [BUTTON.left]: [0, 1],
  [BUTTON.wheel]: [1, 4],
  [BUTTON.right]: [2, 2],
};
const NOTCH_PIXELS = 100;
const DOUBLE_CLICK_MILLIS = 500;
const FOCUSABLE =
  "a[href], button, input, select, textarea, summary, [tabindex], [contenteditable=''], [contenteditable='true']";

/** The innermost element, also within shadow roots. */
function elementAt(page: DocumentOrShadowRoot, x: number, y: number): Element | null {
  const found = page.elementFromPoint(x, y);
  const inner = found?.shadowRoot ?? null;
  return inner === null ? found : (elementAt(inner, x, y) ?? found);
}

function scrollerOf(start: Element | null, down: boolean): Element | null {
  for (let one = start; one !== null; one = one.parentElement) {
    const scrollable = down ? one.scrollHeight - one.clientHeight - one.scrollTop : one.scrollTop;
    const { overflowY } = getComputedStyle(one);
    const root = one === one.ownerDocument.scrollingElement;
    if (scrollable > 1 && (root || overflowY === "auto" || overflowY === "scroll")) return one;
  }
  return null;
}

/** @param page the document that the shared picture shows */
export function createPageExecutor(page: Document): ControlExecutor {
  const keys = createPageKeys(page);
  let over: Element | null = null;
  let pressedOn: Element | null = null;
  let buttons = 0;
  let click = { at: 0, count: 0, on: null as Element | null };

  const initAt = (x: number, y: number, button: number) => ({
    bubbles: true,
    cancelable: true,
    composed: true,
    view: page.defaultView,
    clientX: x,
    clientY: y,
    button,
    buttons,
    ...keys.modifiers,
  });
  /** @returns false when a handler prevented the default of one of the events */
  function both(on: Element, name: "move" | "down" | "up" | "over" | "out", init: MouseEventInit) {
    const pointer = { ...init, pointerId: 1, pointerType: "mouse", isPrimary: true };
    const goesOn = on.dispatchEvent(new PointerEvent(`pointer${name}`, pointer));
    return on.dispatchEvent(new MouseEvent(`mouse${name}`, init)) && goesOn;
  }
  function moveTo(target: Element, x: number, y: number): void {
    if (over !== target) {
      if (over?.isConnected === true) {
        both(over, "out", { ...initAt(x, y, 0), relatedTarget: target });
      }
      both(target, "over", { ...initAt(x, y, 0), relatedTarget: over });
      over = target;
    }
    both(target, "move", initAt(x, y, 0));
  }
  function focus(target: Element): void {
    const wanted = target.closest<HTMLElement>(FOCUSABLE);
    if (wanted !== null) return wanted.focus({ preventScroll: true });
    if (page.activeElement instanceof HTMLElement) page.activeElement.blur();
  }
  function press(target: Element, btn: number, x: number, y: number): void {
    const [button, bit] = BUTTONS[btn] ?? [0, 1];
    buttons |= bit;
    pressedOn = target;
    if (both(target, "down", initAt(x, y, button))) focus(target);
  }
  function release(target: Element, action: PointerAction, x: number, y: number): void {
    const [button, bit] = BUTTONS[action.btn] ?? [0, 1];
    buttons &= ~bit;
    both(target, "up", initAt(x, y, button));
    const from = pressedOn;
    pressedOn = null;
    if (from === null || (!from.contains(target) && !target.contains(from))) return;
    const clicked = from.contains(target) ? from : target;
    if (clicked.closest(":disabled") !== null) return;
    const init = initAt(x, y, button);
    if (button === 2) return void target.dispatchEvent(new MouseEvent("contextmenu", init));
    if (button === 1) return void target.dispatchEvent(new MouseEvent("auxclick", init));
    const again = click.on === clicked && action.time - click.at <= DOUBLE_CLICK_MILLIS;
    click = { at: action.time, count: again ? click.count + 1 : 1, on: clicked };
    const detail = click.count;
    clicked.dispatchEvent(new PointerEvent("click", { ...init, detail, pointerType: "mouse" }));
    if (detail === 2) clicked.dispatchEvent(new MouseEvent("dblclick", { ...init, detail }));
  }
  function roll(target: Element, down: boolean, x: number, y: number): void {
    const deltaY = down ? NOTCH_PIXELS : -NOTCH_PIXELS;
    const event = new WheelEvent("wheel", { ...initAt(x, y, 0), deltaY });
    if (target.dispatchEvent(event)) scrollerOf(target, down)?.scrollBy({ top: deltaY });
  }
  function point(action: PointerAction): void {
    // The picture of a tab is its viewport, with the scroll bars.
    const { innerWidth = 0, innerHeight = 0 } = page.defaultView ?? {};
    const x = Math.min(innerWidth - 1, (action.x / PICTURE_SCALE) * innerWidth);
    const y = Math.min(innerHeight - 1, (action.y / PICTURE_SCALE) * innerHeight);
    const target = elementAt(page, x, y) ?? page.documentElement;
    if (action.oper === OPER.move) return moveTo(target, x, y);
    if (action.btn === BUTTON.wheelUp || action.btn === BUTTON.wheelDown) {
      // A roll comes as down alone.
      if (action.oper === OPER.down) roll(target, action.btn === BUTTON.wheelDown, x, y);
      return;
    }
    if (action.oper === OPER.down) press(target, action.btn, x, y);
    else release(target, action, x, y);
  }

  return {
    input(actions) {
      for (const action of actions) {
        if ("x" in action) point(action);
        else keys.press(action);
      }
    },
    end() {
      keys.reset();
      [over, pressedOn, buttons] = [null, null, 0];
    },
  };
}
