/** Who has a role: current employees of the company who are bound to an account (docs/server.md#roles). */
import { type SQL, sql } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import { audit } from "../../base/audit/index.ts";
import { ADMIN_CODE, requireAdministrator } from "../../base/database/administrators.ts";
import { anywhere } from "../../base/database/common.ts";
import { isId } from "../../base/database/ids.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import type { Principal } from "../../base/module.ts";
import { lockRole, requireRole } from "./lock.ts";
import { holdsAll } from "./rights.ts";
import type { PageQuery } from "./roles.ts";

interface Person extends Record<string, unknown> {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly phone: string | null;
  readonly department: string | null;
}

/**
 * @param request.phones whether the reader may see phone numbers, and so search by them
 * @throws AppError request.not-found for a role of another company
 */
export async function peopleOfRole(
  scope: CompanyScope,
  request: PageQuery & {
    readonly roleId: string;
    readonly assigned: "true" | "false";
    readonly phones: boolean;
  },
): Promise<{ records: Person[]; total: number; cursor: number; limit: number }> {
  const { roleId, assigned, phones, cursor, limit, keyword = "" } = request;
  await requireRole(scope, roleId);
  const like = anywhere(keyword);
  const found: SQL =
    keyword === ""
      ? sql``
      : phones
        ? sql`AND (e.name ILIKE ${like} OR e.phone LIKE ${like})`
        : sql`AND e.name ILIKE ${like}`;
  const from = sql`FROM employees e JOIN accounts a ON a.id = e.account_id AND a.disabled_at IS NULL
    WHERE e.company_id = ${scope.companyId}::bigint AND e.dimission_at IS NULL
      AND ${assigned === "true"}::boolean = EXISTS (
        SELECT FROM account_roles ar WHERE ar.role_id = ${roleId}::bigint AND ar.account_id = e.account_id)
      ${found}`;
  const records = await scope.sql<Person>(
    sql`SELECT e.id::text AS id, e.account_id::text AS "accountId", e.name,
        ${phones ? sql`e.phone` : sql`NULL::text AS phone`}, e.department
      ${from} ORDER BY e.id LIMIT ${limit} OFFSET ${(cursor - 1) * limit}`,
  );
  const [counted] = request.searchCount
    ? await scope.sql<{ n: number }>(sql`SELECT count(*)::int AS n ${from}`)
    : [];
  return { records, total: counted?.n ?? 0, cursor, limit };
}

/** @throws AppError request.not-found unless each account is bound to a current employee */
async function membersOnly(scope: CompanyScope, accountIds: readonly string[]): Promise<string[]> {
  const wanted = [...new Set(accountIds)];
  const rows = wanted.every(isId)
    ? await scope.sql<{ id: string }>(
        sql`SELECT account_id::text AS id FROM employees
          WHERE company_id = ${scope.companyId}::bigint AND dimission_at IS NULL
            AND account_id = ANY(${sql.param(wanted)}::bigint[])`,
      )
    : [];
  if (rows.length !== wanted.length) throw new AppError("request.not-found");
  return wanted;
}

interface HeldRole {
  readonly id: string;
  readonly name: string;
  readonly remark: string;
  readonly held: boolean;
  /** Whether the caller may give and take it. */
  readonly mine: boolean;
}

/** @throws AppError request.not-found unless the account is bound to a current employee */
export async function rolesHeld(
  scope: CompanyScope,
  principal: Principal,
  accountId: string,
): Promise<HeldRole[]> {
  await membersOnly(scope, [accountId]);
  const rows = await scope.sql<Omit<HeldRole, "mine"> & { readonly permissions: string[] }>(
    sql`SELECT r.id::text AS id, r.name, r.remark, r.permissions, EXISTS (
        SELECT FROM account_roles ar WHERE ar.role_id = r.id AND ar.account_id = ${accountId}::bigint) AS held
      FROM roles r WHERE r.company_id = ${scope.companyId}::bigint ORDER BY r.id`,
  );
  return rows.map(({ permissions, ...role }) => ({
    ...role,
    mine: holdsAll(principal, permissions),
  }));
}

interface Assignment {
  readonly roleId: string;
  readonly accountIds: readonly string[];
}

/** @throws AppError request.not-found; auth.forbidden for a role that may do more than the caller */
export async function assignRole(
  scope: CompanyScope,
  principal: Principal,
  { roleId, accountIds }: Assignment,
): Promise<void> {
  await lockRole(scope, principal, roleId);
  const wanted = await membersOnly(scope, accountIds);
  const given = await scope.sql<{ id: string }>(
    sql`INSERT INTO account_roles (account_id, role_id)
      SELECT id, ${roleId}::bigint FROM unnest(${sql.param(wanted)}::bigint[]) AS one (id)
      ON CONFLICT DO NOTHING RETURNING account_id::text AS id`,
  );
  await record(scope, "assign", roleId, given);
}

/** @throws AppError as assignRole, and request.conflict when nobody would be left as administrator */
export async function takeRole(
  scope: CompanyScope,
  principal: Principal,
  { roleId, accountIds }: Assignment,
): Promise<void> {
  const { code } = await lockRole(scope, principal, roleId);
  const wanted = await membersOnly(scope, accountIds);
  const taken = await scope.sql<{ id: string }>(
    sql`DELETE FROM account_roles WHERE role_id = ${roleId}::bigint
      AND account_id = ANY(${sql.param(wanted)}::bigint[]) RETURNING account_id::text AS id`,
  );
  if (code === ADMIN_CODE) await requireAdministrator(scope);
  await record(scope, "take", roleId, taken);
}

const record = async (
  scope: CompanyScope,
  action: "assign" | "take",
  roleId: string,
  changed: readonly { readonly id: string }[],
): Promise<void> => {
  if (changed.length === 0) return;
  const accountIds = changed.map(({ id }) => id);
  const key = action === "assign" ? "after" : "before";
  await audit(scope, { action, entity: "role-people", entityId: roleId, [key]: { accountIds } });
};
