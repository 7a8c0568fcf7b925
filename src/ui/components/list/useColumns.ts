/** How a person sets up the columns of a list (docs/session.md#lists). The server keeps it. */
import { usePreference } from "../../state/usePreference.ts";
import { type ColumnLayout, hiddenOf, keptLayout, orderOf, readLayout } from "./columnLayout.ts";
import { keyOf } from "./columns.ts";

const asKept = (kept: unknown): unknown => kept;

export interface Columns<C> {
  /** All columns in the person's order. */
  readonly ordered: readonly C[];
  /** Those of them that the person does not hide. */
  readonly shown: readonly C[];
  /** Order and hidden keys are complete and know no other columns than those of now. */
  readonly layout: ColumnLayout;
  change(part: Partial<ColumnLayout>): void;
}

export function useColumns<C extends { readonly key?: string; readonly sort?: string | undefined }>(
  list: string,
  columns: readonly C[],
): Columns<C> {
  const [stored, write] = usePreference<unknown>(`columns:${list}`, asKept);
  const declared = columns.map(keyOf);
  const kept = readLayout(stored, declared);
  const layout = {
    order: orderOf(declared, kept.order),
    hidden: hiddenOf(declared, kept.hidden),
    widths: kept.widths,
  };
  const ordered = layout.order.flatMap((key) => columns[declared.indexOf(key)] ?? []);
  return {
    ordered,
    shown: ordered.filter((column) => !layout.hidden.includes(keyOf(column))),
    layout,
    change: (part) => write(keptLayout(kept, declared, { ...layout, ...part })),
  };
}
