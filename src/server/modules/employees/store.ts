/** Changes of employees. Each change writes its audit record in the same transaction of the company. */
import { and, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import { readIdNumber } from "../../../shared/domain/validate.ts";
import type {
  EmployeeCreate,
  EmployeeDetail,
  EmployeeUpdate,
} from "../../../shared/protocol/rest/employees.ts";
import { audit } from "../../base/audit/index.ts";
import { changes, isDuplicate } from "../../base/database/common.ts";
import { isId } from "../../base/database/ids.ts";
import { employees } from "../../base/database/schema/base.ts";
import { inauguralDocuments, membershipApplies } from "../../base/database/schema/employees.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { type Checker, createChecker, type Custom } from "./check.ts";
import { DETAIL, type DetailRow } from "./fields.ts";

type Fields = Record<string, string>;

const notFound = (): AppError => new AppError("request.not-found");
const invalid = (fields: Fields): AppError =>
  new AppError("request.invalid", { details: { fields } });
const conflict = (message: string, fields: Fields = {}): AppError =>
  new AppError("request.conflict", { message, details: { fields } });

const LABELS = { idNumber: "身份证号", employeeNo: "工号" } as const;
const TAKEN = "已有在职员工使用";

/** @throws AppError request.not-found */
export async function employeeById(scope: CompanyScope, id: string): Promise<EmployeeDetail> {
  const [row] = isId(id)
    ? await scope.sql<DetailRow>(sql`
        SELECT ${DETAIL} FROM employees e JOIN companies c ON c.id = e.company_id
          LEFT JOIN accounts a ON a.id = e.account_id
        WHERE e.company_id = ${scope.companyId}::bigint AND e.id = ${id}::bigint`)
    : [];
  if (row === undefined) throw notFound();
  return row;
}

/** Empty values of own fields are not stored. */
export const kept = (custom: Custom): Custom =>
  Object.fromEntries(Object.entries(custom).filter(([, value]) => value !== null && value !== ""));

/** The row of a new employee. */
export function rowOf(given: Omit<EmployeeCreate, "applyId">, checker: Checker) {
  const said = typeof given.idNumber === "string" ? readIdNumber(given.idNumber) : null;
  const departmentId = given.departmentId ?? null;
  return {
    name: given.name,
    phone: given.phone ?? null,
    departmentId,
    department:
      (departmentId === null ? given.department : checker.departmentName(departmentId)) ?? null,
    position: given.position ?? null,
    employeeNo: given.employeeNo ?? null,
    gender: given.gender ?? said?.gender ?? null,
    idNumber: given.idNumber ?? null,
    birthday: given.birthday ?? said?.birthday ?? null,
    email: given.email ?? null,
    hireDate: given.hireDate ?? null,
    status: given.status ?? "on",
    certificateType: given.certificateType ?? null,
    certificateNo: given.certificateNo ?? null,
    certificateExpiry: given.certificateExpiry ?? null,
    emergencyContact: given.emergencyContact ?? null,
    emergencyPhone: given.emergencyPhone ?? null,
    remark: given.remark ?? "",
    custom: kept(given.custom ?? {}),
  };
}

type Unique = {
  readonly idNumber?: string | null | undefined;
  readonly employeeNo?: string | null | undefined;
};

/** Reports rows whose unique numbers are taken by another row or by a current employee. */
async function findTaken(
  scope: CompanyScope,
  rows: readonly Unique[],
  refuse: (row: number, field: keyof Unique, message: string) => void,
  exceptId: string | null = null,
): Promise<void> {
  for (const field of ["idNumber", "employeeNo"] as const) {
    const at = new Map<string, number>();
    for (const [i, row] of rows.entries()) {
      const value = row[field];
      if (typeof value !== "string") continue;
      const first = at.get(value);
      if (first === undefined) at.set(value, i);
      else refuse(i, field, `与第${first + 1}行重复`);
    }
    if (at.size === 0) continue;
    const column = employees[field];
    const found = await scope.select(
      { id: employees.id, value: column },
      employees,
      and(isNull(employees.dimissionAt), inArray(column, [...at.keys()])),
    );
    for (const { id, value } of found) {
      const row = at.get(value ?? "");
      if (row !== undefined && id !== exceptId) refuse(row, field, TAKEN);
    }
  }
}

/** Converts the error when another transaction took the number between the check and the write. */
async function unlessTaken<R>(query: PromiseLike<R>): Promise<R> {
  try {
    return await query;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    throw conflict("身份证号、工号或账号已被其他在职员工使用");
  }
}

/** @throws AppError request.invalid, request.conflict; request.not-found for an application of another company */
export async function createEmployee(
  scope: CompanyScope,
  { applyId, ...given }: EmployeeCreate,
): Promise<EmployeeDetail> {
  const wrong: Fields = {};
  const checker = await createChecker(scope, [given]);
  checker.check(given, true, (field, message) => (wrong[field] = message));
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

async function refuseTaken(
  scope: CompanyScope,
  given: Unique,
  exceptId: string | null,
): Promise<void> {
  const taken: Fields = {};
  await findTaken(scope, [given], (_, field, message) => (taken[field] = message), exceptId);
  const [first] = Object.keys(taken);
  if (first !== undefined) throw conflict(`${LABELS[first as keyof typeof LABELS]}${TAKEN}`, taken);
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
    checker.check(row, true, (field, message) => (wrong[`${i}.${field}`] = message));
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

async function lockEmployee(scope: CompanyScope, id: string) {
  const [was] = isId(id) ? await scope.rows(employees, eq(employees.id, id)).for("update") : [];
  if (was === undefined) throw notFound();
  return was;
}

/** @throws AppError request.not-found, request.invalid, request.conflict */
export async function updateEmployee(
  scope: CompanyScope,
  { id, ...given }: EmployeeUpdate,
): Promise<EmployeeDetail> {
  const was = await lockEmployee(scope, id);
  const wrong: Fields = {};
  const checker = await createChecker(scope, [given]);
  checker.check(given, false, (field, message) => (wrong[field] = message));
  if (Object.keys(wrong).length > 0) throw invalid(wrong);
  if (was.dimissionAt === null) await refuseTaken(scope, given, id);
  const { custom, departmentId, ...plain } = given;
  const wanted: Record<string, unknown> = { ...plain };
  if (typeof departmentId === "string") {
    wanted["departmentId"] = departmentId;
    wanted["department"] = checker.departmentName(departmentId);
  } else if (
    departmentId === null ||
    (given.department !== undefined && given.department !== was.department)
  ) {
    wanted["departmentId"] = null;
  }
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
 */
export async function dimissionEmployee(
  scope: CompanyScope,
  {
    id,
    dimissionDate,
    reason,
  }: { id: string; dimissionDate?: string | undefined; reason?: string | undefined },
  at: Date,
): Promise<EmployeeDetail> {
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

/** @throws AppError request.not-found for an account unrelated to the company, request.conflict */
export async function bindAccount(
  scope: CompanyScope,
  { employeeId, accountId }: { employeeId: string; accountId: string | null },
): Promise<EmployeeDetail> {
  const was = await lockEmployee(scope, employeeId);
  if (was.accountId === accountId) return employeeById(scope, employeeId);
  if (was.dimissionAt !== null) throw conflict("该员工已离职，不能绑定账号");
  if (scope.actor !== null && was.accountId === scope.actor.accountId) {
    throw conflict("不能解绑自己的账号");
  }
  if (accountId !== null && !(isId(accountId) && (await isKnown(scope, accountId))))
    throw notFound();
  await unlessTaken(
    scope.update(employees, { accountId, updatedAt: sql`now()` }, eq(employees.id, employeeId)),
  );
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
  const by = (of: SQL | undefined): SQL => of ?? sql`true`;
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
