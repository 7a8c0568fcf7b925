/** Departments as choices of a form, by their whole path. Pure. */
import { type Placed, placed } from "../../../shared/domain/department-tree.ts";
import type { FormOption, TreeNode } from "../../components/form/kinds.ts";

interface Named {
  readonly id: string;
  readonly parentId: string | null;
  readonly name: string;
}

/** Whether a search finds the department. */
export const isCalled = ({ name }: Named, word: string): boolean =>
  name.toLowerCase().includes(word.trim().toLowerCase());

/**
 * The departments as a tree to choose from.
 *
 * @param except the department that is left out, with all below it
 */
export function departmentTree(
  rows: readonly Named[],
  except: string | null = null,
): readonly TreeNode[] {
  interface Growing extends FormOption {
    readonly children: Growing[];
  }
  const top: Growing[] = [];
  const byId = new Map<string, Growing>();
  for (const { row, path } of placed(rows)) {
    if (except !== null && path.some(({ id }) => id === except)) continue;
    const node = { value: row.id, label: row.name, children: [] };
    byId.set(row.id, node);
    (byId.get(path.at(-2)?.id ?? "")?.children ?? top).push(node);
  }
  return top;
}

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
