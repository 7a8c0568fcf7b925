/** How a person sets up the columns of a list: their order, widths, and which are hidden (docs/session.md#lists). Pure. */
import { z } from "../../../shared/zod.ts";

/** px of a column. */
export const WIDTH = { least: 56, most: 800, step: 16 };
/** Keys that are kept at most, so that those of columns that are gone do not pile up. */
const MOST_KEPT = 200;

const keys = z.array(z.string());
const layoutSchema = z.object({
  order: keys,
  hidden: keys,
  widths: z.record(z.string(), z.number()),
});
export interface ColumnLayout {
  /** Keys of columns, also of some that the list does not have now; empty: as declared. */
  readonly order: readonly string[];
  readonly hidden: readonly string[];
  /** px of the columns whose width the person has chosen. */
  readonly widths: Readonly<Record<string, number>>;
}
export const AS_DECLARED: ColumnLayout = { order: [], hidden: [], widths: {} };

/** What was kept before columns had keys: how many columns the list had, and the places of hidden ones. */
const earlierSchema = z.object({ count: z.number().int(), hidden: z.array(z.number().int()) });

/** @param kept by an earlier build, or something else; read for the columns that the list declares now */
export function readLayout(kept: unknown, declared: readonly string[]): ColumnLayout {
  const layout = layoutSchema.safeParse(kept).data;
  if (layout !== undefined) return layout;
  const earlier = earlierSchema.safeParse(kept).data;
  if (earlier?.count !== declared.length) return AS_DECLARED;
  return { ...AS_DECLARED, hidden: earlier.hidden.flatMap((index) => declared[index] ?? []) };
}

/** Each key that is missing stands behind its neighbour before it in `all`. */
function withMissing(placed: readonly string[], all: readonly string[]): readonly string[] {
  const found = [...placed];
  for (const [index, key] of all.entries()) {
    if (found.includes(key)) continue;
    const before = all[index - 1];
    found.splice(before === undefined ? 0 : found.indexOf(before) + 1, 0, key);
  }
  return found;
}

/** The declared keys in the chosen order. One that the order does not name stands where it is declared. */
export const orderOf = (declared: readonly string[], order: readonly string[]): readonly string[] =>
  withMissing(
    order.filter((key) => declared.includes(key)),
    declared,
  );

/** The hidden ones among the keys; none when no column would be left. */
export function hiddenOf(
  declared: readonly string[],
  hidden: readonly string[],
): readonly string[] {
  const those = declared.filter((key) => hidden.includes(key));
  return those.length === declared.length ? [] : those;
}

/** A width that a column may have. */
export const fitting = (width: number): number =>
  Math.round(Math.min(WIDTH.most, Math.max(WIDTH.least, width)));

/**
 * What is kept after a person has set up the columns of now. What is known of columns that the list does not have now is kept as well,
 * because they may come back: the company's own fields load later, and rights change.
 */
export function keptLayout(
  before: ColumnLayout,
  declared: readonly string[],
  { order, hidden, widths }: ColumnLayout,
): ColumnLayout {
  const isGone = (key: string): boolean => !declared.includes(key);
  const asDeclared = declared.every((key, index) => key === order[index]);
  return {
    order: asDeclared ? [] : withMissing(order, before.order).slice(0, MOST_KEPT),
    hidden: [...hidden, ...before.hidden.filter(isGone)].slice(0, MOST_KEPT),
    widths: Object.fromEntries([
      ...Object.entries(widths).map(([key, width]): [string, number] => [key, fitting(width)]),
      ...Object.entries(before.widths)
        .filter(([key]) => isGone(key))
        .slice(0, MOST_KEPT),
    ]),
  };
}

/** The order after a key was moved to a place. */
export function moved(order: readonly string[], key: string, to: number): readonly string[] {
  const at = Math.max(0, Math.min(order.length - 1, to));
  return order.filter((one) => one !== key).toSpliced(at, 0, key);
}

/** The tracks of a CSS grid. If no column is left that takes what is left, the last one does. */
export function tracksOf(
  columns: readonly { readonly key: string; readonly width: string | undefined }[],
  widths: Readonly<Record<string, number>>,
): readonly string[] {
  const all = columns.every(({ key }) => widths[key] !== undefined);
  return columns.map(({ key, width = "minmax(120px, 1fr)" }, index) => {
    const chosen = widths[key];
    if (chosen === undefined) return width;
    return all && index === columns.length - 1 ? `minmax(${chosen}px, 1fr)` : `${chosen}px`;
  });
}
