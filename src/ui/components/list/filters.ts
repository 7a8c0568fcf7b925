/** The filters of a list: what a page declares, and what the server gets. Pure. */
import type { FormOption } from "../form/fields.ts";
import type { TreeNode } from "../form/kinds.ts";
import type { FilterValues } from "./useListQuery.ts";

export interface FilterField<K extends string> {
  readonly key: K;
  readonly label: string;
  /** A choice of one of these; left out: a text. */
  readonly options?: readonly FormOption[];
  /** A choice of one node of a tree. */
  readonly nodes?: readonly TreeNode[];
  /** A day instead of a text. */
  readonly input?: "date";
  /** What the server gets for what was typed; left out: the same. */
  readonly send?: (value: string) => string;
}

/** What the server gets: the filters that are not empty. */
export const sentBy = (
  fields: readonly FilterField<string>[],
  values: FilterValues,
): Record<string, string> =>
  Object.fromEntries(
    fields.flatMap(({ key, send }) => {
      const value = values[key] ?? "";
      return value.trim() === "" ? [] : [[key, send?.(value) ?? value]];
    }),
  );
