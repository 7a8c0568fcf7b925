/**
 * What a person looks for in a list: keyword, filters and order. The tab keeps it per person, company and list, so that a reload shows
 * the same rows (docs/session.md#lists).
 */
import { useCallback, useEffect, useState } from "react";
import { filterGroupSchema, type FilterGroup } from "../../../shared/protocol/rest/filter.ts";
import { z } from "../../../shared/zod.ts";
import { useAccount, useHeld, useSlice } from "../../state/services.ts";
import { readSession, writeSession } from "../../storage.ts";

const DELAY = 250;

export type FilterValues = Readonly<Record<string, string>>;

export const listQuerySchema = z.object({
  keyword: z.string().max(100),
  /** What the fields of the filter bar contain. */
  values: z.record(z.string(), z.string()),
  /** A column of the call's list, with "-" before it downwards; null: the list's usual order. */
  sort: z.string().nullable(),
  /** Groups of conditions; null without any. */
  filter: filterGroupSchema.nullable(),
});
export interface ListQuery {
  readonly keyword: string;
  readonly values: FilterValues;
  readonly sort: string | null;
  readonly filter: FilterGroup | null;
}
const EMPTY: ListQuery = { keyword: "", values: {}, sort: null, filter: null };

/** Whether the query may leave rows out. The order leaves none out. */
export const isNarrowed = ({ keyword, values, filter }: ListQuery): boolean =>
  keyword.trim() !== "" ||
  filter !== null ||
  Object.values(values).some((value) => value.trim() !== "");

/** What shows all rows again. */
export const WIDE: Partial<ListQuery> = { keyword: "", values: {}, filter: null };

export interface ListQueryState {
  readonly query: ListQuery;
  /** The values of the filter bar a moment after the last key. */
  readonly settled: FilterValues;
  change(part: Partial<ListQuery>): void;
}

/** Whose list it is: names what is kept for it. */
export function useListOwner(list: string): string {
  const account = useAccount();
  const { supplierId, status } = useSlice("session");
  const company = useHeld(supplierId, status !== "restoring");
  return `${account ?? ""}:${company ?? ""}:${list}`;
}

/** @param owner see useListOwner */
export function useListQuery(owner: string): ListQueryState {
  const key = `list:${owner}`;
  const [kept, setKept] = useState(() => ({ key, query: read(key) }));
  if (kept.key !== key) setKept({ key, query: read(key) });
  const { query } = kept;
  const [settled, setSettled] = useState(query.values);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(query.values), DELAY);
    return () => clearTimeout(timer);
  }, [query.values]);
  const change = useCallback(
    (part: Partial<ListQuery>) =>
      setKept((now) => {
        const next = { ...now.query, ...part };
        writeSession(now.key, next);
        return { ...now, query: next };
      }),
    [],
  );
  return { query, settled, change };
}

const read = (key: string): ListQuery => listQuerySchema.safeParse(readSession(key)).data ?? EMPTY;
