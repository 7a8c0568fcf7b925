/** The roles of a new member: those that the invitation or the decision names, otherwise that of staff. */
import { and, eq, inArray, sql } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import { roleCalls } from "../../../shared/protocol/rest/roles.ts";
import type { Transaction } from "../../base/database/companies.ts";
import { accountRoles, roles } from "../../base/database/schema/base.ts";
import { holds } from "../../base/http/route.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import type { Principal } from "../../base/module.ts";
import { lockRole } from "../rbac/roles.ts";

const MAY_ASSIGN = roleCalls.roleAssign.access?.permissions ?? [];

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

/**
 * Replaces what the account holds in the company: a role of an earlier time does not come back with its person.
 *
 * @param wanted roles of the company; what is none of them any more is left out
 * @returns the roles that the account has now
 */
export async function giveRoles(
  tx: Transaction,
  companyId: string,
  accountId: string,
  wanted: readonly string[],
): Promise<readonly string[]> {
  const named =
    wanted.length === 0
      ? []
      : await tx
          .select({ id: roles.id })
          .from(roles)
          .where(and(eq(roles.companyId, companyId), inArray(roles.id, [...wanted])));
  const given =
    named.length > 0
      ? named
      : await tx
          .select({ id: roles.id })
          .from(roles)
          .where(and(eq(roles.companyId, companyId), eq(roles.code, "staff")));
  await tx
    .delete(accountRoles)
    .where(
      and(
        eq(accountRoles.accountId, accountId),
        sql`${accountRoles.roleId} IN (SELECT id FROM roles WHERE company_id = ${companyId}::bigint)`,
      ),
    );
  if (given.length > 0) {
    await tx.insert(accountRoles).values(given.map(({ id }) => ({ accountId, roleId: id })));
  }
  return given.map(({ id }) => id);
}
