/**
 * The rows of a list that a person has chosen: one by one, which stay chosen while others come into sight, also under another filter; or all
 * that the filter holds, which another filter ends (docs/session.md#lists).
 */
import { useMemo, useState } from "react";
import { textOf } from "../../i18n/texts.ts";
import { showMessage } from "../../state/show-message.ts";
import { type Choice, MOST_AT_ONCE } from "./columns.ts";
import { idOf } from "../../state/row-id.ts";
import { useArrivals } from "../../state/row-pages.ts";
import type { Rows } from "../../state/useRows.ts";
import { LIST_TEXTS } from "./texts.ts";

export interface Chosen<T> {
  readonly list: readonly T[];
  /** Those of the list that were chosen under another filter and are not loaded now, so the person may not know of them. */
  readonly elsewhere: readonly T[];
  readonly choice: Choice<T>;
  /** Another one whenever other rows are chosen. */
  readonly state: unknown;
  /** Rows that are chosen no more. */
  drop(rows: readonly T[]): void;
  clear(): void;
  /** Chooses these alone. */
  keep(rows: readonly T[]): void;
  /** How many rows were taken out of all that the filter holds; null: the rows are chosen one by one. */
  readonly taken: number | null;
  chooseWhole(): void;
  /** Another filter has ended the choice of all rows. */
  readonly lapsed: boolean;
}

/** What the list shows. */
export interface ShownRows<T> {
  /** Names the keyword and the filters of now. */
  readonly query: string;
  readonly rows: Pick<Rows<T>, "loaded" | "arrivals">;
}
interface ChosenRow<T> {
  readonly row: T;
  /** The query under which it was chosen. */
  readonly query: string;
}

/** All rows that a filter holds, but some. */
interface Whole {
  readonly query: string;
  /** null: rows are chosen one by one. */
  readonly except: ReadonlySet<string> | null;
  readonly lapsed: boolean;
}
const NONE: Whole = { query: "", except: null, lapsed: false };

/** What is left of the choice of all rows under the filter of now. Exported for its test. */
export const heldBy = (whole: Whole, query: string): Whole =>
  whole.except === null || whole.query === query ? whole : { ...NONE, lapsed: true };

/** @param most rows that can be chosen */
export function useChoice<T>(
  may: (row: T) => boolean,
  shown: ShownRows<T>,
  most = MOST_AT_ONCE,
): Chosen<T> {
  const { query } = shown;
  const [chosen, setChosen] = useState<ReadonlyMap<string, ChosenRow<T>>>(new Map());
  const [kept, setKept] = useState<Whole>(NONE);
  const whole = heldBy(kept, query);
  if (whole !== kept) setKept(whole);
  const { except } = whole;
  // a row that arrives may be one that was chosen under another filter
  useArrivals(shown.rows.arrivals, chosen.size === 0 ? null : "all");
  const keep = (rows: readonly T[]): void => {
    setKept(NONE);
    setChosen(new Map(rows.map((row) => [idOf(row), { row, query }])));
  };
  return {
    state: useMemo(() => [chosen, whole, query], [chosen, whole, query]),
    list: [...chosen.values()].map(({ row }) => row),
    elsewhere: outOfSight([...chosen.values()], { query, loaded: shown.rows.loaded }),
    taken: except?.size ?? null,
    lapsed: whole.lapsed,
    choice: {
      may,
      has: (row) => (except === null ? chosen.has(idOf(row)) : may(row) && !except.has(idOf(row))),
      toggle: (rows, on) => {
        if (except !== null) {
          setKept({ ...whole, except: withRows(except, rows.map(idOf), !on) });
          return;
        }
        const next = new Map(chosen);
        for (const row of rows) {
          if (on) next.set(idOf(row), { row, query });
          else next.delete(idOf(row));
        }
        if (next.size <= most) {
          setKept(NONE);
          setChosen(next);
        } else showMessage("warning", textOf(LIST_TEXTS, "tooMany", { count: most }));
      },
    },
    drop: (rows) => {
      const gone = new Set(rows.map(idOf));
      setChosen((now) => new Map([...now].filter(([id]) => !gone.has(id))));
    },
    clear: () => keep([]),
    keep,
    chooseWhole: () => {
      setChosen(new Map());
      setKept({ query, except: new Set(), lapsed: false });
    },
  };
}

const withRows = (
  ids: ReadonlySet<string>,
  those: readonly string[],
  inside: boolean,
): ReadonlySet<string> => {
  const next = new Set(ids);
  for (const id of those) {
    if (inside) next.add(id);
    else next.delete(id);
  }
  return next;
};

/** Exported for its test. */
export function outOfSight<T>(
  chosen: readonly ChosenRow<T>[],
  shown: { readonly query: string; readonly loaded: () => Iterable<T> },
): T[] {
  const others = chosen.filter(({ query }) => query !== shown.query);
  if (others.length === 0) return [];
  const loaded = new Set([...shown.loaded()].map(idOf));
  return others.filter(({ row }) => !loaded.has(idOf(row))).map(({ row }) => row);
}
