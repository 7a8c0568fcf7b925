/** The roles of a new member: those that the invitation or the decision names, otherwise that of staff. */
import { type SQL, sql } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import { roleCalls } from "../../../shared/protocol/rest/roles.ts";
import { holds } from "../../base/http/route.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import type { Principal } from "../../base/module.ts";
import { lockRole } from "../rbac/lock.ts";
import { holdsAll } from "../rbac/rights.ts";

const MAY_ASSIGN = roleCalls.roleAssign.access?.permissions ?? [];
/** The scope of a company, or a transaction outside of it. */
type Reader = Pick<CompanyScope, "sql">;

/**
 * The rules of giving a role to somebody who is a member already.
 *
 * @returns the roles, each once
 * @throws AppError request.not-found for a role of another company; auth.forbidden for a caller who may give no roles, and for a role
 *   that may do more than the caller
 */
export async function rolesToGive(
  scope: CompanyScope,
  principal: Principal,
  roleIds: readonly string[],
): Promise<readonly string[]> {
  const wanted = [...new Set(roleIds)];
  if (wanted.length > 0 && !holds(principal, ...MAY_ASSIGN)) throw new AppError("auth.forbidden");
  for (const id of wanted) await lockRole(scope, principal, id);
  return wanted;
}

/** The roles that an invitation names. */
export async function rolesOfInvitation(
  reader: Reader,
  companyId: string,
  invitationId: string | null,
): Promise<readonly string[]> {
  const rows = await reader.sql<{ id: string }>(
    sql`SELECT role_id::text AS id FROM invitation_roles
      WHERE company_id = ${companyId}::bigint AND invitation_id = ${invitationId}`,
  );
  return rows.map(({ id }) => id);
}

const ofCompany = (companyId: string): SQL =>
  sql`SELECT id FROM roles WHERE company_id = ${companyId}::bigint`;

/**
 * Replaces what the account holds in the company: a role of an earlier time does not come back with its person.
 *
 * @param wanted roles of the company; what is none of them any more is left out
 * @returns the roles that the account has now
 */
export async function giveRoles(
  reader: Reader,
  companyId: string,
  accountId: string,
  wanted: readonly string[],
): Promise<readonly string[]> {
  await reader.sql(
    sql`DELETE FROM account_roles WHERE account_id = ${accountId}::bigint AND role_id IN (${ofCompany(companyId)})`,
  );
  const named = await reader.sql<{ id: string }>(
    sql`SELECT id::text AS id FROM roles WHERE company_id = ${companyId}::bigint
      AND id = ANY(${sql.param([...wanted])}::bigint[])`,
  );
  const given =
    named.length > 0
      ? named
      : await reader.sql<{ id: string }>(
          sql`SELECT id::text AS id FROM roles WHERE company_id = ${companyId}::bigint AND code = 'staff'`,
        );
  const ids = given.map(({ id }) => id);
  await reader.sql(
    sql`INSERT INTO account_roles (account_id, role_id)
      SELECT ${accountId}::bigint, id FROM unnest(${sql.param(ids)}::bigint[]) AS one (id)`,
  );
  return ids;
}

/**
 * Roles of an account that is bound again. Those of before stay where the caller could give them; otherwise the person is staff.
 */
export async function keepOrGiveStaff(
  scope: CompanyScope,
  principal: Principal,
  accountId: string,
): Promise<void> {
  const held = await scope.sql<{ permissions: string[] }>(
    sql`SELECT r.permissions FROM account_roles ar JOIN roles r ON r.id = ar.role_id
      WHERE ar.account_id = ${accountId}::bigint AND r.company_id = ${scope.companyId}::bigint`,
  );
  const mayKeep =
    holds(principal, ...MAY_ASSIGN) &&
    held.every(({ permissions }) => holdsAll(principal, permissions));
  if (held.length > 0 && mayKeep) return;
  await giveRoles(scope, scope.companyId, accountId, []);
}
