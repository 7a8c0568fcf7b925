/** What the rows of a list show beside their data. It stays the same while rows are loaded, so that then no row renders again. */
import { useCallback, useEffect, useRef, useState } from "react";
import { type Choice, type Column, keyOf, type RowAction } from "./columns.ts";

export interface Drawn<T> {
  readonly columns: readonly Column<T>[];
  readonly actions: readonly RowAction<T>[];
  readonly choice: Choice<T> | undefined;
}

/**
 * @param parts as they are now
 * @param of all that they are made of, beside the person's rights, which show in the names of columns and actions
 * @returns the parts as they were when this changed last; their actions do what those of now do
 */
export function useDrawn<T>(parts: Drawn<T>, of: readonly unknown[]): Drawn<T> {
  const latest = useRef(parts.actions);
  useEffect(() => {
    latest.current = parts.actions;
  });
  const act = useCallback(
    (at: number, row: T, index: number) => latest.current[at]?.onClick(row, index),
    [],
  );
  const made = [
    ...of,
    ...parts.columns.map(keyOf),
    ...parts.actions.flatMap(({ label, call }) => [label, call]),
    parts.choice === undefined,
  ];
  const draw = () => ({
    made,
    drawn: {
      ...parts,
      actions: parts.actions.map((action, at) => ({
        ...action,
        onClick: (row: T, index: number) => act(at, row, index),
      })),
    },
  });
  const [kept, setKept] = useState(draw);
  if (isSame(kept.made, made)) return kept.drawn;
  const next = draw();
  setKept(next);
  return next.drawn;
}

const isSame = (before: readonly unknown[], now: readonly unknown[]): boolean =>
  before.length === now.length && before.every((part, at) => Object.is(part, now[at]));
