/** New employees: one, or many at once. The audit record is written in the same transaction. */
import { eq, sql } from "drizzle-orm";
import type {
  EmployeeCreate,
  EmployeeDetail,
} from "../../../shared/protocol/rest/employee-schemas.ts";
import { audit } from "../../base/audit/index.ts";
import { isId } from "../../base/database/ids.ts";
import { employees } from "../../base/database/schema/base.ts";
import { membershipApplies } from "../../base/database/schema/employees.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { createChecker } from "./check.ts";
import {
  conflict,
  employeeById,
  type Fields,
  findTaken,
  invalid,
  notFound,
  refuseTaken,
  rowOf,
  unlessTaken,
} from "./rows.ts";

/** @throws AppError request.invalid, request.conflict; request.not-found for an application of another company */
export async function createEmployee(
  scope: CompanyScope,
  { applyId, ...given }: EmployeeCreate,
): Promise<EmployeeDetail> {
  const wrong: Fields = {};
  const checker = await createChecker(scope, [given]);
  checker.check(given, null, (field, message) => (wrong[field] = message));
  if (Object.keys(wrong).length > 0) throw invalid(wrong);
  await refuseTaken(scope, given, null);
  const apply = applyId === undefined ? null : await pendingApply(scope, applyId);
  const row = rowOf(given, checker);
  const [made] = await unlessTaken(scope.insert(employees, row).returning({ id: employees.id }));
  const id = made?.id ?? "";
  if (apply !== null) {
    await scope.update(
      membershipApplies,
      { status: "approved", employeeId: id, decidedAt: sql`now()` },
      eq(membershipApplies.id, apply.id),
    );
    await audit(scope, { action: "approve", entity: "membership-apply", entityId: apply.id });
  }
  await audit(scope, { action: "create", entity: "employee", entityId: id, after: row });
  return employeeById(scope, id);
}

async function pendingApply(scope: CompanyScope, id: string) {
  const [apply] = isId(id)
    ? await scope.rows(membershipApplies, eq(membershipApplies.id, id)).for("update")
    : [];
  if (apply === undefined) throw notFound();
  if (apply.status !== "pending") throw conflict("该申请已处理");
  return apply;
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
    checker.check(row, null, (field, message) => (wrong[`${i}.${field}`] = message));
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
