/** Reads and writes refusals and invitations of jobs, and reads what mapping and checking need of a company. */
import { and, asc, eq, sql } from "drizzle-orm";
import { randomBytes } from "node:crypto";
import type { ImportContext, ImportRefusal } from "../../../shared/protocol/rest/imports.ts";
import type { ImportInvitationState } from "../../../shared/protocol/rest/invitations.ts";
import type { ServerConfig } from "../../base/config.ts";
import { isoTime } from "../../base/database/common.ts";
import { importRefusals } from "../../base/database/schema/imports.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { ownFields } from "../field-settings/own-fields.ts";
import { readFieldSettings } from "../field-settings/store.ts";
import { tokenOf } from "../employees/invites.ts";
import type { Outcome } from "./chunk.ts";
import { countOf } from "./jobs.ts";
import { array } from "./write.ts";

export interface PageOf {
  readonly cursor: number;
  readonly limit: number;
  readonly searchCount: boolean;
}

export async function keepRefusals(
  scope: CompanyScope,
  jobId: string,
  refusals: readonly ImportRefusal[],
): Promise<void> {
  if (refusals.length === 0) return;
  const column = (name: keyof ImportRefusal, type: string) =>
    array(
      refusals.map((one) => one[name]),
      type,
    );
  await scope.sql(sql`
    INSERT INTO import_refusals (job_id, company_id, row, field, message)
    SELECT ${jobId}::bigint, ${scope.companyId}::bigint, r.* FROM unnest(
      ${column("row", "int")}, ${column("field", "text")}, ${column("message", "text")}) AS r`);
}

export async function listRefusals(scope: CompanyScope, jobId: string, request: PageOf) {
  const records = await scope
    .select(
      { row: importRefusals.row, field: importRefusals.field, message: importRefusals.message },
      importRefusals,
      and(eq(importRefusals.jobId, jobId)),
    )
    .orderBy(asc(importRefusals.row), asc(importRefusals.id))
    .limit(request.limit)
    .offset((request.cursor - 1) * request.limit);
  const total = request.searchCount ? await countOf(scope, "import_refusals", jobId) : 0;
  return {
    records: records as ImportRefusal[],
    total,
    cursor: request.cursor,
    limit: request.limit,
  };
}

/** Creates an invitation for each employee that a chunk created. */
export async function inviteCreated(
  scope: CompanyScope,
  jobId: string,
  created: Outcome["created"],
  times: { readonly createdAt: Date; readonly expiresAt: Date },
): Promise<void> {
  if (created.length === 0) return;
  const ids = array(
    created.map(() => randomBytes(16).toString("base64url")),
    "text",
  );
  const column = (read: (one: Outcome["created"][number]) => unknown, type: string) =>
    array(created.map(read), type);
  await scope.sql(sql`
    WITH given AS (
      SELECT * FROM unnest(${ids}, ${column(({ row }) => row, "int")}, ${column(({ id }) => id, "bigint")},
        ${column(({ as }) => as.department, "text")}, ${column(({ as }) => as.position, "text")})
        AS g (id, row, employee_id, department, "position")
    ), made AS (
      INSERT INTO invitations (id, company_id, department, "position", created_by, created_at, expires_at,
        for_employee, employee_id)
      SELECT g.id, ${scope.companyId}::bigint, g.department, g."position",
        ${scope.actor?.accountId ?? null}::bigint, ${times.createdAt.toISOString()}::timestamptz,
        ${times.expiresAt.toISOString()}::timestamptz, true, g.employee_id
      FROM given g RETURNING id
    )
    INSERT INTO import_invitations (invitation_id, job_id, company_id, row, employee_id)
    SELECT g.id, ${jobId}::bigint, ${scope.companyId}::bigint, g.row, g.employee_id
    FROM given g JOIN made USING (id)`);
}

