/** Which row of a list is open. Rows move when the list changes, so the open one is found by its id. Pure. */

/** The rows of every list have an id; the compiler cannot see it where the id of the call is a type parameter. */
export const idOf = (row: unknown): string => (row as { readonly id: string }).id;

export interface Opened {
  readonly index: number;
  /** null until the row is loaded. */
  readonly id: string | null;
}

interface Given<T> {
  readonly total: number;
  row(index: number): T | undefined;
}

/** How far a row may have moved. */
const REACH = 200;

export function opened<T>(rows: Given<T>, index: number): Opened {
  const row = rows.row(index);
  return { index, id: row === undefined ? null : idOf(row) };
}

/** @returns where the row is now; null when it is gone */
export function indexOfOpened<T>(rows: Given<T>, { index, id }: Opened): number | null {
  if (id === null) return index < rows.total ? index : null;
  for (let away = 0; away <= REACH; away += 1) {
    for (const at of [index + away, index - away]) {
      const row = at < 0 ? undefined : rows.row(at);
      if (row !== undefined && idOf(row) === id) return at;
    }
  }
  // what is not loaded may still be the row
  return rows.row(index) === undefined && index < rows.total ? index : null;
}
