/** The order of a list that a caller chose (`sortSchema`). The text of the request never reaches the SQL: it only chooses a column. */
import { type SQL, sql } from "drizzle-orm";

/** The columns that a `sort` may name, with their SQL. */
export type SortColumns<S extends string> = Readonly<Record<Exclude<S, `-${string}`>, SQL>>;

export interface Order {
  readonly by: SQL;
  readonly down: boolean;
}

/** @returns undefined when the caller chose none */
export function orderOf<S extends string>(
  sort: S | undefined,
  columns: SortColumns<S>,
): Order | undefined {
  if (sort === undefined) return undefined;
  const down = sort.startsWith("-");
  const name = (down ? sort.slice(1) : sort) as keyof SortColumns<S>;
  return { by: columns[name], down };
}

export const direction = (down: boolean): SQL => sql.raw(down ? "DESC" : "ASC");

/** Rows without a value come last in either direction. */
export const sorted = ({ by, down }: Order): SQL => sql`${by} ${direction(down)} NULLS LAST`;

/** The same from its end. */
export const sortedFromEnd = ({ by, down }: Order): SQL =>
  sql`${by} ${direction(!down)} NULLS FIRST`;

/**
 * The contents of ORDER BY: the chosen column, then the usual order.
 *
 * @param usual must be total, so that no row is on two pages or on none
 */
export function orderBy<S extends string>(
  sort: S | undefined,
  columns: SortColumns<S>,
  usual: SQL,
): SQL {
  const order = orderOf(sort, columns);
  return order === undefined ? usual : sql`${sorted(order)}, ${usual}`;
}
