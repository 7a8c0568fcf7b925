/** Which row of a list is open. Rows move when the list changes, so the open one is found by its id. Pure. */
import { idOf } from "../../state/row-id.ts";

/** Name of the open row in the address. */
const PARAM = "row";

/** @returns the id of the row in the query of an address; null when there is none */
export function rowIn(search: string): string | null {
  const id = new URLSearchParams(search).get(PARAM) ?? "";
  return id === "" || id.length > 64 ? null : id;
}

/** @returns the query of an address with another row */
export function withRow(search: string, id: string | null): string {
  const params = new URLSearchParams(search);
  if (id === null) params.delete(PARAM);
  else params.set(PARAM, id);
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}

/**
 * The state of a history entry that shows a row, above one that shows the list without it: closing the row goes back there, so that no
 * further step back shows the same list once more.
 */
export const stateOver = (state: unknown, search: string): object => ({
  ...(state as object | null),
  below: withRow(search, null),
});

/** Whether the entry below the row's shows what the list shows without it; not so after a move to a row of another page, or from a link. */
export const isOver = (state: unknown, search: string): boolean =>
  (state as { readonly below?: unknown } | null)?.below === withRow(search, null);

export interface Opened {
  /** null while only the address names the row. */
  readonly index: number | null;
  /** null until the row is loaded. */
  readonly id: string | null;
}

export const named = (id: string | null): Opened | null =>
  id === null ? null : { index: null, id };

/** What the list knows of its open row. */
export interface Kept {
  readonly opened: Opened | null;
  /**
   * The row that the list itself has put into the address, or that it is about to remove from it. React renders an address as a transition, so
   * that the person may have gone on meanwhile, also to a row that is not loaded and has no address yet: this one opens nothing.
   */
  readonly own: string | null;
}

/** @param there the row that the address names now, of the list itself or of a link */
export function atAddress(kept: Kept, there: string | null): Kept {
  const isOwn = there !== null && there === kept.own;
  const isKnown = isOwn || there === (kept.opened?.id ?? null);
  return isKnown ? kept : { opened: named(there), own: null };
}

/** @param there the row to which the browser's Back or Forward has led */
export function afterStep(kept: Kept, there: string | null): Kept {
  const stays = kept.opened === null ? there === null : kept.opened.id === there && there !== null;
  return stays ? { ...kept, own: null } : { opened: named(there), own: null };
}

interface Given<T> {
  readonly total: number;
  row(index: number): T | undefined;
  /** Where a loaded row is. */
  placeOf(id: string): number | null;
}

/** How far a row may have moved. */
const REACH = 200;

export function opened<T>(rows: Pick<Given<T>, "row">, index: number): Opened {
  const row = rows.row(index);
  return { index, id: row === undefined ? null : idOf(row) };
}

/** @returns where the row is now; null when it is gone, or not among the rows that are loaded */
export function indexOfOpened<T>(rows: Given<T>, { index, id }: Opened): number | null {
  if (id === null) return index !== null && index < rows.total ? index : null;
  if (index === null) return rows.placeOf(id);
  for (let away = 0; away <= REACH; away += 1) {
    for (const at of [index + away, index - away]) {
      const row = at < 0 ? undefined : rows.row(at);
      if (row !== undefined && idOf(row) === id) return at;
    }
  }
  // what is not loaded may still be the row
  return rows.row(index) === undefined && index < rows.total ? index : null;
}
