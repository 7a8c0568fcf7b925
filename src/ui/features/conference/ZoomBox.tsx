/** A picture in its own size, moved by dragging or with the arrow keys; otherwise it fits. */
import { type PointerEvent, type ReactNode, useRef } from "react";

export function ZoomBox(props: {
  readonly on: boolean;
  readonly label: string;
  readonly children: ReactNode;
}) {
  const { on } = props;
  const from = useRef<{ x: number; y: number; left: number; top: number } | null>(null);
  const down = (event: PointerEvent<HTMLDivElement>): void => {
    if (!on || event.button !== 0) return;
    const { currentTarget: box, clientX: x, clientY: y } = event;
    from.current = { x, y, left: box.scrollLeft, top: box.scrollTop };
    box.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent<HTMLDivElement>): void => {
    if (from.current === null) return;
    const { x, y, left, top } = from.current;
    event.currentTarget.scrollTo(left + x - event.clientX, top + y - event.clientY);
  };
  const up = (): void => {
    from.current = null;
  };
  return (
    <div
      className="conference-zoom"
      data-on={on}
      {...(on ? { role: "group", tabIndex: 0, "aria-label": props.label } : {})}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={up}
    >
      {props.children}
    </div>
  );
}
