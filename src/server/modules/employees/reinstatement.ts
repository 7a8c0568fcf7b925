/** Brings back an employee who left (docs/server.md#reinstatement): the same record, and the rights that the administrator decides now. */
import { eq, sql } from "drizzle-orm";
import type { z } from "zod";
import { staleError } from "../../../shared/protocol/rest/conflict.ts";
import type { EmployeeDetail } from "../../../shared/protocol/rest/employee-schemas.ts";
import type { employeeReinstateCall } from "../../../shared/protocol/rest/employees.ts";
import { audit } from "../../base/audit/index.ts";
import { employees } from "../../base/database/schema/base.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import type { Principal } from "../../base/module.ts";
import { approvePending, refuseMember } from "./applies.ts";
import type { Concerns } from "./in-company.ts";
import { giveRoles, rolesToGive } from "./joiner-roles.ts";
import { conflict, employeeById, refuseTaken, unlessTaken } from "./rows.ts";
import { lockEmployee } from "./store.ts";

/**
 * A role of before the dismissal does not come back by itself: the account has the roles that are named, or that of staff.
 *
 * @param concerns called with the account that gets the company back
 * @throws AppError request.not-found; request.conflict for somebody who is employed, whose numbers or account another current employee
 *   has, and (with both versions) for a change of an older version; as rolesToGive
 */
export async function reinstateEmployee(
  scope: CompanyScope,
  principal: Principal,
  { id, version, withAccount, roleIds }: z.output<(typeof employeeReinstateCall)["body"]>,
  concerns: Concerns,
): Promise<EmployeeDetail> {
  const was = await lockEmployee(scope, id);
  if (was.dimissionAt === null) throw conflict("该员工已在职");
  if (was.version !== version) throw staleError(await employeeById(scope, id), { roleIds });
  await refuseTaken(scope, was, id);
  const accountId = withAccount ? was.accountId : null;
  if (accountId === null && roleIds.length > 0) throw conflict("没有账号的员工不能分配角色");
  if (accountId !== null) await refuseMember(scope, accountId);
  const wanted = await rolesToGive(scope, principal, roleIds);
  const left = { dimissionAt: null, dimissionReason: null, accountId };
  await unlessTaken(
    scope.update(employees, { ...left, updatedAt: sql`now()` }, eq(employees.id, id)),
  );
  const given =
    accountId === null ? [] : await giveRoles(scope, scope.companyId, accountId, wanted);
  if (accountId !== null) {
    await approvePending(scope, accountId, id);
    concerns(accountId);
  }
  await audit(scope, {
    action: "reinstate",
    entity: "employee",
    entityId: id,
    before: {
      dimissionAt: was.dimissionAt,
      dimissionReason: was.dimissionReason,
      ...(was.accountId === accountId ? {} : { accountId: was.accountId }),
    },
    after: {
      dimissionAt: null,
      dimissionReason: null,
      ...(was.accountId === accountId ? {} : { accountId }),
      roleIds: given,
    },
  });
  return employeeById(scope, id);
}
