/** Rows that a person puts in order: by dragging a handle, by buttons, or by Alt and an arrow key. The focus goes along with its row. */
import {
  type KeyboardEvent,
  type PointerEvent as DragStart,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";

const ARROWS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

interface Moving<E extends HTMLElement> {
  /** The element whose children are the rows. Each row names itself by `data-key`, and each of its buttons by `data-part`. */
  readonly list: RefObject<E | null>;
  /** The key of the row that is dragged. */
  readonly dragged: string | null;
  /** Moves a row by a button of it, which keeps the focus. */
  step(key: string, step: number, part: string): void;
  onKeyDown(key: string, event: KeyboardEvent): void;
  onHandleDown(key: string, event: DragStart): void;
}

/**
 * @param keys in the order that is shown
 * @param moveTo puts the row at a place among them
 * @param part of the row that takes the focus when none of its parts had it
 */
export function useMoving<E extends HTMLElement>(
  keys: readonly string[],
  moveTo: (key: string, place: number) => void,
  part: string,
): Moving<E> {
  const list = useRef<E>(null);
  /** Moving an element takes the focus from it. */
  const focused = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (focused.current === null) return;
    const [key, wantedPart] = JSON.parse(focused.current) as [string, string];
    focused.current = null;
    const row = list.current?.querySelector(`[data-key="${CSS.escape(key)}"]`);
    const wanted = row?.querySelector<HTMLButtonElement>(`[data-part="${wantedPart}"]`);
    const place =
      wanted?.disabled === true ? row?.querySelector<HTMLElement>("button:enabled") : wanted;
    place?.focus();
  });
  const step = (key: string, by: number, from: string): void => {
    const place = keys.indexOf(key) + by;
    if (place < 0 || place >= keys.length) return;
    focused.current = JSON.stringify([key, from]);
    moveTo(key, place);
  };
  const [dragged, setDragged] = useState<string | null>(null);
  const latest = useRef(moveTo);
  useEffect(() => {
    latest.current = moveTo;
  });
  useEffect(() => {
    if (dragged === null) return;
    const onMove = ({ clientY }: PointerEvent): void => {
      const rows = [...(list.current?.children ?? [])];
      const place = rows.findIndex((row) => clientY < row.getBoundingClientRect().bottom);
      latest.current(dragged, place === -1 ? rows.length - 1 : place);
    };
    const end = (): void => setDragged(null);
    addEventListener("pointermove", onMove);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
    return () => {
      removeEventListener("pointermove", onMove);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
    };
  }, [dragged, latest]);
  return {
    list,
    dragged,
    step,
    onKeyDown(key, event) {
      const by = ARROWS[event.key];
      if (by === undefined || !event.altKey) return;
      event.preventDefault();
      const from = event.target instanceof HTMLElement ? event.target.dataset["part"] : undefined;
      step(key, by, from ?? part);
    },
    onHandleDown(key, event) {
      if (event.button !== 0) return;
      event.preventDefault();
      setDragged(key);
    },
  };
}
