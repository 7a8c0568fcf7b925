/** The company's invitations as a list, and their early end (docs/server.md#invitations). */
import { eq, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { AppError } from "../../../shared/errors.ts";
import type { invitationCalls, InvitationRow } from "../../../shared/protocol/rest/invitations.ts";
import { audit } from "../../base/audit/index.ts";
import type { ServerConfig } from "../../base/config.ts";
import { anywhere, isoTime } from "../../base/database/common.ts";
import { invitations } from "../../base/database/schema/employees.ts";
import { isId } from "../../base/database/ids.ts";
import { orderBy } from "../../base/database/sorting.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { refuseClosed, tokenOf } from "./invites.ts";
import { conflict, notFound } from "./rows.ts";

type Query = z.output<(typeof invitationCalls.invitationList)["query"]>;

const status = (now: Date): SQL => sql`CASE
  WHEN i.revoked_at IS NOT NULL THEN 'revoked'
  WHEN i.uses >= i.uses_max THEN 'used'
  WHEN i.expires_at <= ${now.toISOString()}::timestamptz THEN 'expired'
  WHEN i.opened_at IS NOT NULL THEN 'opened'
  WHEN i.sms_sent THEN 'sent'
  WHEN i.sms_sent = false THEN 'failed'
  ELSE 'open' END`;

type Row = Omit<InvitationRow, "link" | "employee"> & {
  readonly employeeId: string | null;
  readonly employeeName: string | null;
};

export async function listInvitations(
  scope: CompanyScope,
  config: Pick<ServerConfig, "APP_SECRET" | "BASE_PATH">,
  { cursor, limit, searchCount, keyword = "", sort, status: wanted, importId }: Query,
  now: Date,
) {
  const company = sql`${scope.companyId}::bigint`;
  const joined = sql`FROM membership_applies p WHERE p.company_id = ${company} AND p.invitation_id = i.id
    AND p.status <> 'refused'`;
  const like = anywhere(keyword);
  const from = sql`FROM invitations i
    LEFT JOIN departments d ON d.id = i.department_id AND d.company_id = ${company}
    LEFT JOIN employees e ON e.id = i.employee_id AND e.company_id = ${company}
    LEFT JOIN accounts a ON a.id = i.created_by
    WHERE i.company_id = ${company}
      ${wanted === undefined ? sql`` : sql`AND ${status(now)} = ${wanted}`}
      ${
        importId === undefined
          ? sql``
          : isId(importId)
            ? sql`AND i.id IN (SELECT m.invitation_id FROM import_invitations m
                WHERE m.company_id = ${company} AND m.job_id = ${importId}::bigint)`
            : sql`AND false`
      }
      ${
        keyword === ""
          ? sql``
          : sql`AND (i.mobile LIKE ${like} OR coalesce(e.department, d.name, i.department) ILIKE ${like} OR i."position" ILIKE ${like}
              OR e.name ILIKE ${like} OR a.nickname ILIKE ${like}
              OR EXISTS (SELECT ${joined} AND p.name ILIKE ${like}))`
      }`;
  const order = orderBy(
    sort,
    { createTime: sql`i.created_at`, expiresAt: sql`i.expires_at` },
    sql`i.created_at DESC, i.id`,
  );
  const rows = await scope.sql<Row & Record<string, unknown>>(sql`
    SELECT i.id, ${status(now)} AS status, coalesce(e.department, d.name, i.department) AS department,
      coalesce(e."position", i."position") AS position, i.uses, i.uses_max AS "usesMax",
      i.mobile, CASE WHEN i.for_employee THEN e.phone IS NOT NULL ELSE i.mobile IS NOT NULL END AS sendable,
      CASE WHEN i.sms_sent = false THEN i.sms_reason ELSE '' END AS reason,
      e.id::text AS "employeeId", e.name AS "employeeName", a.nickname AS "createdBy",
      ${isoTime("i.created_at")} AS "createTime", ${isoTime("i.expires_at")} AS "expiresAt",
      coalesce((SELECT json_agg(r.name ORDER BY r.id) FROM invitation_roles ir JOIN roles r ON r.id = ir.role_id
        WHERE ir.invitation_id = i.id AND ir.company_id = ${company}), '[]') AS roles,
      coalesce((SELECT json_agg(p.name ORDER BY p.id) ${joined}), '[]') AS people
    ${from} ORDER BY ${order} LIMIT ${limit} OFFSET ${(cursor - 1) * limit}`);
  const [counted] = searchCount
    ? await scope.sql<{ n: number }>(sql`SELECT count(*)::int AS n ${from}`)
    : [];
  const records = rows.map(({ employeeId: id, employeeName: name, ...row }): InvitationRow => ({
    ...row,
    employee: id === null || name === null ? null : { id, name },
    link: `${config.BASE_PATH}/invite/${tokenOf(config.APP_SECRET, scope.companyId, row.id)}`,
  }));
  return { records, total: counted?.n ?? 0, cursor, limit };
}

/** @throws AppError request.not-found; request.conflict for one that does not open any more */
export async function revokeInvitation(scope: CompanyScope, id: string, now: Date): Promise<void> {
  // Waits for a person who is joining by it.
  const [was] = await scope.rows(invitations, eq(invitations.id, id)).for("update");
  if (was === undefined) throw notFound();
  try {
    refuseClosed(was, now);
  } catch (error) {
    throw conflict(
      `${AppError.from(error).details?.["why"] === "used" ? "该邀请已用完" : "该邀请已失效"}，无需撤回`,
    );
  }
  await scope.update(
    invitations,
    { revokedAt: now, revokedBy: scope.actor?.accountId ?? null },
    eq(invitations.id, id),
  );
  await audit(scope, { action: "revoke", entity: "invitation", entityId: id.slice(0, 6) });
}
