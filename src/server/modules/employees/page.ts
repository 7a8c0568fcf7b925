/**
 * Pages and counts of employees. Ids are read first, from an index alone where possible, then the rows of these ids. Counts are
 * exact: the database keeps the count of all employees, and the count of a condition is cached until an employee changes.
 *
 * A page near either end of a list is read from that end, where the database sorts only as many rows as lie before it. The first page
 * between sorts the whole list, whose order is then remembered until an employee changes.
 */
import { type SQL, sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { searchable } from "../../../shared/domain/han-text.ts";
import { direction, type Order, sorted, sortedFromEnd } from "../../base/database/sorting.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { DETAIL, type DetailRow } from "./fields.ts";
import { createListOrders, idsAt, type ListOrder } from "../../base/database/list-orders.ts";

export interface Wanted {
  readonly gone: boolean;
  readonly keyword?: string | undefined;
  /** A condition, with employees `e`. */
  readonly where?: SQL | undefined;
  /** The same condition for reading along the list; default: `where`. */
  readonly along?: SQL | undefined;
  readonly newestFirst?: boolean;
  /** An order that the caller chose; rows that are equal in it stand by id in the same direction. */
  readonly order?: Order | undefined;
}

export interface PageOf {
  readonly cursor: number;
  readonly limit: number;
  readonly searchCount: boolean;
}

const REMEMBERED = 2000;
/** If at least this many employees match a text, reading along the list is faster than collecting all matches. */
const DENSE = 1000;
/** Rows from an end within which a page is read from that end, and not from the remembered order. */
const NEAR = 2000;

export interface EmployeePages {
  /** @returns total 0 when no count was requested */
  page(
    scope: CompanyScope,
    wanted: Wanted,
    request: PageOf,
  ): Promise<{ records: DetailRow[]; total: number; cursor: number; limit: number }>;
  /** The next rows after an id, oldest first, for reading all of them in pieces. */
  after(scope: CompanyScope, wanted: Wanted, id: string, limit: number): Promise<DetailRow[]>;
}

type Counts = { all: number; version: string };

export function createEmployeePages(): EmployeePages {
  const remembered = new Map<string, { readonly version: string; readonly total: number }>();
  const orders = createListOrders();
  const dialect = new PgDialect();

  const remember = (key: string, version: string, total: number): void => {
    remembered.delete(key);
    remembered.set(key, { version, total });
    const [oldest] = remembered.keys();
    if (remembered.size > REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  };

  async function totals(scope: CompanyScope, gone: boolean): Promise<Counts> {
    const [row] = await scope.sql<Counts>(sql`
      SELECT ${sql.raw(gone ? "dimission" : "employed")}::int AS "all", version::text AS version
      FROM employee_counts WHERE company_id = ${scope.companyId}::bigint`);
    return row ?? { all: 0, version: "0" };
  }

  /** Reads the order of a whole list. */
  async function sortAll(scope: CompanyScope, wanted: Wanted): Promise<ListOrder> {
    const by = orderedBy(wanted);
    const [read] = await scope.sql<{ ids: Buffer | null; filled: number }>(sql`
      SELECT string_agg(int8send(listed.id), '') AS ids, count(listed.value)::int AS filled
      FROM (
        SELECT e.id, ${by} AS value FROM employees e
        WHERE ${inList(scope, wanted.gone)} ${conditions(wanted, false)}
        ORDER BY ${sorted({ by, down: false })}, ${byId(false)}) AS listed`);
    return { ids: read?.ids ?? Buffer.alloc(0), filled: read?.filled ?? 0 };
  }

  return {
    async page(scope, wanted, { cursor, limit, searchCount }) {
      const { gone, where, newestFirst = false, order } = wanted;
      const keyword = word(wanted);
      const offset = (cursor - 1) * limit;
      const { all, version } = await totals(scope, gone);
      const answer = (records: DetailRow[], total: number) => ({
        records,
        total: searchCount ? total : 0,
        cursor,
        limit,
      });
      if (where === undefined && keyword === null && order === undefined) {
        if (offset >= all) return answer([], all);
        // For the second half, count from the end of the list.
        const count = Math.min(limit, all - offset);
        const ids =
          offset > all / 2
            ? listIds(scope, gone, sql``, byWishFromEnd(wanted), count, all - offset - count)
            : listIds(scope, gone, sql``, byWish(wanted), count, offset);
        return answer(await rowsOf(scope, ids, byWish(wanted)), all);
      }
      const { sql: text, params } = dialect.sqlToQuery(where ?? sql``);
      const key = JSON.stringify([scope.companyId, gone, keyword, text, params]);
      const kept = remembered.get(key);
      const isAll = where === undefined && keyword === null;
      let total = isAll ? all : kept?.version === version ? kept.total : null;
      const walk =
        order === undefined &&
        total !== null &&
        total >= DENSE &&
        (offset + limit) * all < total * total;
      if (keyword !== null && where === undefined && order === undefined && !walk) {
        const [found] = await scope.sql<{ total: number; ids: string[] | null }>(sql`
          SELECT count(*)::int AS total,
            (array_agg(m ORDER BY m ${direction(newestFirst)}))[${offset + 1}::int:${offset + limit}::int]::text[] AS ids
          FROM employee_matches(${keyword}, ${gone}) AS m`);
        remember(key, version, found?.total ?? 0);
        const ids = found?.ids ?? [];
        if (ids.length === 0) return answer([], found?.total ?? 0);
        const rows = await rowsOf(scope, theseIds(ids), byWish(wanted));
        return answer(rows, found?.total ?? 0);
      }
      const more = conditions(wanted, walk);
      if (searchCount && total === null) {
        const [counted] = await scope.sql<{ total: number }>(sql`
          SELECT count(*)::int AS total FROM employees e WHERE ${inList(scope, gone)} ${more}`);
        total = counted?.total ?? 0;
        remember(key, version, total);
      }
      if (total !== null && offset >= total) return answer([], total);
      const count = total === null ? limit : Math.min(limit, total - offset);
      const after = total === null ? offset : total - offset - count;
      const orderKey = `${key} ${dialect.sqlToQuery(orderedBy(wanted)).sql}`;
      let known = orders.find(orderKey, version);
      if (known === null && !walk && Math.min(offset, after) > NEAR) {
        known = await sortAll(scope, wanted);
        orders.remember(orderKey, version, known);
      }
      const ids =
        known !== null
          ? theseIds(idsAt(known, isDown(wanted), offset, count))
          : after < offset
            ? listIds(scope, gone, more, byWishFromEnd(wanted), count, after)
            : listIds(scope, gone, more, byWish(wanted), count, offset);
      return answer(await rowsOf(scope, ids, byWish(wanted)), total ?? 0);
    },

    after(scope, wanted, id, limit) {
      const more = sql`${conditions(wanted, false)} AND e.id > ${id}::bigint`;
      return rowsOf(scope, listIds(scope, wanted.gone, more, byId(false), limit, 0), byId(false));
    },
  };
}

const byId = (down: boolean): SQL => sql`e.id ${direction(down)}`;
const isDown = ({ order, newestFirst = false }: Wanted): boolean => order?.down ?? newestFirst;
const orderedBy = ({ order }: Wanted): SQL => order?.by ?? sql`e.id`;
const byWish = ({ order, newestFirst = false }: Wanted): SQL =>
  order === undefined ? byId(newestFirst) : sql`${sorted(order)}, ${byId(order.down)}`;

const byWishFromEnd = ({ order, newestFirst = false }: Wanted): SQL =>
  order === undefined ? byId(!newestFirst) : sql`${sortedFromEnd(order)}, ${byId(!order.down)}`;

/** The keyword in the form that employee_words has; null when there is none. */
const word = ({ keyword }: Wanted): string | null =>
  keyword === undefined || keyword === "" ? null : searchable(keyword);

const inList = (scope: CompanyScope, gone: boolean): SQL =>
  sql`e.company_id = ${scope.companyId}::bigint AND e.dimission_at ${sql.raw(gone ? "IS NOT NULL" : "IS NULL")}`;

/** @param walk test each row's words in list order instead of using the index */
function conditions(wanted: Wanted, walk: boolean): SQL {
  const { gone } = wanted;
  const where = walk ? (wanted.along ?? wanted.where) : wanted.where;
  const keyword = word(wanted);
  const found = walk
    ? sql`position(lower(${keyword}) IN employee_words(e.name, e.employee_no, e.phone, e.department, e."position")) > 0`
    : sql`e.id IN (SELECT employee_matches(${keyword}, ${gone}))`;
  return sql.join([
    where === undefined ? sql`` : sql` AND ${where}`,
    keyword === null ? sql`` : sql` AND ${found}`,
  ]);
}

const listIds = (
  scope: CompanyScope,
  gone: boolean,
  more: SQL,
  order: SQL,
  limit: number,
  offset: number,
): SQL => sql`
  SELECT e.id FROM employees e WHERE ${inList(scope, gone)} ${more}
  ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`;

const theseIds = (ids: readonly string[]): SQL =>
  sql`SELECT unnest(${`{${ids.join(",")}}`}::bigint[]) AS id`;

const rowsOf = (scope: CompanyScope, ids: SQL, order: SQL): Promise<DetailRow[]> =>
  scope.sql<DetailRow>(sql`
    WITH page AS MATERIALIZED (${ids})
    SELECT ${DETAIL}
    FROM page JOIN employees e ON e.id = page.id JOIN companies c ON c.id = e.company_id
      LEFT JOIN accounts a ON a.id = e.account_id
    ORDER BY ${order}`);
