/** Changes of existing employees. Each change writes its audit record in the same transaction of the company. */
import { and, eq, or, type SQL, sql } from "drizzle-orm";
import { staleError } from "../../../shared/protocol/rest/conflict.ts";
import type {
  EmployeeDetail,
  EmployeeUpdate,
} from "../../../shared/protocol/rest/employee-schemas.ts";
import { audit } from "../../base/audit/index.ts";
import { requireAdministrator } from "../../base/database/administrators.ts";
import { changes } from "../../base/database/common.ts";
import { lockDepartments } from "../../base/database/department-lock.ts";
import { isId } from "../../base/database/ids.ts";
import { employees } from "../../base/database/schema/base.ts";
import { inauguralDocuments, membershipApplies } from "../../base/database/schema/employees.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import type { Principal } from "../../base/module.ts";
import { approvePending, refuseMember } from "./applies.ts";
import { createChecker, type Custom } from "./check.ts";
import type { Concerns } from "./in-company.ts";
import { keepOrGiveStaff } from "./joiner-roles.ts";
import {
  conflict,
  employeeById,
  type Fields,
  invalid,
  kept,
  notFound,
  refuseTaken,
  unlessTaken,
} from "./rows.ts";

/** @throws AppError request.not-found */
export async function lockEmployee(scope: CompanyScope, id: string) {
  const [was] = isId(id) ? await scope.rows(employees, eq(employees.id, id)).for("update") : [];
  if (was === undefined) throw notFound();
  return was;
}

/** @throws AppError request.not-found, request.invalid, request.conflict (with both versions for a change of an older one) */
export async function updateEmployee(
  scope: CompanyScope,
  { id, version, ...given }: EmployeeUpdate,
): Promise<EmployeeDetail> {
  const was = await lockEmployee(scope, id);
  if (was.version !== version) throw staleError(await employeeById(scope, id), given);
  const wrong: Fields = {};
  const checker = await createChecker(scope, [given]);
  const refuse = (field: string, message: string) => (wrong[field] = message);
  checker.check(given, was, refuse);
  checker.demand(given, was, refuse);
  if (Object.keys(wrong).length > 0) throw invalid(wrong);
  if (was.dimissionAt === null) await refuseTaken(scope, given, id);
  const { custom, departmentId: _, ...plain } = given;
  const wanted: Record<string, unknown> = { ...plain, ...checker.departmentOf(given, was) };
  if (custom !== undefined) {
    const next = kept({ ...was.custom, ...custom });
    // Compare as text with sorted keys, because the order of keys may differ.
    if (JSON.stringify(sorted(next)) !== JSON.stringify(sorted(was.custom)))
      wanted["custom"] = next;
  }
  const change = changes(was as Record<string, unknown>, wanted);
  if (change === null) return employeeById(scope, id);
  await unlessTaken(
    scope.update(
      employees,
      { ...(change.after as Partial<typeof was>), updatedAt: sql`now()` },
      eq(employees.id, id),
    ),
  );
  await audit(scope, { action: "update", entity: "employee", entityId: id, ...change });
  return employeeById(scope, id);
}

const sorted = (custom: Custom): [string, string | number | null][] =>
  Object.entries(custom).sort(([a], [b]) => (a < b ? -1 : 1));

/**
 * Idempotent: a person who has already left keeps the first dimission.
 *
 * @param at the time used when no date is given
 * @param concerns called with the account that loses the company
 */
export async function dimissionEmployee(
  scope: CompanyScope,
  {
    id,
    dimissionDate,
    reason,
  }: { id: string; dimissionDate?: string | undefined; reason?: string | undefined },
  at: Date,
  concerns: Concerns,
): Promise<EmployeeDetail> {
  // A head of departments is none any more.
  await lockDepartments(scope);
  const was = await lockEmployee(scope, id);
  if (was.dimissionAt !== null) return employeeById(scope, id);
  if (scope.actor !== null && was.accountId === scope.actor.accountId) {
    throw conflict("不能为自己办理离职");
  }
  const day = dimissionDate === undefined ? at : new Date(`${dimissionDate}T00:00:00+08:00`);
  if (day.getTime() > at.getTime()) throw invalid({ dimissionDate: "不能晚于今天" });
  if (was.hireDate !== null && dimissionDate !== undefined && dimissionDate < was.hireDate) {
    throw invalid({ dimissionDate: "不能早于入职日期" });
  }
  const after = {
    dimissionAt: day,
    dimissionReason: reason === undefined || reason === "" ? null : reason,
  };
  await scope.update(employees, { ...after, updatedAt: sql`now()` }, eq(employees.id, id));
  if (was.accountId !== null) {
    await requireAdministrator(scope, was.accountId);
    concerns(was.accountId);
  }
  await audit(scope, {
    action: "dimission",
    entity: "employee",
    entityId: id,
    before: { dimissionAt: null },
    after,
  });
  return employeeById(scope, id);
}

