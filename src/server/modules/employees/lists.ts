/** Pages of applications. */
import { type SQL, sql } from "drizzle-orm";
import type { MembershipApply } from "../../../shared/protocol/rest/joining.ts";
import { anywhere, isoTime } from "../../base/database/common.ts";
import { isId } from "../../base/database/ids.ts";

interface Page {
  readonly cursor: number;
  readonly limit: number;
  readonly searchCount: boolean;
}
export interface Reader {
  sql<R extends Record<string, unknown>>(query: SQL): Promise<R[]>;
}

async function pageOf<R extends Record<string, unknown>>(
  reader: Reader,
  columns: SQL,
  from: SQL,
  order: SQL,
  { cursor, limit, searchCount }: Page,
) {
  const records = await reader.sql<R>(
    sql`SELECT ${columns} ${from} ${order} LIMIT ${limit} OFFSET ${(cursor - 1) * limit}`,
  );
  const [counted] = searchCount
    ? await reader.sql<{ total: number }>(sql`SELECT count(*)::int AS total ${from}`)
    : [];
  return { records, total: counted?.total ?? 0, cursor, limit };
}

/** An invalid id matches no row. */
const idIs = (column: SQL, id: string | undefined): SQL =>
  id === undefined ? sql`` : isId(id) ? sql` AND ${column} = ${id}::bigint` : sql` AND false`;

/** @param where restricts the rows that the caller may see, with applications `p` */
export const listApplies = (
  reader: Reader,
  where: SQL,
  query: Page & {
    readonly applyAccountId?: string | undefined;
    readonly systemName?: string | undefined;
    readonly status?: string | undefined;
    readonly keyword?: string | undefined;
    readonly descParameter?: string | undefined;
  },
) =>
  pageOf<MembershipApply & Record<string, unknown>>(
    reader,
    sql`p.id::text AS id, p.company_id::text AS "supplierId", c.name AS "supplierName",
      p.account_id::text AS "applyAccountId", p.system_name AS "systemName", p.name, p.phone, p.department,
      p.position, p.status, p.employee_id::text AS "employeeId", p.reason, d.nickname AS "decidedBy",
      ${isoTime("p.decided_at")} AS "decideTime", ${isoTime("p.created_at")} AS "createTime",
      coalesce((SELECT json_agg(ir.role_id::text ORDER BY ir.role_id) FROM invitation_roles ir
        WHERE ir.invitation_id = p.invitation_id), '[]') AS "roleIds"`,
    sql`FROM membership_applies p JOIN companies c ON c.id = p.company_id
      LEFT JOIN accounts d ON d.id = p.decided_by
      WHERE ${where} ${idIs(sql`p.account_id`, query.applyAccountId)}
      ${
        query.systemName === undefined || query.systemName === ""
          ? sql``
          : sql` AND p.system_name = ${query.systemName}`
      }
      ${query.status === undefined ? sql`` : sql` AND p.status = ${query.status}`}
      ${
        query.keyword === undefined || query.keyword === ""
          ? sql``
          : sql` AND (p.name ILIKE ${anywhere(query.keyword)} OR p.phone LIKE ${anywhere(query.keyword)})`
      }`,
    query.descParameter === "id" ? sql`ORDER BY p.id DESC` : sql`ORDER BY p.id`,
    query,
  );
