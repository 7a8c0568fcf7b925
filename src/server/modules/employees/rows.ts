/** What creating and changing an employee have in common: the row, its unique numbers, the answers to a wrong request. */
import { and, inArray, isNull, sql } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import {
  type EmployeeFieldKey,
  employeeFields,
  employeeLabels,
} from "../../../shared/domain/employee-fields.ts";
import { readIdNumber } from "../../../shared/domain/validate.ts";
import type {
  EmployeeCreate,
  EmployeeDetail,
} from "../../../shared/protocol/rest/employee-schemas.ts";
import { isDuplicate } from "../../base/database/common.ts";
import { isId } from "../../base/database/ids.ts";
import { employees } from "../../base/database/schema/base.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import type { Checker, Custom } from "./check.ts";
import { DETAIL, type DetailRow } from "./fields.ts";

export type Fields = Record<string, string>;

export const notFound = (): AppError => new AppError("request.not-found");
export const invalid = (fields: Fields): AppError =>
  new AppError("request.invalid", { details: { fields } });
export const conflict = (message: string, fields: Fields = {}): AppError =>
  new AppError("request.conflict", { message, details: { fields } });

const LABELS = employeeLabels("zh");
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

type NewRow = Pick<typeof employees.$inferSelect, EmployeeFieldKey | "custom">;
const KEYS = employeeFields.map(({ key }) => key);
/**
 * The columns of an employee that has only what must be. It is parsed, because an object that is made property by property is a
 * hash table to the engine, and so is each copy: an import would take several times as long for each row.
 */
const EMPTY = JSON.parse(
  JSON.stringify({
    ...Object.fromEntries(employeeFields.map(({ key, fallback = null }) => [key, fallback])),
    custom: {},
  }),
) as NewRow;

/** The row of a new employee. */
export function rowOf(given: Omit<EmployeeCreate, "applyId">, checker: Checker): NewRow {
  const row: NewRow = { ...EMPTY };
  const values: Record<string, unknown> = row;
  for (const key of KEYS) {
    const value = given[key];
    if (value !== undefined && value !== null) values[key] = value;
  }
  if (typeof given.idNumber === "string") {
    const said = readIdNumber(given.idNumber);
    row.gender ??= said.gender;
    row.birthday ??= said.birthday;
  }
  Object.assign(row, checker.departmentOf(given, null));
  row.custom = kept(given.custom ?? {});
  return row;
}

type Unique = {
  readonly idNumber?: string | null | undefined;
  readonly employeeNo?: string | null | undefined;
};

/** Reports rows whose unique numbers are taken by another row or by a current employee. */
export async function findTaken(
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
export async function unlessTaken<R>(query: PromiseLike<R>): Promise<R> {
  try {
    return await query;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    throw conflict("身份证号、工号或账号已被其他在职员工使用");
  }
}

/** @throws AppError request.conflict when a current employee other than `exceptId` has one of the numbers */
export async function refuseTaken(
  scope: CompanyScope,
  given: Unique,
  exceptId: string | null,
): Promise<void> {
  const taken: Fields = {};
  await findTaken(scope, [given], (_, field, message) => (taken[field] = message), exceptId);
  const [first] = Object.keys(taken);
  if (first !== undefined) throw conflict(`${LABELS[first as EmployeeFieldKey]}${TAKEN}`, taken);
}