/**
 * Removes an employee created by mistake. An employee with history cannot be removed.
 *
 * @throws AppError request.not-found, request.conflict
 */
export async function removeEmployee(scope: CompanyScope, id: string): Promise<void> {
  await lockDepartments(scope);
  const was = await lockEmployee(scope, id);
  const refuse = (why: string): never => {
    throw conflict(`${why}，不能删除，请办理离职`);
  };
  if (was.dimissionAt !== null) throw conflict("该员工已离职，记录须保留");
  if (was.accountId !== null) refuse("该员工已绑定账号");
  const [document] = await scope
    .select(
      { id: inauguralDocuments.id },
      inauguralDocuments,
      eq(inauguralDocuments.employeeId, id),
    )
    .limit(1);
  if (document !== undefined) refuse("该员工已有入职文件");
  await scope.remove(employees, eq(employees.id, id));
  const { name, employeeNo, idNumber } = was;
  await audit(scope, {
    action: "delete",
    entity: "employee",
    entityId: id,
    before: { name, employeeNo, idNumber },
  });
}

/**
 * Binding approves a pending application of the account, and makes the person staff, unless a role of before stays.
 *
 * @param concerns called with the accounts that lose and get the company
 * @throws AppError request.not-found for an account unrelated to the company, request.conflict (with both versions for a change of
 *   an older one)
 */
export async function bindAccount(
  scope: CompanyScope,
  principal: Principal,
  {
    employeeId,
    accountId,
    version,
  }: { employeeId: string; accountId: string | null; version: number },
  concerns: Concerns,
): Promise<EmployeeDetail> {
  const was = await lockEmployee(scope, employeeId);
  if (was.accountId === accountId) return employeeById(scope, employeeId);
  if (was.version !== version) {
    throw staleError(await employeeById(scope, employeeId), { accountId });
  }
  if (was.dimissionAt !== null) throw conflict("该员工已离职，不能绑定账号");
  if (scope.actor !== null && was.accountId === scope.actor.accountId) {
    throw conflict("不能解绑自己的账号");
  }
  if (accountId !== null && !(isId(accountId) && (await isKnown(scope, accountId))))
    throw notFound();
  if (accountId !== null) await refuseMember(scope, accountId);
  await unlessTaken(
    scope.update(employees, { accountId, updatedAt: sql`now()` }, eq(employees.id, employeeId)),
  );
  if (was.accountId !== null) await requireAdministrator(scope, was.accountId);
  if (accountId !== null) {
    await keepOrGiveStaff(scope, principal, accountId);
    await approvePending(scope, accountId, employeeId);
  }
  for (const account of [was.accountId, accountId]) if (account !== null) concerns(account);
  await audit(scope, {
    action: accountId === null ? "unbind" : "bind",
    entity: "employee",
    entityId: employeeId,
    before: { accountId: was.accountId },
    after: { accountId },
  });
  return employeeById(scope, employeeId);
}

/** Whether the account applied to the company or belonged to it. A person must not become a member without having asked. */
async function isKnown(scope: CompanyScope, accountId: string): Promise<boolean> {
  const by = (condition: SQL | undefined): SQL => condition ?? sql`true`;
  const [apply] = await scope
    .select(
      { id: membershipApplies.id },
      membershipApplies,
      by(
        and(
          eq(membershipApplies.accountId, accountId),
          or(eq(membershipApplies.status, "pending"), eq(membershipApplies.status, "approved")),
        ),
      ),
    )
    .limit(1);
  if (apply !== undefined) return true;
  const [bound] = await scope
    .select({ id: employees.id }, employees, eq(employees.accountId, accountId))
    .limit(1);
  if (bound !== undefined) return true;
  const [recorded] = await scope.sql(sql`
    SELECT 1 FROM audit_records WHERE company_id = ${scope.companyId}::bigint AND entity = 'employee'
      AND action = 'unbind' AND before->>'accountId' = ${accountId} LIMIT 1`);
  return recorded !== undefined;
}
