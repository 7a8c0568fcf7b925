/** Pages of inaugural documents: one row for each employee and each kind that the company asks for, also where nothing was handed in. */
import { type SQL, sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import type {
  documentsListCall,
  DocumentState,
  InauguralDocument,
} from "../../../shared/protocol/rest/documents.ts";
import type { z } from "../../../shared/zod.ts";
import { anywhere, isoTime, likeFor } from "../../base/database/common.ts";
import { isId } from "../../base/database/ids.ts";
import {
  createRememberedLists,
  idArray,
  listVersionWithEmployees,
} from "../../base/database/remembered-lists.ts";
import { orderBy } from "../../base/database/sorting.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";

/** What narrows the documents of all employees. */
export interface DocumentsWanted {
  readonly cursor: number;
  readonly limit: number;
  readonly searchCount: boolean;
  readonly keyword?: string | undefined;
  readonly employeeId?: string | undefined;
  readonly kindId?: string | undefined;
  readonly status?: DocumentState | undefined;
  readonly sort?: z.output<typeof documentsListCall.body>["sort"];
}

/** Columns of the rows `x`. */
const SORTS = {
  employeeName: sql`x.name`,
  title: sql`x.title`,
  createTime: sql`x.handed_at`,
  expiresOn: sql`x.expires_on`,
};
const USUAL = sql`x.employee_id DESC, x.sort, x.kind_id, x.document_id`;

/** The day in China, where the companies are. */
export const chinaDay = (now: number): string =>
  new Date(now + 8 * 3_600_000).toISOString().slice(0, 10);

/** An invalid id matches no row. */
const idIs = (column: SQL, id: string | undefined): SQL =>
  id === undefined ? sql`` : isId(id) ? sql` AND ${column} = ${id}::bigint` : sql` AND false`;

/** The state of a document `d` of an employee, which may not be there. */
const stateOf = (today: string): SQL => sql`CASE
  WHEN d.id IS NULL THEN 'missing'
  WHEN d.status = 'accepted' AND d.expires_on < ${today}::date THEN 'expired'
  ELSE d.status END`;

/**
 * Whether a document `k` is asked of an employee `e`: departments count with those below, and who has no day of hire counts as hired
 * in the time.
 */
const isAsked = (company: SQL): SQL => sql`
  (k.hired_from IS NULL OR coalesce(e.hire_date >= k.hired_from, true))
  AND (k.hired_to IS NULL OR coalesce(e.hire_date <= k.hired_to, true))
  AND (k.department_ids = '{}' OR (k.id, e.department_id) IN (
    WITH RECURSIVE below (kind_id, id) AS (
      SELECT a.id, unnest(a.department_ids) FROM document_kinds a WHERE a.company_id = ${company}
      UNION
      SELECT b.kind_id, d.id FROM departments d JOIN below b ON d.parent_id = b.id WHERE d.company_id = ${company})
    SELECT kind_id, id FROM below))`;

type Page = z.output<typeof documentsListCall.data>;

/** Documents of employees `e` whom the condition leaves: of each kind that the company asks for, and what it no longer asks for. */
function rowsFrom(
  scope: CompanyScope,
  whose: SQL,
  { keyword = "", kindId, status }: Pick<DocumentsWanted, "keyword" | "kindId" | "status">,
  today: string,
): SQL {
  const company = sql`${scope.companyId}::bigint`;
  // What was handed in is found by itself; only what is missing needs every employee with every kind.
  const like = likeFor(keyword);
  const join = sql.raw(status === undefined || status === "missing" ? "LEFT JOIN" : "JOIN");
  const stored = {
    missing: sql`d.id IS NULL`,
    handed: sql`d.status = 'handed'`,
    refused: sql`d.status = 'refused'`,
    accepted: sql`d.status = 'accepted' AND (d.expires_on IS NULL OR d.expires_on >= ${today}::date)`,
    expired: sql`d.status = 'accepted' AND d.expires_on < ${today}::date`,
  };
  const state = status === undefined ? sql`` : sql`AND ${stored[status]}`;
  // Each name is compared once, and not once for each document.
  const called = (title: SQL): SQL =>
    keyword === ""
      ? sql``
      : sql`AND (${title} OR e.id IN (
          SELECT n.id FROM employees n WHERE n.company_id = ${company} AND n.name ${like} ${anywhere(keyword)}))`;
  return sql`FROM (
      SELECT e.id AS employee_id, e.name, k.id AS kind_id, k.title, k.sort, d.id AS document_id, d.handed_at, d.expires_on
      FROM employees e CROSS JOIN document_kinds k
        ${join} inaugural_documents d ON d.employee_id = e.id AND d.kind_id = k.id
      WHERE ${whose} AND e.company_id = ${company} AND k.company_id = ${company}
        AND (d.id IS NOT NULL OR (${isAsked(company)}))
        ${idIs(sql`k.id`, kindId)} ${state}
        ${called(sql`k.id IN (SELECT t.id FROM document_kinds t WHERE t.company_id = ${company} AND t.title ${like} ${anywhere(keyword)})`)}
      UNION ALL
      SELECT e.id, e.name, NULL, d.title, NULL, d.id, d.handed_at, d.expires_on
      FROM inaugural_documents d JOIN employees e ON e.id = d.employee_id
      WHERE ${whose} AND e.company_id = ${company} AND d.company_id = ${company} AND d.kind_id IS NULL
        ${kindId === undefined ? sql`` : sql`AND false`} ${state}
        ${called(sql`d.title ${like} ${anywhere(keyword)}`)}
    ) x`;
}

/** The employee, and the kind, or the negative id of a document that is of no kind. */
const PLACE = { whose: sql`x.employee_id`, which: sql`coalesce(x.kind_id, -x.document_id)` };
type Place = readonly [employee: string, which: string];

export interface DocumentLists {
  /** Of the current employees, or of one who may have left. */
  page(scope: CompanyScope, wanted: DocumentsWanted, now: number): Promise<Page>;
  /** Of the current employee who has the account. */
  own(
    scope: CompanyScope,
    accountId: string,
    wanted: Pick<DocumentsWanted, "cursor" | "limit" | "searchCount">,
    now: number,
  ): Promise<Page>;
}

/** Documents from the beginning of a list within which it is read for the first employees alone. */
const NEAR = 2000;

export function createDocumentLists(): DocumentLists {
  const lists = createRememberedLists(2);
  const dialect = new PgDialect();

  /** Of few employees, so that nothing needs to be remembered. */
  async function ofFew(
    scope: CompanyScope,
    whose: SQL,
    wanted: DocumentsWanted,
    now: number,
  ): Promise<Page> {
    const { cursor, limit, searchCount } = wanted;
    const today = chinaDay(now);
    const order = orderBy(wanted.sort, SORTS, USUAL);
    const all = await scope.sql<{ whose: string; which: string }>(sql`
      SELECT ${PLACE.whose}::text AS whose, ${PLACE.which}::text AS which
      ${rowsFrom(scope, whose, wanted, today)} ORDER BY ${order}`);
    const from = (cursor - 1) * limit;
    const places = all.slice(from, from + limit).map((x) => [x.whose, x.which] as const);
    const records = await rowsOf(scope, places, today);
    return { records, total: searchCount ? all.length : 0, cursor, limit };
  }

  /**
   * The beginning of the list of all documents in an order that is first that of the employees: each of them has at least as many as there
   * are kinds, so the first documents are those of the first employees.
   *
   * @returns null: the list has another order, no kinds, or kinds that are asked of some employees alone
   */
  async function beginning(
    scope: CompanyScope,
    { sort, cursor, limit, searchCount }: DocumentsWanted,
    now: number,
  ): Promise<Page | null> {
    const company = sql`e.company_id = ${scope.companyId}::bigint AND e.dimission_at IS NULL`;
    const first = {
      usual: sql`e.id DESC`,
      employeeName: sql`e.name, e.id DESC`,
      "-employeeName": sql`e.name DESC, e.id DESC`,
    };
    const by = sort === undefined ? "usual" : sort;
    if (!(by in first)) return null;
    const [counts] = await scope.sql<{
      kinds: number;
      narrowed: number;
      employed: number;
      others: number;
    }>(sql`
      SELECT (SELECT count(*)::int FROM document_kinds k WHERE k.company_id = ${scope.companyId}::bigint) AS kinds,
        (SELECT count(*)::int FROM document_kinds k WHERE k.company_id = ${scope.companyId}::bigint
          AND (k.department_ids <> '{}' OR k.hired_from IS NOT NULL OR k.hired_to IS NOT NULL)) AS narrowed,
        coalesce((SELECT c.employed::int FROM employee_counts c WHERE c.company_id = ${scope.companyId}::bigint), 0) AS employed,
        (SELECT count(*)::int FROM inaugural_documents d JOIN employees e ON e.id = d.employee_id
          WHERE d.company_id = ${scope.companyId}::bigint AND d.kind_id IS NULL AND ${company}) AS others`);
    const { kinds = 0, narrowed = 0, employed = 0, others = 0 } = counts ?? {};
    if (kinds === 0 || narrowed > 0) return null;
    const most = Math.ceil((cursor * limit) / kinds);
    const ids = await scope.sql<{ id: string }>(sql`
      SELECT e.id::text AS id FROM employees e WHERE ${company}
      ORDER BY ${first[by as keyof typeof first]} LIMIT ${most}`);
    const whose = sql`e.id = ANY (${idArray(ids.map(({ id }) => id))})`;
    const page = await ofFew(scope, whose, { sort, cursor, limit, searchCount: false }, now);
    return { ...page, total: searchCount ? employed * kinds + others : 0 };
  }

  return {
    async page(scope, wanted, now) {
      const { cursor, limit, searchCount, employeeId, sort } = wanted;
      if (employeeId !== undefined) {
        // Who has left is asked for nothing any more; what was handed in is read here.
        const there = sql`(e.dimission_at IS NULL OR d.id IS NOT NULL)`;
        return await ofFew(scope, sql`${there}${idIs(sql`e.id`, employeeId)}`, wanted, now);
      }
      const from = (cursor - 1) * limit;
      const isAll = !wanted.keyword && wanted.kindId === undefined && wanted.status === undefined;
      const near = isAll && from < NEAR ? await beginning(scope, wanted, now) : null;
      if (near !== null) return near;
      const today = chinaDay(now);
      const rows = rowsFrom(scope, sql`e.dimission_at IS NULL`, wanted, today);
      const order = orderBy(sort, SORTS, USUAL);
      const { sql: text, params } = dialect.sqlToQuery(sql`${rows} ${order}`);
      const { ids, total } = await lists.page(
        scope,
        {
          key: JSON.stringify([text, params]),
          version: `${await listVersionWithEmployees(scope)}/${today}`,
          ids: sql`SELECT string_agg(l.ids, '') AS ids FROM (
            SELECT int8send(${PLACE.whose}) || int8send(${PLACE.which}) AS ids ${rows} ORDER BY ${order}) l`,
        },
        { from, count: limit },
      );
      const records = await rowsOf(scope, ids as readonly Place[], today);
      return { records, total: searchCount ? total : 0, cursor, limit };
    },
    own: (scope, accountId, wanted, now) =>
      ofFew(
        scope,
        sql`e.account_id = ${accountId}::bigint AND e.dimission_at IS NULL`,
        wanted,
        now,
      ),
  };
}

/** The documents of a page, in its order. */
async function rowsOf(
  scope: CompanyScope,
  places: readonly Place[],
  today: string,
): Promise<Page["records"]> {
  const company = sql`${scope.companyId}::bigint`;
  return await scope.sql<InauguralDocument & Record<string, unknown>>(sql`
    SELECT CASE WHEN p.which > 0 THEN e.id || '-' || p.which ELSE d.id::text END AS id, ${scope.companyId}::text AS "supplierId",
      e.id::text AS "employeeId", e.name AS "employeeName", e.department, k.id::text AS "kindId",
      coalesce(k.title, d.title) AS title, coalesce(k.required, false) AS required,
      coalesce(k.dated, d.expires_on IS NOT NULL) AS dated, ${stateOf(today)} AS status, coalesce(d.reason, '') AS reason,
      d.expires_on::text AS "expiresOn", ${isoTime("d.handed_at")} AS "createTime", h.nickname AS "handedBy",
      ${isoTime("d.signed_at")} AS "signedTime", b.nickname AS "decidedBy",
      coalesce((SELECT json_agg(json_build_object('fileName', f.name, 'originalName', f.original_name, 'size', f.size) ORDER BY f.id)
        FROM files f WHERE f.document_id = d.id AND f.company_id = ${company}), '[]') AS files
    FROM unnest(${idArray(places.map(([whose]) => whose))}, ${idArray(places.map(([, which]) => which))})
        WITH ORDINALITY AS p (whose, which, at)
      JOIN employees e ON e.id = p.whose AND e.company_id = ${company}
      LEFT JOIN document_kinds k ON k.id = p.which AND k.company_id = ${company}
      LEFT JOIN LATERAL (SELECT d.* FROM inaugural_documents d
        WHERE d.employee_id = p.whose AND (d.kind_id = p.which OR d.id = -p.which)) d ON true
      LEFT JOIN accounts h ON h.id = d.handed_by LEFT JOIN accounts b ON b.id = d.decided_by
    ORDER BY p.at`);
}

/**
 * Titles of the required documents that employees lack, in the order of the kinds; one that was refused or has expired is lacked too.
 *
 * @returns by the id of the employee; who lacks none is not there
 */
export async function lackedDocuments(
  scope: CompanyScope,
  employeeIds: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, string>> {
  if (employeeIds.length === 0) return new Map();
  const company = sql`${scope.companyId}::bigint`;
  const rows = await scope.sql<{ id: string; titles: string }>(sql`
    SELECT w.id::text AS id, string_agg(k.title, '、' ORDER BY k.sort, k.id) AS titles
    FROM unnest(${`{${employeeIds.join(",")}}`}::bigint[]) AS w (id) JOIN employees e ON e.id = w.id CROSS JOIN document_kinds k
      LEFT JOIN inaugural_documents d ON d.employee_id = w.id AND d.kind_id = k.id AND d.status <> 'refused'
        AND (d.expires_on IS NULL OR d.expires_on >= ${chinaDay(now)}::date)
    WHERE k.company_id = ${company} AND e.company_id = ${company} AND k.required AND d.id IS NULL AND ${isAsked(company)}
    GROUP BY w.id`);
  return new Map(rows.map(({ id, titles }) => [id, titles]));
}
