/** The right edge of a column in the head of a list. The pointer or arrow keys move it; a double click or Delete puts it back. */
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { useTexts } from "../../i18n/texts.ts";
import { fitting, WIDTH } from "./columnLayout.ts";
import { LIST_TEXTS } from "./texts.ts";

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -WIDTH.step,
  ArrowRight: WIDTH.step,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

export function ColumnEdge(props: {
  readonly title: string;
  /** Shows a width, px, while the person moves the edge; null: as it was. */
  readonly onMove: (width: number | null) => void;
  /** Keeps a width; null: as declared. */
  readonly onWidth: (width: number | null) => void;
}) {
  const { title, onMove, onWidth } = props;
  const text = useTexts(LIST_TEXTS);
  const edge = useRef<HTMLSpanElement>(null);
  const [width, setWidth] = useState(WIDTH.least);
  useEffect(() => {
    const cell = edge.current?.parentElement;
    if (cell === undefined || cell === null) return;
    const sizes = new ResizeObserver(() => setWidth(cell.offsetWidth));
    sizes.observe(cell);
    return () => sizes.disconnect();
  }, []);
  /** The width of the last key until the focus leaves. The next key may come before the table has it. */
  const asked = useRef<number | null>(null);
  /** The width of this moment. The observer reports it later. */
  const widthNow = (): number => edge.current?.parentElement?.offsetWidth ?? width;
  /** Where the pointer took hold. */
  const held = useRef<{ readonly x: number; readonly width: number } | null>(null);
  /** The width that is shown and not kept yet. */
  const wanted = useRef<number | null>(null);
  const show = (next: number): void => {
    wanted.current = fitting(next);
    asked.current = wanted.current;
    onMove(wanted.current);
  };
  const settle = (): void => {
    held.current = null;
    if (wanted.current === null) return;
    onWidth(wanted.current);
    wanted.current = null;
  };
  const reset = (): void => {
    wanted.current = null;
    asked.current = null;
    onWidth(null);
  };
  const onPointerDown = (event: PointerEvent<HTMLSpanElement>): void => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    held.current = { x: event.clientX, width: widthNow() };
  };
  const onPointerMove = ({ clientX }: PointerEvent): void => {
    const from = held.current;
    if (from !== null && clientX !== from.x) show(from.width + clientX - from.x);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const step = STEPS[event.key];
    if (step !== undefined) show((asked.current ?? widthNow()) + step);
    else if (event.key === "Delete") reset();
    else if (event.key === "Escape" && wanted.current !== null) {
      wanted.current = null;
      asked.current = null;
      onMove(null);
    } else return;
    event.preventDefault();
    // the keys of the table move from row to row
    event.stopPropagation();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a separator that can be moved is a control (WAI-ARIA)
    <span
      ref={edge}
      role="separator"
      className="list-page-edge"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as above
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={text("widthOf", { title })}
      aria-valuemin={WIDTH.least}
      aria-valuemax={WIDTH.most}
      aria-valuenow={Math.max(WIDTH.least, Math.min(WIDTH.most, width))}
      aria-valuetext={text("pixels", { count: width })}
      title={text("widthHint")}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={settle}
      onPointerCancel={settle}
      onDoubleClick={reset}
      onKeyDown={onKeyDown}
      // one change is kept once, however long a key was held
      onKeyUp={settle}
      onBlur={() => {
        settle();
        asked.current = null;
      }}
    />
  );
}
