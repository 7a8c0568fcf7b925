/** Answers a message by the key R and by a swipe to the right on touch screens (docs/chat.md#answers-and-forwarding). */
import { type RefObject, useEffect, useRef } from "react";
import type { ChatMessage } from "../../../../shared/protocol/state.ts";
import { useAppearance } from "../../../state/services.ts";
import { SWIPE_ANSWERS, swipeOf } from "./swipe.ts";

const WRITING =
  "input:not([type='checkbox']), textarea, select, [contenteditable], [role='combobox'], [role='dialog']";
/** What lies above the page and takes the keys. */
const OVERLAY =
  ".arco-modal-wrapper:not([style*='none']) .arco-modal, .arco-drawer-wrapper:not([style*='none']) .arco-drawer, .context-menu, .arco-dropdown-menu";
/** What needs the finger's sideways movement itself. */
const OWN_SWIPE = "audio, video, input";
/** px at the left edge, where a swipe leads back in some browsers. */
const EDGE = 24;

/** The row that the keys mean: the one with a visible focus, else the one below the pointer, else the one that was clicked. */
function rowOf(box: Element): HTMLElement | null {
  const focused = document.activeElement;
  const own = focused !== null && box.contains(focused) ? focused.closest(".message") : null;
  const pointed = box.querySelector(".message:hover");
  const row = focused?.matches(":focus-visible") === true ? (own ?? pointed) : (pointed ?? own);
  return row instanceof HTMLElement ? row : null;
}

export function useReply(
  boxRef: RefObject<HTMLElement | null>,
  /** Shows how far the swipe is. */
  cueRef: RefObject<HTMLElement | null>,
  about: {
    readonly messages: Readonly<Record<string, ChatMessage>>;
    /** Messages are being selected: nothing is answered. */
    readonly selecting: boolean;
    readonly answer: (message: ChatMessage) => void;
  },
): void {
  const [{ chatKeys }] = useAppearance();
  const latest = useRef({ ...about, chatKeys });
  useEffect(() => {
    latest.current = { ...about, chatKeys };
  });

  useEffect(() => {
    const messageOf = (row: HTMLElement | null): ChatMessage | null => {
      const { messages, selecting } = latest.current;
      const message = messages[row?.dataset["row"] ?? ""];
      if (selecting || message === undefined || message.mid === null) return null;
      return message.status === "recall" ? null : message;
    };

    const onKey = (event: KeyboardEvent): void => {
      const { altKey, ctrlKey, metaKey, shiftKey, repeat, isComposing, target } = event;
      if (event.key.toLowerCase() !== "r" || !latest.current.chatKeys) return;
      if (altKey || ctrlKey || metaKey || shiftKey || repeat || isComposing) return;
      if (event.defaultPrevented || document.querySelector(OVERLAY) !== null) return;
      if (target instanceof Element && target.closest(WRITING) !== null) return;
      const message = messageOf(boxRef.current === null ? null : rowOf(boxRef.current));
      if (message === null) return;
      // the letter must not be the first of the answer
      event.preventDefault();
      latest.current.answer(message);
    };
    addEventListener("keydown", onKey);

    /** The touch that may become a swipe. */
    let touch: {
      readonly id: number;
      readonly x: number;
      readonly y: number;
      readonly row: HTMLElement;
      readonly message: ChatMessage;
      shift: number;
    } | null = null;
    const show = (row: HTMLElement, shift: number): void => {
      const ready = shift >= SWIPE_ANSWERS;
      if (shift === 0) row.style.removeProperty("transform");
      else row.style.setProperty("transform", `translateX(${shift}px)`);
      row.toggleAttribute("data-swiping", shift > 0);
      const cue = cueRef.current;
      const area = cue?.parentElement;
      if (!cue || !area) return;
      const { top, height } = row.getBoundingClientRect();
      cue.style.top = `${top - area.getBoundingClientRect().top + height / 2}px`;
      cue.style.opacity = String(Math.min(1, shift / SWIPE_ANSWERS));
      cue.toggleAttribute("data-ready", ready);
    };
    const end = (answers: boolean): void => {
      if (touch === null) return;
      const { row, message, shift } = touch;
      touch = null;
      if (shift > 0) show(row, 0);
      if (answers && shift >= SWIPE_ANSWERS) latest.current.answer(message);
    };
    const onDown = (event: PointerEvent): void => {
      // a second finger zooms
      if (touch !== null) return end(false);
      if (event.pointerType !== "touch" || event.clientX < EDGE) return;
      if (!(event.target instanceof Element) || event.target.closest(OWN_SWIPE) !== null) return;
      const row = event.target.closest<HTMLElement>(".message");
      const message = messageOf(row);
      if (row === null || message === null) return;
      touch = { id: event.pointerId, x: event.clientX, y: event.clientY, row, message, shift: 0 };
    };
    const onMove = ({ pointerId, clientX, clientY }: PointerEvent): void => {
      if (touch === null || touch.id !== pointerId) return;
      const swipe = swipeOf(clientX - touch.x, clientY - touch.y, touch.shift > 0);
      if (swipe === "wait") return;
      if (swipe === "lost") return end(false);
      touch.shift = Math.max(1, swipe);
      show(touch.row, touch.shift);
    };
    const onUp = ({ pointerId }: PointerEvent): void => {
      if (touch?.id === pointerId) end(true);
    };
    // the browser takes the touch for itself when it scrolls
    const onCancel = ({ pointerId }: PointerEvent): void => {
      if (touch?.id === pointerId) end(false);
    };
    const box = boxRef.current;
    box?.addEventListener("pointerdown", onDown);
    addEventListener("pointermove", onMove);
    addEventListener("pointerup", onUp);
    addEventListener("pointercancel", onCancel);
    return () => {
      end(false);
      removeEventListener("keydown", onKey);
      box?.removeEventListener("pointerdown", onDown);
      removeEventListener("pointermove", onMove);
      removeEventListener("pointerup", onUp);
      removeEventListener("pointercancel", onCancel);
    };
  }, [boxRef, cueRef]);
}
