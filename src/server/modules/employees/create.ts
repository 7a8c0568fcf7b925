/** New employees: one, or many at once. The audit record is written in the same transaction. */
import type {
  EmployeeCreate,
  EmployeeDetail,
} from "../../../shared/protocol/rest/employee-schemas.ts";
import { audit } from "../../base/audit/index.ts";
import { employees } from "../../base/database/schema/base.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { markApproved, pendingApply, refuseMember } from "./applies.ts";
import { createChecker } from "./check.ts";
import type { Concerns } from "./in-company.ts";
import { giveRoles, rolesOfInvitation } from "./joiner-roles.ts";
import {
  employeeById,
  type Fields,
  findTaken,
  invalid,
  refuseTaken,
  rowOf,
  unlessTaken,
} from "./rows.ts";

/**
 * @param concerns called with the account of the application, which becomes a member
 * @throws AppError request.invalid, request.conflict; request.not-found for an application of another company
 */
export async function createEmployee(
  scope: CompanyScope,
  { applyId, ...given }: EmployeeCreate,
  concerns: Concerns,
): Promise<EmployeeDetail> {
  const wrong: Fields = {};
  const checker = await createChecker(scope, [given]);
  const refuse = (field: string, message: string) => (wrong[field] = message);
  checker.check(given, null, refuse);
  checker.demand(given, null, refuse);
  if (Object.keys(wrong).length > 0) throw invalid(wrong);
  await refuseTaken(scope, given, null);
  const apply = applyId === undefined ? null : await pendingApply(scope, applyId);
  const accountId = apply?.accountId ?? null;
  if (accountId !== null) await refuseMember(scope, accountId);
  const row = { ...rowOf(given, checker), accountId };
  const [made] = await unlessTaken(scope.insert(employees, row).returning({ id: employees.id }));
  const id = made?.id ?? "";
  if (apply !== null) {
    await markApproved(scope, apply.id, id);
    if (apply.accountId !== null) {
      const { companyId } = scope;
      const roleIds = await rolesOfInvitation(scope, companyId, apply.invitationId);
      await giveRoles(scope, companyId, apply.accountId, roleIds);
      concerns(apply.accountId);
    }
  }
  await audit(scope, { action: "create", entity: "employee", entityId: id, after: row });
  return employeeById(scope, id);
}

/**
 * Creates all rows or none.
 *
 * @returns ids in the order of the rows
 * @throws AppError request.invalid with errors by `row.field`
 */
export async function createEmployees(
  scope: CompanyScope,
  rows: readonly Omit<EmployeeCreate, "applyId">[],
): Promise<string[]> {
  const wrong: Fields = {};
  const checker = await createChecker(scope, rows);
  for (const [i, row] of rows.entries()) {
    const refuse = (field: string, message: string) => (wrong[`${i}.${field}`] = message);
    checker.check(row, null, refuse);
    checker.demand(row, null, refuse);
  }
  await findTaken(scope, rows, (i, field, message) => (wrong[`${i}.${field}`] = message));
  if (Object.keys(wrong).length > 0) throw invalid(wrong);
  const values = rows.map((row) => rowOf(row, checker));
  const made = await unlessTaken(scope.insert(employees, values).returning({ id: employees.id }));
  await audit(
    scope,
    ...made.map(({ id }, i) => ({
      action: "create",
      entity: "employee",
      entityId: id,
      ...(values[i] === undefined ? {} : { after: values[i] }),
    })),
  );
  return made.map(({ id }) => id);
}
