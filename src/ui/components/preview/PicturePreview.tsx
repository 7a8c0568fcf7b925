/**
 * Shows pictures large, above everything: zoom by keys, wheel and buttons, turn, next and previous, also by a swipe of a finger, Escape. It holds the keyboard while it
 * is open and gives the focus back. Loaded when the first picture is opened.
 */
import {
  IconClose,
  IconLeft,
  IconOriginalSize,
  IconRight,
  IconRotateLeft,
  IconRotateRight,
  IconZoomIn,
  IconZoomOut,
} from "@arco-design/web-react/icon";
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from "react";
import { createPortal } from "react-dom";
import { texts, useTexts } from "../../i18n/texts.ts";
import { useFocusBack } from "../useFocusBack.ts";
import { type Act, actOfKey, actOfSwipe, firstView, viewed, ZOOM } from "./view.ts";
import "./preview.css";

const TEXTS = texts({
  title: ["图片预览", "Picture preview"],
  picture: ["图片", "Picture"],
  of: ["第 {{index}} 张，共 {{count}} 张", "{{index}} of {{count}}"],
  previous: ["上一张", "Previous"],
  next: ["下一张", "Next"],
  smaller: ["缩小", "Zoom out"],
  larger: ["放大", "Zoom in"],
  fit: ["还原", "Fit"],
  turnBack: ["向左旋转", "Rotate left"],
  turn: ["向右旋转", "Rotate right"],
  close: ["关闭预览", "Close the preview"],
  broken: ["图片无法显示", "The picture cannot be shown"],
});

export interface PreviewPicture {
  readonly key: string;
  /** Of the file; may be empty. */
  readonly name: string;
  readonly src: string;
}

export default function PicturePreview(props: {
  /** At least one. */
  readonly pictures: readonly PreviewPicture[];
  /** Of the picture that is shown first. */
  readonly index: number;
  readonly onClose: () => void;
}) {
  const { pictures, onClose } = props;
  const count = pictures.length;
  const text = useTexts(TEXTS);
  const box = useRef<HTMLDivElement>(null);
  const dragged = useRef<{ readonly x: number; readonly y: number } | null>(null);
  /** Where a finger began, over a picture that fits or beside it. */
  const touched = useRef<{ readonly x: number; readonly y: number } | null>(null);
  /** px that the finger is from there sideways: the picture follows it. */
  const [pulled, setPulled] = useState(0);
  const [view, setView] = useState(() => firstView(props.index));
  const [broken, setBroken] = useState<string | null>(null);
  useFocusBack(() => document.querySelector<HTMLElement>("#main"));
  useEffect(() => box.current?.focus(), []);
  const run = (act: Act): void => setView((now) => viewed(now, act, count));
  const picture = pictures[Math.min(view.index, count - 1)];
  if (picture === undefined) return null;

  const onKeyDown = (event: KeyboardEvent): void => {
    // A dialog below must not close or move its focus too.
    event.stopPropagation();
    if (event.key === "Escape") {
      event.preventDefault();
      onClose();
      return;
    }
    if (event.key === "Tab") {
      holdFocus(event, box.current);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = actOfKey(event.key, view);
    if (act === null) return;
    event.preventDefault();
    run(act);
  };
  const onPointerDown = (event: PointerEvent): void => {
    const { target } = event;
    if (event.button !== 0 || !(target instanceof Element)) return;
    // A swipe may begin beside a small picture, but not on a button.
    if (target.closest(".preview-ground, .preview-figure") === null) return;
    if (view.zoom <= 1) {
      // A second finger is no swipe.
      const isSwipe = event.pointerType === "touch" && event.isPrimary;
      touched.current = isSwipe ? { x: event.clientX, y: event.clientY } : null;
      return;
    }
    if (target.closest("img") === null) return;
    dragged.current = { x: event.clientX, y: event.clientY };
    target.setPointerCapture(event.pointerId);
    event.preventDefault();
  };
  const onPointerMove = (event: PointerEvent): void => {
    if (touched.current !== null && event.isPrimary) {
      setPulled(count > 1 ? event.clientX - touched.current.x : 0);
    }
    const from = dragged.current;
    if (from === null) return;
    dragged.current = { x: event.clientX, y: event.clientY };
    run({ do: "move", x: event.clientX - from.x, y: event.clientY - from.y });
  };
  const onPointerUp = (event: PointerEvent): void => {
    dragged.current = null;
    const from = touched.current;
    if (from === null || !event.isPrimary) return;
    onPointerCancel();
    const act = actOfSwipe(event.clientX - from.x, event.clientY - from.y);
    if (act !== null) run(act);
  };
  const onPointerCancel = (): void => {
    dragged.current = null;
    touched.current = null;
    setPulled(0);
  };
  const tool = (act: Exclude<Act["do"], "move">, icon: ReactNode, disabled = false) => (
    <button
      type="button"
      aria-label={text(act)}
      title={text(act)}
      // a button that is disabled under the focus would lose it
      aria-disabled={disabled}
      onClick={() => run({ do: act })}
    >
      {icon}
    </button>
  );
  return createPortal(
    <div
      ref={box}
      className="preview"
      role="dialog"
      aria-modal="true"
      aria-label={text("title")}
      tabIndex={-1}
      // the focus lock of a dialog below leaves it alone
      data-no-focus-lock="true"
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerCancel}
      onWheel={({ deltaY }) => run({ do: deltaY < 0 ? "larger" : "smaller" })}
    >
      {/* a press beside the picture closes; the keyboard has Escape and the button */}
      <div className="preview-ground" aria-hidden="true" onClick={onClose} />
      <figure className="preview-figure">
        {broken === picture.key ? (
          <p role="alert">{text("broken")}</p>
        ) : (
          <img
            key={picture.key}
            src={picture.src}
            alt={picture.name === "" ? text("picture") : picture.name}
            draggable={false}
            data-large={view.zoom > 1 || pulled !== 0}
            style={{
              transform: `translate(${view.x + pulled}px, ${view.y}px) rotate(${view.turn}deg) scale(${view.zoom})`,
            }}
            onError={() => setBroken(picture.key)}
          />
        )}
      </figure>
      <p className="preview-name">
        <span className="ellipsis">{picture.name}</span>
        <span aria-live="polite">
          {count > 1 && text("of", { index: view.index + 1, count })}
          <span className="visually-hidden">{` ${Math.round(view.zoom * 100)}%`}</span>
        </span>
      </p>
      <div className="preview-tools">
        {count > 1 && tool("previous", <IconLeft />, view.index === 0)}
        {tool("smaller", <IconZoomOut />, view.zoom <= ZOOM.least)}
        {tool("larger", <IconZoomIn />, view.zoom >= ZOOM.most)}
        {tool("fit", <IconOriginalSize />)}
        {tool("turnBack", <IconRotateLeft />)}
        {tool("turn", <IconRotateRight />)}
        {count > 1 && tool("next", <IconRight />, view.index === count - 1)}
      </div>
      <button
        type="button"
        className="preview-close"
        aria-label={text("close")}
        title={text("close")}
        onClick={onClose}
      >
        <IconClose />
      </button>
    </div>,
    document.body,
  );
}

/** Tab goes round among the buttons. */
function holdFocus(event: KeyboardEvent, box: HTMLElement | null): void {
  const buttons = [...(box?.querySelectorAll("button") ?? [])];
  const at = buttons.findIndex((button) => button === document.activeElement);
  const step = event.shiftKey ? -1 : 1;
  const from = at === -1 && event.shiftKey ? 0 : at;
  event.preventDefault();
  buttons[(from + step + buttons.length) % buttons.length]?.focus();
}
