/**
 * Pages of a company's list that is read as a whole once and then remembered, until something in it changes (docs/server.md#long-lists).
 */
import { type SQL, sql } from "drizzle-orm";
import { createListOrders, idsAt } from "./list-orders.ts";
import type { CompanyScope } from "./tenant.ts";

/** Bytes of all orders of one kind of list. */
const MOST_BYTES = 16 * 2 ** 20;
const ID_BYTES = 8;
/** Of one step of one read; it ends with the transaction. */
const SORT_MEMORY = "32MB";

export interface RememberedLists {
  /**
   * @param key identifies the list, with its filter and order, among those of the company
   * @param ids a query with one row and the column `ids`: those of all rows, each id by int8send, in the order of the list
   */
  page(
    scope: CompanyScope,
    list: { readonly key: string; readonly version: string; readonly ids: SQL },
    place: { readonly from: number; readonly count: number },
  ): Promise<{ readonly ids: readonly (readonly string[])[]; readonly total: number }>;
  /** The number of rows of a list that is read without its order. @param count a query with one row and the column `total` */
  total(
    scope: CompanyScope,
    list: { readonly key: string; readonly version: string; readonly count: SQL },
  ): Promise<number>;
}

/** Totals that are remembered; those used last stay. */
const MOST_TOTALS = 2000;

/** @param width ids of a row */
export function createRememberedLists(width = 1): RememberedLists {
  const orders = createListOrders(MOST_BYTES);
  const totals = new Map<string, { readonly version: string; readonly total: number }>();
  return {
    async total(scope, { key: list, version, count }) {
      const key = `${scope.companyId} ${list}`;
      let known = totals.get(key);
      if (known?.version !== version) {
        const [counted] = await scope.sql<{ total: number }>(count);
        known = { version, total: counted?.total ?? 0 };
      }
      totals.delete(key);
      totals.set(key, known);
      const [oldest] = totals.keys();
      if (totals.size > MOST_TOTALS && oldest !== undefined) totals.delete(oldest);
      return known.total;
    },
    async page(scope, list, { from, count }) {
      const key = `${scope.companyId} ${list.key}`;
      let order = orders.find(key, list.version);
      if (order === null) {
        // 100,000 rows are joined and sorted in memory, not on the disk.
        await scope.sql(sql`SELECT set_config('work_mem', ${SORT_MEMORY}, true)`);
        const [read] = await scope.sql<{ ids: Buffer | null }>(list.ids);
        const ids = read?.ids ?? Buffer.alloc(0);
        order = { ids, filled: ids.length / ID_BYTES };
        orders.remember(key, list.version, order);
      }
      const flat = idsAt(order, false, from * width, count * width);
      return {
        ids: Array.from({ length: flat.length / width }, (_, n) =>
          flat.slice(n * width, (n + 1) * width),
        ),
        total: order.filled / width,
      };
    },
  };
}

/** Raised by each change of the company's files, inaugural documents, their kinds and departments (20261126_1855_list_versions.sql). */
export async function listVersion(scope: CompanyScope): Promise<string> {
  const [row] = await scope.sql<{ version: string }>(
    sql`SELECT version::text AS version FROM list_versions WHERE company_id = ${scope.companyId}::bigint`,
  );
  return row?.version ?? "0";
}

/** The same with the employees: their names, and who of them is here. */
export async function listVersionWithEmployees(scope: CompanyScope): Promise<string> {
  const [row] = await scope.sql<{ version: string }>(
    sql`SELECT version::text AS version FROM employee_counts WHERE company_id = ${scope.companyId}::bigint`,
  );
  return `${await listVersion(scope)}/${row?.version ?? "0"}`;
}

/** A list of ids as an array of the database. */
export const idArray = (ids: readonly (string | undefined)[]): SQL =>
  sql`${`{${ids.join(",")}}`}::bigint[]`;
