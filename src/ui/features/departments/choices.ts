/** Departments as choices of a form, by their whole path. Pure. */
import { type Placed, placed } from "../../../shared/domain/department-tree.ts";
import type { FormOption } from "../../components/form/fields.ts";

interface Named {
  readonly id: string;
  readonly parentId: string | null;
  readonly name: string;
}

/** @param except the department that is left out, with all below it */
export const departmentChoices = (
  rows: readonly Named[],
  except: string | null = null,
): FormOption[] =>
  placed(rows)
    .filter(({ path }) => except === null || !path.some(({ id }) => id === except))
    .map(({ row, path }) => ({ value: row.id, label: path.map(({ name }) => name).join(" / ") }));

/** Whether a search finds the department. */
export const isCalled = ({ name }: Named, word: string): boolean =>
  name.toLowerCase().includes(word.trim().toLowerCase());

/**
 * What a search leaves: departments whose name contains the word, with those above. Without a word, everything but what is below a
 * folded one.
 */
export function shownDepartments<T extends Named>(
  rows: readonly T[],
  word: string,
  folded: ReadonlySet<string>,
): readonly Placed<T>[] {
  const all = placed(rows);
  const wanted = word.trim();
  if (wanted === "") {
    return all.filter(({ path }) => !path.slice(0, -1).some(({ id }) => folded.has(id)));
  }
  const kept = new Set(
    all.filter(({ row }) => isCalled(row, wanted)).flatMap(({ path }) => path.map(({ id }) => id)),
  );
  return all.filter(({ row }) => kept.has(row.id));
}
