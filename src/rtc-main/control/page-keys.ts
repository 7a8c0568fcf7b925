/** Keys in this page: the events, and what a browser would do by itself: text, deleting, Enter, Tab, the cursor, scrolling. */
import { keyOf } from "../../shared/domain/control-keys.ts";
import { OPER } from "../../shared/domain/remote-control.ts";
import type { ControlAction } from "../../shared/protocol/remote-control.ts";

type KeyAction = Exclude<ControlAction, { x: number }>;
type Field = HTMLInputElement | HTMLTextAreaElement;
type Modifier = "shiftKey" | "ctrlKey" | "altKey" | "metaKey";
const MODIFIERS: Readonly<Record<string, Modifier>> = {
  Shift: "shiftKey",
  Control: "ctrlKey",
  Alt: "altKey",
  Meta: "metaKey",
};
const TEXT_TYPES = ["text", "search", "url", "tel", "email", "password", "number"];
const TABBABLE =
  "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]:not([tabindex='-1']), [contenteditable='true']";
const PAGE_SHARE = 0.9;
const LINE_PIXELS = 40;

const fieldOf = (element: Element | null): Field | null => {
  if (element instanceof HTMLTextAreaElement) return element.readOnly ? null : element;
  if (!(element instanceof HTMLInputElement) || element.readOnly) return null;
  return TEXT_TYPES.includes(element.type) ? element : null;
};

/** Replaces what is selected, `before` characters before it or `after` behind it, as typing does. */
function edit(field: Field, text: string, before = 0, after = 0): void {
  const type = text === "" ? "deleteContent" : "insertText";
  const init = { bubbles: true, cancelable: true, composed: true, inputType: type, data: text };
  if (!field.dispatchEvent(new InputEvent("beforeinput", init))) return;
  const { value } = field;
  const start = field.selectionStart ?? value.length;
  const end = field.selectionEnd ?? value.length;
  const from = start === end ? Math.max(0, start - before) : start;
  const to = start === end ? Math.min(value.length, end + after) : end;
  const next = value.slice(0, from) + text + value.slice(to);
  if (field.maxLength >= 0 && next.length > field.maxLength && text !== "") return;
  if (field.selectionStart === null) {
    // Such a type has no selection. The setter of the prototype passes by the one that a framework has put on the element.
    const setter = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
    setter?.call(field, next);
  } else field.setRangeText(text, from, to, "end");
  field.dispatchEvent(new InputEvent("input", { ...init, cancelable: false }));
}
function moveCursor(field: Field, key: string, extend: boolean): void {
  const { selectionStart, selectionEnd, value } = field;
  if (selectionStart === null || selectionEnd === null) return;
  const backwards = field.selectionDirection === "backward";
  const head = backwards ? selectionStart : selectionEnd;
  const anchor = backwards ? selectionEnd : selectionStart;
  const places: Readonly<Record<string, number>> = {
    ArrowLeft: head - 1,
    ArrowRight: head + 1,
    Home: 0,
    End: value.length,
  };
  const next = Math.min(value.length, Math.max(0, places[key] ?? head));
  if (!extend) return field.setSelectionRange(next, next);
  field.setSelectionRange(
    Math.min(anchor, next),
    Math.max(anchor, next),
    next < anchor ? "backward" : "forward",
  );
}

export interface PageKeys {
  readonly modifiers: Readonly<Record<Modifier, boolean>>;
  press(action: KeyAction): void;
  reset(): void;
}

export function createPageKeys(page: Document): PageKeys {
  const up = (): Record<Modifier, boolean> => ({
    shiftKey: false,
    ctrlKey: false,
    altKey: false,
    metaKey: false,
  });
  let modifiers = up();

  function tab(backwards: boolean): void {
    const all = [...page.querySelectorAll<HTMLElement>(TABBABLE)].filter(
      (one) => one.getClientRects().length > 0,
    );
    const now = all.findIndex((one) => one === page.activeElement);
    const next = now + (backwards ? -1 : 1);
    all.at(next < all.length ? next : 0)?.focus();
  }
  function scroll(key: string): void {
    const root = page.scrollingElement;
    if (root === null) return;
    const steps: Readonly<Record<string, number>> = {
      PageUp: -root.clientHeight * PAGE_SHARE,
      PageDown: root.clientHeight * PAGE_SHARE,
      ArrowUp: -LINE_PIXELS,
      ArrowDown: LINE_PIXELS,
      Home: -root.scrollHeight,
      End: root.scrollHeight,
    };
    root.scrollBy({ top: steps[key] ?? 0 });
  }
  function enter(target: Element): void {
    if (target instanceof HTMLTextAreaElement) return edit(target, "\n");
    if (target instanceof HTMLInputElement && TEXT_TYPES.includes(target.type)) {
      return target.form?.requestSubmit();
    }
    if (target.matches("a[href], button, summary, input")) (target as HTMLElement).click();
  }
  /** @param target where the focus is */
  function act(key: string, target: HTMLElement): void {
    const { ctrlKey, metaKey, altKey, shiftKey } = modifiers;
    const field = fieldOf(target);
    const rich = target.isContentEditable;
    if (ctrlKey || metaKey || altKey) {
      if (key.toLowerCase() === "a" && !altKey) field?.select();
      return;
    }
    if (key === "Tab") return tab(shiftKey);
    if (key === "Enter") {
      return rich ? void page.execCommand("insertParagraph") : enter(target);
    }
    if (key === "Backspace" || key === "Delete") {
      const back = key === "Backspace";
      if (rich) page.execCommand(back ? "delete" : "forwardDelete");
      else if (field !== null) edit(field, "", back ? 1 : 0, back ? 0 : 1);
      return;
    }
    if (/^(Arrow|Home|End|Page)/.test(key)) {
      if (field !== null && !key.startsWith("Page")) moveCursor(field, key, shiftKey);
      else if (!rich) scroll(key);
      return;
    }
    // A name of a key has several characters, a character one, perhaps of two units.
    if ([...key].length !== 1) return;
    if (rich) page.execCommand("insertText", false, key);
    else if (field !== null) edit(field, key);
    else if (key === " " && target.matches("button, summary, input")) target.click();
  }

  return {
    get modifiers() {
      return modifiers;
    },
    press(action) {
      const down = action.oper === OPER.keyDown;
      const known = keyOf(action.btn, modifiers.shiftKey);
      const { key = known.key, code = known.code } = action;
      const modifier = MODIFIERS[key];
      if (modifier !== undefined) modifiers = { ...modifiers, [modifier]: down };
      const focused = page.activeElement;
      const target = focused instanceof HTMLElement ? focused : page.body;
      const init = {
        bubbles: true,
        cancelable: true,
        composed: true,
        view: page.defaultView,
        key,
        code,
        keyCode: action.btn,
        which: action.btn,
        ...modifiers,
      };
      const goesOn = target.dispatchEvent(new KeyboardEvent(down ? "keydown" : "keyup", init));
      if (!down || !goesOn || modifier !== undefined) return;
      // A handler may have moved the focus.
      act(key, page.activeElement instanceof HTMLElement ? page.activeElement : page.body);
    },
    reset() {
      modifiers = up();
    },
  };
}
