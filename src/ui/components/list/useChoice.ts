/** The rows of a list that a person has chosen. They stay chosen while others come into sight, also under another filter. */
import { useState } from "react";
import { textOf } from "../../i18n/texts.ts";
import { tell } from "../../state/tell.ts";
import { type Choice, MOST_AT_ONCE } from "./columns.ts";
import { idOf } from "./openedRow.ts";
import { LIST_TEXTS } from "./texts.ts";

export interface Chosen<T> {
  readonly list: readonly T[];
  /** Those of the list that were chosen under another filter and are not loaded now, so the person may not know of them. */
  readonly elsewhere: readonly T[];
  readonly choice: Choice<T>;
  /** Rows that are chosen no more. */
  drop(rows: readonly T[]): void;
  clear(): void;
}

/** What the list shows. */
export interface ShownRows<T> {
  /** Names the keyword and the filters of now. */
  readonly query: string;
  /** The rows that are loaded, in no order. */
  loaded(): Iterable<T>;
}
interface ChosenRow<T> {
  readonly row: T;
  /** The query under which it was chosen. */
  readonly query: string;
}

/** @param most rows that can be chosen */
export function useChoice<T>(
  may: (row: T) => boolean,
  shown: ShownRows<T>,
  most = MOST_AT_ONCE,
): Chosen<T> {
  const { query } = shown;
  const [chosen, setChosen] = useState<ReadonlyMap<string, ChosenRow<T>>>(new Map());
  return {
    list: [...chosen.values()].map(({ row }) => row),
    elsewhere: outOfSight([...chosen.values()], shown),
    choice: {
      may,
      has: (row) => chosen.has(idOf(row)),
      toggle: (rows, on) => {
        const next = new Map(chosen);
        for (const row of rows) {
          if (on) next.set(idOf(row), { row, query });
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

/** Exported for its test. */
export function outOfSight<T>(chosen: readonly ChosenRow<T>[], shown: ShownRows<T>): T[] {
  const others = chosen.filter(({ query }) => query !== shown.query);
  if (others.length === 0) return [];
  const loaded = new Set([...shown.loaded()].map(idOf));
  return others.filter(({ row }) => !loaded.has(idOf(row))).map(({ row }) => row);
}
