/** The rows of a list that a person has chosen. They stay chosen while others come into sight. */
import { useState } from "react";
import { textOf } from "../../i18n/texts.ts";
import { tell } from "../../state/tell.ts";
import { type Choice, MOST_CHOSEN } from "./ListTable.tsx";
import { LIST_TEXTS } from "./texts.ts";

/** The rows of every list have an id; the compiler cannot see it where the id of the call is a type parameter. */
const idOf = (row: unknown): string => (row as { readonly id: string }).id;

export interface Chosen<T> {
  readonly list: readonly T[];
  readonly choice: Choice<T>;
  clear(): void;
}

export function useChoice<T>(may: (row: T) => boolean): Chosen<T> {
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
        if (next.size <= MOST_CHOSEN) setChosen(next);
        else tell("warning", textOf(LIST_TEXTS, "tooMany", { count: MOST_CHOSEN }));
      },
    },
    clear: () => setChosen(new Map()),
  };
}