export async function listInvitations(
  scope: CompanyScope,
  jobId: string,
  config: Pick<ServerConfig, "APP_SECRET" | "BASE_PATH">,
  request: PageOf,
  now: Date,
) {
  const rows = await scope.sql<{
    row: number;
    employeeId: string;
    name: string;
    id: string;
    expiresAt: string;
    state: ImportInvitationState;
    reason: string;
  }>(sql`
    SELECT m.row, m.employee_id::text AS "employeeId", e.name, i.id,
      ${isoTime("i.expires_at")} AS "expiresAt", CASE
        WHEN i.revoked_at IS NOT NULL THEN 'revoked'
        WHEN i.uses >= i.uses_max THEN 'used'
        WHEN e.account_id IS NOT NULL THEN 'bound'
        WHEN i.expires_at <= ${now.toISOString()}::timestamptz THEN 'expired'
        WHEN i.opened_at IS NOT NULL THEN 'opened'
        WHEN i.sms_sent THEN 'sent'
        WHEN i.sms_sent = false THEN 'failed'
        WHEN e.phone IS NULL THEN 'noNumber'
        ELSE 'invited' END AS state,
      CASE WHEN i.sms_sent = false THEN i.sms_reason ELSE '' END AS reason
    FROM import_invitations m JOIN invitations i ON i.id = m.invitation_id
      JOIN employees e ON e.id = m.employee_id
    WHERE m.company_id = ${scope.companyId}::bigint AND m.job_id = ${jobId}::bigint
    ORDER BY m.row, i.id LIMIT ${request.limit} OFFSET ${(request.cursor - 1) * request.limit}`);
  const records = rows.map(({ id, ...rest }) => ({
    ...rest,
    link: `${config.BASE_PATH}/invite/${tokenOf(config.APP_SECRET, scope.companyId, id)}`,
  }));
  const total = request.searchCount ? await countOf(scope, "import_invitations", jobId) : 0;
  return { records, total, cursor: request.cursor, limit: request.limit };
}

const COMMON_DICTIONARIES = ["gender", "employee_status", "certificate_type"];

export async function contextOf(scope: CompanyScope): Promise<ImportContext> {
  const own = await ownFields(scope);
  const departments = await scope.sql<{ id: string; name: string }>(sql`
    WITH RECURSIVE tree AS (
      SELECT id, name, 1 AS depth FROM departments
      WHERE company_id = ${scope.companyId}::bigint AND parent_id IS NULL
      UNION ALL
      SELECT d.id, t.name || '/' || d.name, t.depth + 1
      FROM departments d JOIN tree t ON d.parent_id = t.id
      WHERE d.company_id = ${scope.companyId}::bigint AND t.depth < 20
    )
    SELECT id::text AS id, name FROM tree ORDER BY name, id`);
  const types = [...COMMON_DICTIONARIES, ...own.flatMap(({ dictType }) => dictType ?? [])];
  // The company's own entry wins over the platform's entry with the same value.
  const entries = await scope.sql<{ type: string; value: string; label: string }>(sql`
    SELECT type, value, label FROM (
      SELECT DISTINCT ON (dict_type, dict_value) dict_type AS type, dict_value AS value,
        dict_label AS label, dict_sort AS sort, status
      FROM dict_data
      WHERE dict_type = ANY(${array(types, "text")})
        AND (company_id IS NULL OR company_id = ${scope.companyId}::bigint)
      ORDER BY dict_type, dict_value, company_id NULLS LAST
    ) d WHERE status = '0' ORDER BY type, sort, value`);
  const dictionaries: ImportContext["dictionaries"] = Object.fromEntries(
    types.map((type) => [type, []]),
  );
  for (const { type, value, label } of entries) dictionaries[type]?.push({ value, label });
  const [company] = await scope.sql<{ name: string }>(
    sql`SELECT name FROM companies WHERE id = ${scope.companyId}::bigint`,
  );
  return {
    supplierId: scope.companyId,
    ...(company === undefined ? {} : { company: company.name }),
    ownFields: own.map(({ key, label, type, dictType, required }) => ({
      key,
      label,
      type,
      dictType,
      required,
    })),
    fields: (await readFieldSettings(scope, "employee")).fields,
    departments,
    dictionaries,
  };
}
