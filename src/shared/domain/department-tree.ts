/** The order of departments in their tree, and what follows from it. Pure. */

interface Node {
  readonly id: string;
  readonly parentId: string | null;
}

export interface Placed<T> {
  readonly row: T;
  /** 0 at the top. */
  readonly depth: number;
  readonly hasChildren: boolean;
  /** The rows from the top down to the row itself. */
  readonly path: readonly T[];
}

/**
 * Each row before those below it. A row whose parent is missing stands at the top; a circle is left out.
 *
 * @param rows siblings in their order
 */
export function placed<T extends Node>(rows: readonly T[]): Placed<T>[] {
  const ids = new Set(rows.map(({ id }) => id));
  const below = new Map<string | null, T[]>();
  for (const row of rows) {
    const parent = row.parentId !== null && ids.has(row.parentId) ? row.parentId : null;
    const list = below.get(parent);
    if (list === undefined) below.set(parent, [row]);
    else list.push(row);
  }
  const out: Placed<T>[] = [];
  const walk = (parent: string | null, above: readonly T[]): void => {
    for (const row of below.get(parent) ?? []) {
      const path = [...above, row];
      out.push({ row, depth: above.length, hasChildren: below.has(row.id), path });
      walk(row.id, path);
    }
  };
  walk(null, []);
  return out;
}

/** Number of people of each department and of all below it, by id. */
export function totals<T extends Node & { readonly people: number }>(
  rows: readonly T[],
): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { row, path } of placed(rows)) {
    for (const { id } of path) sums.set(id, (sums.get(id) ?? 0) + row.people);
  }
  return sums;
}

/** Whether `id` is `top` or stands below it. */
export function isWithin(rows: readonly Node[], id: string, top: string): boolean {
  const found = placed(rows).find(({ row }) => row.id === id);
  return found?.path.some((row) => row.id === top) === true;
}
