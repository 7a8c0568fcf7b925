/** What is done with chosen rows of a list page, and which rows are chosen: one by one, or all that the filter holds. */
import { useState } from "react";
import type { GuardedCall } from "../../../shared/protocol/rest/call-permissions.generated.ts";
import type { ListCallId, Row } from "../../../shared/protocol/rest/page-calls.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useArrivals } from "../../state/row-pages.ts";
import type { Rows } from "../../state/useRows.ts";
import type { ListRequest } from "../../state/allRows.ts";
import { type AtOnce, type BulkAction, type Choice, MOST_AT_ONCE, MOST_CHOSEN } from "./columns.ts";
import type { ListBulk, ListRemoval } from "./declared.ts";
import { LIST_TEXTS } from "./texts.ts";
import { type Chosen, useChoice } from "./useChoice.ts";
import { type Collecting, useCollect } from "./useCollect.ts";

/** What is about to be done, and with which rows. */
export interface Begun<T> {
  readonly action: BulkAction<T>;
  readonly rows: readonly T[];
  readonly elsewhere: readonly T[];
}
export interface Bulk<T> {
  readonly actions: readonly (BulkAction<T> | AtOnce<T>)[];
  /** undefined: the person may do nothing with many rows. */
  readonly choice: Choice<T> | undefined;
  readonly chosen: Chosen<T>;
  /** How many rows are chosen. */
  readonly count: number;
  /** Rows that the filter holds, while all that are shown are chosen and there are more; else null. */
  readonly whole: number | null;
  readonly collecting: Collecting<T>;
  readonly begun: Begun<T> | null;
  begin(action: BulkAction<T> | AtOnce<T>): void;
  /** Deletes the chosen rows by calls that take many; null: a row has a request of its own. */
  readonly remove: ((ask: (rows: readonly T[]) => void) => void) | null;
  /** What the person has begun was done with these rows. */
  done(rows: readonly T[]): void;
  end(): void;
  /** These rows are deleted. */
  removed(rows: readonly T[]): void;
}

export function useBulk<I extends ListCallId>(list: {
  readonly bulk: readonly ListBulk<Row<I>>[] | undefined;
  readonly remove: ListRemoval<Row<I>> | undefined;
  readonly may: (call: GuardedCall | undefined) => boolean;
  readonly request: ListRequest<I>;
  /** Names person and company. */
  readonly owner: string;
  readonly rows: Rows<Row<I>>;
  /** The rows that the mark in the head chooses. */
  readonly inSight: { readonly from: number; readonly size: number };
}): Bulk<Row<I>> {
  type T = Row<I>;
  const { remove, may, request, rows, inSight } = list;
  const text = useTexts(LIST_TEXTS);
  const removesMany = remove?.many !== undefined && may(remove.call);
  const removal: BulkAction<T> | null = removesMany
    ? {
        label: text("removeAll"),
        call: remove.call,
        danger: true,
        when: (row) => remove.when?.(row) !== false,
        question: (count) => text("removeMany", { count }),
        run: (row) => remove.run([row]),
      }
    : null;
  const actions: Bulk<T>["actions"] = [
    ...(list.bulk ?? []).filter(({ call }) => may(call)),
    ...(removal !== null && remove?.many === "each" ? [removal] : []),
  ];
  const isFor = (row: T): boolean =>
    [...actions, ...(removal === null ? [] : [removal])].some(({ when }) => when?.(row) !== false);
  const chosen = useChoice<T>(
    isFor,
    {
      query: JSON.stringify([list.owner, request.keyword.trim(), request.filters]),
      rows,
    },
    MOST_CHOSEN,
  );
  const { choice, taken, elsewhere } = chosen;
  const collecting = useCollect(request);
  const [begun, setBegun] = useState<(Begun<T> & { readonly whole: boolean }) | null>(null);
  const start = (then: (rows: readonly T[]) => void): void =>
    taken === null ? then(chosen.list) : collecting.start(choice.has, then);
  const begin = (action: BulkAction<T>, those: readonly T[]): void =>
    setBegun({ action, rows: those, elsewhere, whole: taken !== null });
  const end = Math.min(rows.total, inSight.from + inSight.size);
  useArrivals(rows.arrivals, { from: inSight.from, to: end - 1 });
  const seen = Array.from({ length: Math.max(0, end - inSight.from) }, (_, index) =>
    rows.row(inSight.from + index),
  );
  const all =
    taken === null &&
    chosen.list.length > 0 &&
    rows.total > chosen.list.length &&
    rows.total > seen.length &&
    seen.every((row) => row !== undefined && (!choice.may(row) || choice.has(row)));
  return {
    actions,
    choice: removal === null && actions.length === 0 ? undefined : choice,
    chosen,
    count: taken === null ? chosen.list.length : Math.max(0, rows.total - taken),
    whole: all ? rows.total : null,
    collecting,
    begun,
    begin: (action) =>
      start((those) => void ("all" in action ? action.all(those) : begin(action, those))),
    remove:
      removal === null || remove?.many !== true
        ? null
        : (ask) =>
            start((those) => {
              // one call at a time would neither show its progress nor name what was refused
              if (those.length > MOST_AT_ONCE) begin(removal, those);
              else ask(those);
            }),
    done: (those) => {
      if (begun === null || !begun.whole) return chosen.drop(those);
      const gone = new Set(those);
      chosen.keep(begun.rows.filter((row) => !gone.has(row)));
    },
    end: () => setBegun(null),
    removed: (those) => {
      if (taken === null) chosen.drop(those);
      // one row alone was deleted by its own button
      else if (those.length > 1) chosen.clear();
    },
  };
}
