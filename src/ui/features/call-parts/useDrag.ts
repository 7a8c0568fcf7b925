/** A minimised call can be dragged anywhere on the page. */
import {
  type CSSProperties,
  useEffect,
  useRef,
  useState,
  type PointerEvent,
  type RefObject,
} from "react";

const MARGIN = 8;
interface Point {
  readonly x: number;
  readonly y: number;
}

/** Limits the point so that the whole pill stays on the page. */
function clamp(point: Point, element: HTMLElement | null): Point {
  const width = element?.offsetWidth ?? 0;
  const height = element?.offsetHeight ?? 0;
  return {
    x: Math.max(MARGIN, Math.min(point.x, innerWidth - width - MARGIN)),
    y: Math.max(MARGIN, Math.min(point.y, innerHeight - height - MARGIN)),
  };
}

/** What the element that is dragged gets. */
export interface Dragged {
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly style: CSSProperties | undefined;
  readonly onPointerDown: (event: PointerEvent<HTMLDivElement>) => void;
  readonly onPointerMove: (event: PointerEvent<HTMLDivElement>) => void;
  readonly onPointerUp: () => void;
  readonly onPointerCancel: () => void;
}

export function useDrag(): Dragged {
  const ref = useRef<HTMLDivElement>(null);
  const grip = useRef<Point | null>(null);
  const [at, setAt] = useState<Point | null>(null);

  useEffect(() => {
    const onResize = (): void => setAt((now) => (now === null ? null : clamp(now, ref.current)));
    addEventListener("resize", onResize);
    return () => removeEventListener("resize", onResize);
  }, []);

  const letGo = (): void => {
    grip.current = null;
  };
  return {
    ref,
    style: at === null ? undefined : { left: at.x, top: at.y, right: "auto" },
    onPointerDown: (event) => {
      if (event.button !== 0 || (event.target as Element).closest("button") !== null) return;
      const box = event.currentTarget.getBoundingClientRect();
      grip.current = { x: event.clientX - box.x, y: event.clientY - box.y };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event) => {
      const held = grip.current;
      if (held === null) return;
      setAt(clamp({ x: event.clientX - held.x, y: event.clientY - held.y }, event.currentTarget));
    },
    onPointerUp: letGo,
    onPointerCancel: letGo,
  };
}
