/** Every company keeps an administrator (docs/server.md#roles). */
import { sql } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import type { CompanyScope } from "./tenant.ts";

/** Code of the administrator's role, which every company has. */
export const ADMIN_CODE = "admin";

/**
 * Call it after a change that removes an administrator, in the same transaction. Such changes run one after the other.
 *
 * @param accountId the person who left; without the administrator's role there is nothing to check
 * @param without an account that does not count, because it is about to be disabled
 * @throws AppError request.conflict when no current employee with an enabled account has the administrator's role any more
 */
export async function requireAdministrator(
  scope: CompanyScope,
  accountId: string | null = null,
  without: string | null = null,
): Promise<void> {
  const company = sql`r.company_id = ${scope.companyId}::bigint AND r.code = ${ADMIN_CODE}`;
  if (accountId !== null) {
    const [held] = await scope.sql(sql`
      SELECT 1 FROM roles r JOIN account_roles ar ON ar.role_id = r.id
      WHERE ${company} AND ar.account_id = ${accountId}::bigint`);
    if (held === undefined) return;
  }
  await scope.sql(sql`SELECT 1 FROM roles r WHERE ${company} FOR UPDATE`);
  const [left] = await scope.sql(sql`
    SELECT 1 FROM roles r JOIN account_roles ar ON ar.role_id = r.id
      JOIN employees e ON e.account_id = ar.account_id AND e.company_id = r.company_id AND e.dimission_at IS NULL
      JOIN accounts a ON a.id = ar.account_id AND a.disabled_at IS NULL
    WHERE ${company} AND ar.account_id IS DISTINCT FROM ${without}::bigint LIMIT 1`);
  if (left === undefined) {
    throw new AppError("request.conflict", { message: "企业至少要有一名管理员" });
  }
}
