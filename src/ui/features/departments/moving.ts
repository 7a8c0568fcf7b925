/** Places of departments in their tree: where one stands, and where a pointer or a key would move it. Pure. */
import { isWithin } from "../../../shared/domain/department-tree.ts";

interface Row {
  readonly id: string;
  readonly parentId: string | null;
}

/** Below this parent, before this neighbour; null: at the top, and the last place. */
export interface Spot {
  readonly parentId: string | null;
  readonly beforeId: string | null;
}

/** `into`: below the row. The edges are between the row and its neighbours. */
export type Part = "before" | "into" | "after";
export type MoveKey = "up" | "down" | "in" | "out";

const below = <T extends Row>(rows: readonly T[], parentId: string | null): readonly T[] =>
  rows.filter((row) => row.parentId === parentId);
const same = (a: Spot, b: Spot): boolean => a.parentId === b.parentId && a.beforeId === b.beforeId;

/** Where the department stands now. */
export function spotOf(rows: readonly Row[], id: string): Spot | null {
  const row = rows.find((one) => one.id === id);
  if (row === undefined) return null;
  const all = below(rows, row.parentId);
  return { parentId: row.parentId, beforeId: all[all.indexOf(row) + 1]?.id ?? null };
}

/**
 * @param over the row under the pointer, and which part of it; `open`: rows below it are shown
 * @returns null where the department would stay; `own` where it would stand below itself
 */
export function dropSpot(
  rows: readonly Row[],
  id: string,
  over: { readonly id: string; readonly part: Part; readonly open: boolean },
): Spot | "own" | null {
  const row = rows.find((one) => one.id === over.id);
  const now = spotOf(rows, id);
  if (row === undefined || now === null || over.id === id) return null;
  // The lower edge of a row is the upper edge of the first row below it.
  const first = over.part === "after" && over.open ? below(rows, row.id)[0] : undefined;
  const inside = over.part === "into" || first !== undefined;
  const parentId = inside ? row.id : row.parentId;
  if (parentId !== null && isWithin(rows, parentId, id)) return "own";
  const others = below(rows, parentId).filter((one) => one.id !== id);
  const at =
    over.part === "into"
      ? others.length
      : first !== undefined
        ? 0
        : others.findIndex((one) => one.id === row.id) + (over.part === "after" ? 1 : 0);
  const spot = { parentId, beforeId: others[at]?.id ?? null };
  return same(spot, now) ? null : spot;
}

/** @returns null where there is no such place */
export function keySpot(rows: readonly Row[], id: string, key: MoveKey): Spot | null {
  const row = rows.find((one) => one.id === id);
  if (row === undefined) return null;
  const { parentId } = row;
  const all = below(rows, parentId);
  const at = all.indexOf(row);
  const above = all[at - 1];
  switch (key) {
    case "up":
      return above === undefined ? null : { parentId, beforeId: above.id };
    case "down":
      return at === all.length - 1 ? null : { parentId, beforeId: all[at + 2]?.id ?? null };
    case "in":
      return above === undefined ? null : { parentId: above.id, beforeId: null };
    case "out":
      // right behind the parent
      return parentId === null ? null : spotOf(rows, parentId);
  }
}
