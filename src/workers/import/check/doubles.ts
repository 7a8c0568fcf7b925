import type { Column } from "./columns.ts";

/** @returns for each row that repeats a value of the column: the first row with that value */
export function findDoubles(column: Column, rows: number): Map<number, number> {
  const later = new Map<number, number>();
  const first = new Map<string, number>();
  // Ids are compared where they suffice, because hashing each text takes much longer.
  const firstById = new Int32Array(column.isExact ? column.count : 0).fill(-1);
  for (let i = 0; i < rows; i += 1) {
    const id = column.ids[i]!;
    if (id < 0) continue;
    const value = column.value(id);
    if (value === "") continue;
    const known = id < firstById.length ? firstById[id]! : (first.get(value) ?? -1);
    if (known >= 0) later.set(i, known);
    else if (id < firstById.length) firstById[id] = i;
    else first.set(value, i);
  }
  return later;
}
