/** Which columns of a list a person hides (docs/session.md#lists). */
import { z } from "../../../shared/zod.ts";
import { usePreference } from "../../state/usePreference.ts";

/** `count`: columns that the list had; a list with another number of columns begins with all of them. */
const storedSchema = z.object({ count: z.number().int(), hidden: z.array(z.number().int()) });
const NONE = { count: 0, hidden: [] };
const read = (kept: unknown): z.infer<typeof storedSchema> =>
  storedSchema.safeParse(kept).data ?? NONE;

export interface Columns<C> {
  readonly shown: readonly C[];
  /** Indexes of hidden columns. */
  readonly hidden: readonly number[];
  hide(indexes: readonly number[]): void;
}

export function useColumns<C>(list: string, columns: readonly C[]): Columns<C> {
  const count = columns.length;
  const [stored, write] = usePreference(`columns:${list}`, read);
  const hidden = stored.count === count ? stored.hidden : NONE.hidden;
  return {
    shown: columns.filter((_, index) => !hidden.includes(index)),
    hidden,
    hide: (indexes) => write({ count, hidden: [...indexes] }),
  };
}
