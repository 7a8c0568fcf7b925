/** Changes of cells during the check: each gives the cells of a column other texts. */
import type { Column } from "./columns.ts";

export interface Change {
  readonly column: Column;
  readonly rows: readonly number[];
  /** Ids of the texts, per row. */
  readonly ids: readonly number[];
}

/** The change that undoes another one. It must be made before that one. */
export const undoing = ({ column, rows }: Change): Change => ({
  column,
  rows,
  ids: rows.map((i) => column.ids[i]!),
});

/** The same text for all rows. */
export const toAll = (column: Column, rows: readonly number[], id: number): Change => ({
  column,
  rows,
  ids: rows.map(() => id),
});
