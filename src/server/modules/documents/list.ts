/** Pages of inaugural documents: one row for each employee and each kind that the company asks for, also where nothing was handed in. */
import { type SQL, sql } from "drizzle-orm";
import type { DocumentState, InauguralDocument } from "../../../shared/protocol/rest/documents.ts";
import { anywhere, isoTime } from "../../base/database/common.ts";
import { isId } from "../../base/database/ids.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";

export interface DocumentsWanted {
  readonly cursor: number;
  readonly limit: number;
  readonly searchCount: boolean;
  readonly keyword?: string | undefined;
  readonly employeeId?: string | undefined;
  readonly kindId?: string | undefined;
  readonly status?: DocumentState | undefined;
  /** Only those of the current employee who has this account. */
  readonly accountId?: string;
  /** Of the rows `x`. */
  readonly order?: (usual: SQL) => SQL;
}

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

const HANDED = sql`d.id AS document_id, d.reason, d.expires_on, d.handed_at, d.handed_by, d.signed_at, d.decided_by`;

export async function listDocuments(scope: CompanyScope, wanted: DocumentsWanted, now: number) {
  const { cursor, limit, searchCount, keyword = "", employeeId, kindId, status } = wanted;
  const company = sql`${scope.companyId}::bigint`;
  const state = stateOf(chinaDay(now));
  const whose = sql`e.company_id = ${company}${idIs(sql`e.id`, employeeId)}
    ${wanted.accountId === undefined ? sql`` : sql`AND e.account_id = ${wanted.accountId}::bigint AND e.dimission_at IS NULL`}`;
  // Who has left is asked for nothing any more; what was handed in is read at the employee.
  const left = employeeId === undefined ? sql`false` : sql`d.id IS NOT NULL`;
  const from = sql`FROM (
      SELECT e.id AS employee_id, e.name, e.department, k.id AS kind_id, k.title, k.required, k.dated, k.sort,
        ${state} AS status, ${HANDED}
      FROM employees e CROSS JOIN document_kinds k
        LEFT JOIN inaugural_documents d ON d.employee_id = e.id AND d.kind_id = k.id
      WHERE ${whose} AND k.company_id = ${company} AND (e.dimission_at IS NULL OR ${left})
        AND (d.id IS NOT NULL OR (${isAsked(company)}))
      UNION ALL
      SELECT e.id, e.name, e.department, NULL, d.title, false, d.expires_on IS NOT NULL, NULL,
        ${state}, ${HANDED}
      FROM inaugural_documents d JOIN employees e ON e.id = d.employee_id
      WHERE ${whose} AND d.company_id = ${company} AND d.kind_id IS NULL AND (e.dimission_at IS NULL OR ${left})
    ) x
    WHERE true ${idIs(sql`x.kind_id`, kindId)}
      ${status === undefined ? sql`` : sql`AND x.status = ${status}`}
      ${
        keyword === ""
          ? sql``
          : sql`AND (x.title ILIKE ${anywhere(keyword)} OR x.name ILIKE ${anywhere(keyword)})`
      }`;
  const usual = sql`x.employee_id DESC, x.sort, x.kind_id, x.document_id`;
  const records = await scope.sql<InauguralDocument & Record<string, unknown>>(sql`
    SELECT coalesce(x.employee_id || '-' || x.kind_id, x.document_id::text) AS id, ${scope.companyId}::text AS "supplierId",
      x.employee_id::text AS "employeeId", x.name AS "employeeName", x.department, x.kind_id::text AS "kindId",
      x.title, x.required, x.dated, x.status, coalesce(x.reason, '') AS reason, x.expires_on::text AS "expiresOn",
      ${isoTime("x.handed_at")} AS "createTime", h.nickname AS "handedBy",
      ${isoTime("x.signed_at")} AS "signedTime", b.nickname AS "decidedBy",
      coalesce((SELECT json_agg(json_build_object('fileName', f.name, 'originalName', f.original_name, 'size', f.size) ORDER BY f.id)
        FROM files f WHERE f.document_id = x.document_id AND f.company_id = ${company}), '[]') AS files
    FROM (SELECT x.* ${from} ORDER BY ${wanted.order?.(usual) ?? usual} LIMIT ${limit} OFFSET ${(cursor - 1) * limit}) x
      LEFT JOIN accounts h ON h.id = x.handed_by LEFT JOIN accounts b ON b.id = x.decided_by
    ORDER BY ${wanted.order?.(usual) ?? usual}`);
  const [counted] = searchCount
    ? await scope.sql<{ total: number }>(sql`SELECT count(*)::int AS total ${from}`)
    : [];
  return { records, total: counted?.total ?? 0, cursor, limit };
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
