/** Finds rows without any unique number that are nearly equal to an earlier row: perhaps the same person twice. */
import { comparableName } from "../../../shared/domain/han-text.ts";
import { plain } from "../../../shared/domain/text-marks.ts";
import type { Column } from "./columns.ts";

/** Most earlier rows of the same name that a row is compared with. */
const COMPARED = 8;

/** The value by which two texts are compared: neither their blanks nor the dot of a name tell them apart. */
const bare = (text: string): string => comparableName(plain(text)).replace(/\s/g, "").toLowerCase();

/**
 * @param rows number of rows
 * @param isOut whether a row is left out
 * @returns per row that is nearly a copy: the index of the earlier row
 */
export function findCopies(
  rows: number,
  columns: readonly Column[],
  isOut: (i: number) => boolean,
): Map<number, number> {
  const copies = new Map<number, number>();
  const name = columns.find(({ field }) => field.key === "name");
  if (name === undefined) return copies;
  const numbers = columns.filter(({ field }) => field.unique === true);
  const others = columns.filter((column) => column !== name && !numbers.includes(column));
  const bareOf = new Map<number, string>();
  const bareName = (id: number): string => {
    const known = bareOf.get(id) ?? bare(name.text(id));
    bareOf.set(id, known);
    return known;
  };
  const nearly = (a: number, b: number): boolean =>
    others.every((column) => {
      const [one, other] = [column.ids[a]!, column.ids[b]!];
      if (one === other || one < 0 || other < 0) return true;
      return bare(column.text(one)) === bare(column.text(other));
    });
  const byName = new Map<string, number[]>();
  for (let i = 0; i < rows; i += 1) {
    const id = name.ids[i]!;
    if (id < 0 || isOut(i) || numbers.some((column) => column.value(column.ids[i]!) !== "")) {
      continue;
    }
    const key = bareName(id);
    const before = byName.get(key);
    if (before === undefined) {
      byName.set(key, [i]);
      continue;
    }
    const first = before.find((other) => nearly(i, other));
    if (first !== undefined) copies.set(i, first);
    else if (before.length < COMPARED) before.push(i);
  }
  return copies;
}
