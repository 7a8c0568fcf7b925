/** The filters of a list that a link sets. Pure. */
import type { FilterValues } from "./useListQuery.ts";

/** @returns the values of the keys, and the query of the address without them; null when it has none of them */
export function linkedBy(
  search: string,
  keys: readonly string[],
): { readonly values: FilterValues; readonly search: string } | null {
  const params = new URLSearchParams(search);
  const values = Object.fromEntries(
    keys.flatMap((key) => {
      const value = params.get(key);
      return value === null ? [] : [[key, value]];
    }),
  );
  if (Object.keys(values).length === 0) return null;
  for (const key of keys) params.delete(key);
  // they would belong to the rows of another query
  params.delete("page");
  const rest = params.toString();
  return { values, search: rest === "" ? "" : `?${rest}` };
}
