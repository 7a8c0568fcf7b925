/** Roles of a company that are held fast until the transaction ends. */
import { eq } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import { isId } from "../../base/database/ids.ts";
import { roles } from "../../base/database/schema/base.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import type { Principal } from "../../base/module.ts";
import { requireAll } from "./rights.ts";

/** A role as the database holds it. */
export type StoredRole = typeof roles.$inferSelect;

/**
 * Prevents the deletion of the role until the transaction ends.
 *
 * @throws AppError request.not-found for a role of another company
 */
export async function requireRole(scope: CompanyScope, roleId: string): Promise<void> {
  const found = isId(roleId)
    ? await scope.select({ id: roles.id }, roles, eq(roles.id, roleId)).for("key share")
    : [];
  if (found.length === 0) throw new AppError("request.not-found");
}

/**
 * Locks a role until the transaction ends.
 *
 * @throws AppError request.not-found, auth.forbidden for a role that may do more than the caller
 */
export async function lockRole(
  scope: CompanyScope,
  principal: Principal,
  id: string,
): Promise<StoredRole> {
  const [was] = isId(id) ? await scope.rows(roles, eq(roles.id, id)).for("update") : [];
  if (was === undefined) throw new AppError("request.not-found");
  requireAll(principal, was.permissions);
  return was;
}
