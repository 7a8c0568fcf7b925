/**
 * Changes of an account that an administrator makes by its employee record. An account serves all companies of its person, so the
 * administrator of one of them must not change it for the others.
 */
import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import { ALL_PERMISSIONS } from "../../../shared/protocol/rest/call.ts";
import { isId } from "../../base/database/ids.ts";
import { employees } from "../../base/database/schema/base.ts";
import { requireSupplier } from "../../base/http/route.ts";
import type { Principal, ServerDeps } from "../../base/module.ts";

export interface OfEmployee {
  readonly accountId: string;
  /** All companies of the person. */
  readonly companyIds: readonly string[];
}

/**
 * @param employeeId of a current employee of the caller's company
 * @param texts.own refuses the caller's own account
 * @param texts.shared refuses a person of a company in which the caller lacks the permission
 * @throws AppError request.not-found, request.conflict, auth.forbidden
 */
export async function accountOfEmployee(
  { db, tenants }: Pick<ServerDeps, "db" | "tenants">,
  principal: Principal,
  employeeId: string,
  permission: string,
  texts: { readonly own: string; readonly shared: string },
): Promise<OfEmployee> {
  if (!isId(employeeId)) throw new AppError("request.not-found");
  const [employee] = await tenants.run(requireSupplier(principal), principal, (scope) =>
    scope
      .rows(employees, and(eq(employees.id, employeeId), isNotNull(employees.accountId)))
      .execute(),
  );
  const accountId = employee?.accountId ?? null;
  if (accountId === null || employee?.dimissionAt !== null) {
    throw new AppError("request.not-found");
  }
  if (accountId === principal.accountId) {
    throw new AppError("request.conflict", { message: texts.own });
  }
  const rows = await db
    .select({ companyId: employees.companyId })
    .from(employees)
    .where(and(eq(employees.accountId, accountId), isNull(employees.dimissionAt)));
  const companyIds = rows.map(({ companyId }) => companyId);
  const mayIn = (companyId: string): boolean =>
    principal.grants.some(
      ({ supplierId, permissions }) =>
        supplierId === companyId &&
        permissions.some((held) => held === permission || held === ALL_PERMISSIONS),
    );
  if (!companyIds.every(mayIn)) throw new AppError("auth.forbidden", { message: texts.shared });
  return { accountId, companyIds };
}
