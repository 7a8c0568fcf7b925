/** Arco's dialog, which is moved by its title: with the pointer, or with the arrow keys while the title has the focus. */
import { Modal, type ModalProps } from "@arco-design/web-react";
import {
  type KeyboardEvent,
  type PointerEvent,
  type PropsWithChildren,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { texts, useTexts } from "../../i18n/texts.ts";
import { CloseCross } from "./CloseCross.tsx";
import { useEscape } from "./useEscape.ts";
import { keptInside, type Offset, stepOf } from "./keep-inside.ts";
import "./dialog.css";

const TEXTS = texts({
  move: ["拖动或用方向键移动窗口", "Drag, or move the window by the arrow keys"],
});

/** What takes the focus in a dialog's content, or else in its footer. */
const CONTROLS =
  ":is(.arco-modal-content, .arco-modal-footer) :is(input:enabled:not([type=file]), textarea:enabled, [role=combobox], [role=textbox], button:enabled)";

const HOME: Offset = { x: 0, y: 0 };

/** The offset next to the wanted one that keeps the dialog of the handle in the window. */
function placed(handle: HTMLElement | null, now: Offset, wanted: Offset): Offset {
  const box = handle?.closest("[role=dialog]")?.getBoundingClientRect();
  if (box === undefined) return now;
  const { width, height } = box;
  const home = { left: box.left - now.x, top: box.top - now.y, width, height };
  const next = keptInside(wanted, home, { width: innerWidth, height: innerHeight });
  return next.x === now.x && next.y === now.y ? now : next;
}

export function Dialog(props: PropsWithChildren<ModalProps & { readonly title: string }>) {
  const { title, style, afterOpen, ...rest } = props;
  const text = useTexts(TEXTS);
  const hint = useId();
  const handle = useRef<HTMLHeadingElement>(null);
  const [offset, setOffset] = useState(HOME);
  /** Where the pointer took hold, as it would be for a dialog that was not moved. */
  const held = useRef<Offset | null>(null);

  const moveTo = (wanted: (now: Offset) => Offset): void =>
    setOffset((now) => placed(handle.current, now, wanted(now)));
  const settle = useCallback((): void => setOffset((now) => placed(handle.current, now, now)), []);
  const awaited = useRef<MutationObserver | null>(null);
  useEffect(() => () => awaited.current?.disconnect(), []);
  /**
   * The library moves the focus from a control into its dialog, but not from nowhere, as when the button was disabled for a request. It knows
   * no content that comes later, and gives the focus to the cross.
   */
  const takeFocus = (): void => {
    const box = handle.current?.closest("[role=dialog]") ?? null;
    const isElsewhere = ({ activeElement }: Document): boolean =>
      activeElement !== null &&
      activeElement !== document.body &&
      activeElement.closest(".dialog-cross") === null;
    const focusFirst = (): void => {
      const first = box?.querySelector<HTMLElement>(CONTROLS) ?? null;
      if (first === null && !isElsewhere(document)) return;
      awaited.current?.disconnect();
      if (!isElsewhere(document)) first?.focus();
    };
    if (box === null || isElsewhere(document)) return;
    awaited.current = new MutationObserver(focusFirst);
    awaited.current.observe(box, { childList: true, subtree: true });
    focusFirst();
  };
  const { visible = false, escToExit = true, onCancel } = props;
  useEscape(handle, visible && escToExit && onCancel !== undefined ? () => onCancel() : null);
  // The window may become smaller than where the dialog stands.
  useEffect(() => {
    addEventListener("resize", settle);
    return () => removeEventListener("resize", settle);
  }, [settle]);

  const onPointerDown = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    held.current = { x: event.clientX - offset.x, y: event.clientY - offset.y };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = ({ clientX, clientY }: PointerEvent): void => {
    const from = held.current;
    if (from !== null) moveTo(() => ({ x: clientX - from.x, y: clientY - from.y }));
  };
  const release = (): void => {
    held.current = null;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = stepOf(event.key, event.shiftKey);
    if (step === null) return;
    event.preventDefault();
    moveTo(({ x, y }) => ({ x: x + step.x, y: y + step.y }));
  };
  return (
    <Modal
      closeIcon={<CloseCross />}
      {...rest}
      afterOpen={() => {
        // Who moved the dialog while it grew moved it by its size at that moment.
        settle();
        takeFocus();
        afterOpen?.();
      }}
      style={{ ...style, translate: `${offset.x}px ${offset.y}px` }}
      title={
        <>
          <h2
            ref={handle}
            className="dialog-handle"
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a heading that moves its dialog by keys
            tabIndex={0}
            // the first field of the dialog gets the focus, not the title
            data-no-autofocus="true"
            aria-describedby={hint}
            onPointerDown={onPointerDown}
            onPointerMove={onPointerMove}
            onPointerUp={release}
            onPointerCancel={release}
            onKeyDown={onKeyDown}
          >
            {title}
          </h2>
          <span id={hint} hidden>
            {text("move")}
          </span>
        </>
      }
    />
  );
}
