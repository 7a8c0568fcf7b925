/** The departments that a file names although the company does not have them, so that the person can create them. */
import type { MissingDepartment } from "../../../shared/domain/department-finder.ts";
import type { Rules } from "../../../shared/domain/import-rules.ts";
import type { Checked } from "../../../shared/protocol/import-worker.ts";
import type { Column } from "./columns.ts";

/** Most departments that are listed. A column that names more holds something else. */
const LISTED = 50;

type Missing = Checked["missing"];

/**
 * @param rows number of rows
 * @param isOut whether a row is left out
 */
export function createMissing(
  columns: readonly Column[],
  rows: number,
  rules: Pick<Rules, "missingDepartment">,
): (isOut: (i: number) => boolean) => Missing {
  const column = columns.find(({ field }) => field.rule.type === "department");
  const known = new Map<string, MissingDepartment | null>();
  const missingOf = (text: string): MissingDepartment | null => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const found = rules.missingDepartment(text);
    known.set(text, found);
    return found;
  };
  return (isOut) => {
    if (column === undefined) return [];
    const isMissing = new Uint8Array(column.count);
    let some = false;
    for (let id = 0; id < column.count; id += 1) {
      if (column.wrong(id)?.rule !== "department") continue;
      isMissing[id] = 1;
      some = true;
    }
    if (!some) return [];
    const counts = new Map<number, number>();
    for (let i = 0; i < rows; i += 1) {
      const id = column.ids[i]!;
      if (id < 0 || isMissing[id] === 0 || isOut(i)) continue;
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    const byPath = new Map<string, Missing[number]>();
    for (const [id, times] of counts) {
      const missing = missingOf(column.text(id));
      if (missing === null || missing.names.length === 0) continue;
      const path = [missing.parent, ...missing.names].filter((name) => name !== "").join("/");
      const one = byPath.get(path);
      if (one !== undefined) one.rows += times;
      else if (byPath.size < LISTED) {
        const { parentId, names } = missing;
        const meant = column.wrong(id)?.suggestion ?? null;
        byPath.set(path, { path, parentId, names: [...names], rows: times, meant });
      }
    }
    return [...byPath.values()].sort((a, b) => b.rows - a.rows);
  };
}
