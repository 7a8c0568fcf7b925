/** The distinct values of a column with their number of rows, for replacing one in every row. */
import type { ColumnValues } from "../../../shared/protocol/import-worker.ts";
import type { Column } from "./columns.ts";

/** Errors come before warnings, warnings before the rest. */
const gravity = ({ message, warning }: ColumnValues[number]): number =>
  message === null ? 0 : warning ? 1 : 2;

/**
 * @param limit most values; errors come first
 * @param isOut whether a row is left out
 */
export function valuesOf(
  column: Column,
  limit: number,
  isOut: (i: number) => boolean,
): ColumnValues {
  const counts = new Uint32Array(column.count + 1);
  const { ids } = column;
  for (let i = 0; i < ids.length; i += 1) if (!isOut(i)) counts[ids[i]! + 1]! += 1;
  const found = new Map<string, ColumnValues[number]>();
  for (let id = -1; id < column.count; id += 1) {
    const times = counts[id + 1]!;
    if (times === 0) continue;
    const wrong = column.wrong(id);
    const note = wrong === null ? column.note(id) : null;
    const value = column.text(id);
    found.set(value, {
      value,
      rows: (found.get(value)?.rows ?? 0) + times,
      message: wrong?.message ?? note?.message ?? null,
      warning: note !== null,
      suggestion: wrong?.suggestion ?? null,
    });
  }
  return [...found.values()]
    .sort((a, b) => gravity(b) - gravity(a) || b.rows - a.rows)
    .slice(0, limit);
}
