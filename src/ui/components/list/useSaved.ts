/** The filters that a person has saved for a list (docs/session.md#lists). */
import { z } from "../../../shared/zod.ts";
import { useSlice } from "../../state/services.ts";
import { usePreference } from "../../state/usePreference.ts";
import { type ListQuery, listQuerySchema } from "./useListQuery.ts";

export const NAME_MAX = 30;
export const MOST_SAVED = 20;

const savedSchema = z
  .array(z.object({ name: z.string().min(1).max(NAME_MAX), query: listQuerySchema }))
  .max(MOST_SAVED);
export interface SavedFilter {
  readonly name: string;
  readonly query: ListQuery;
}

export interface Saved {
  readonly list: readonly SavedFilter[];
  /** Replaces one of the same name. */
  save(name: string, query: ListQuery): void;
  remove(name: string): void;
}

const read = (kept: unknown): readonly SavedFilter[] => savedSchema.safeParse(kept).data ?? [];

/** @param list names the list within the company */
export function useSaved(list: string): Saved {
  const { supplierId } = useSlice("session");
  const [saved, write] = usePreference(`filters:${supplierId ?? ""}:${list}`, read);
  const without = (name: string): readonly SavedFilter[] =>
    saved.filter((one) => one.name !== name);
  return {
    list: saved,
    save: (name, query) => write([...without(name), { name, query }].slice(-MOST_SAVED)),
    remove: (name) => write(without(name)),
  };
}
