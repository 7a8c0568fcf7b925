/** The rows of a list that a person has chosen. They stay chosen while others come into sight. */
import { useState } from "react";
import { textOf } from "../../i18n/texts.ts";
import { tell } from "../../state/tell.ts";
import { type Choice, MOST_AT_ONCE } from "./columns.ts";
import { idOf } from "./openedRow.ts";
import { LIST_TEXTS } from "./texts.ts";

export interface Chosen<T> {
  readonly list: readonly T[];
  readonly choice: Choice<T>;
  /** Rows that are chosen no more. */
  drop(rows: readonly T[]): void;
  clear(): void;
}

/** @param most rows that can be chosen */
export function useChoice<T>(may: (row: T) => boolean, most = MOST_AT_ONCE): Chosen<T> {
  const [chosen, setChosen] = useState<ReadonlyMap<string, T>>(new Map());
  return {
    list: [...chosen.values()],
    choice: {
      may,
      has: (row) => chosen.has(idOf(row)),
      toggle: (rows, on) => {
        const next = new Map(chosen);
        for (const row of rows) {
          if (on) next.set(idOf(row), row);
          else next.delete(idOf(row));
        }
        if (next.size <= most) setChosen(next);
        else tell("warning", textOf(LIST_TEXTS, "tooMany", { count: most }));
      },
    },
    drop: (rows) => {
      const gone = new Set(rows.map(idOf));
      setChosen((now) => new Map([...now].filter(([id]) => !gone.has(id))));
    },
    clear: () => setChosen(new Map()),
  };
}
