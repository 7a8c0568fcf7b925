/** The departments of a company as the database and the callers have them. */
import { and, count, inArray, isNull, sql } from "drizzle-orm";
import { placed, totals } from "../../../shared/domain/department-tree.ts";
import { AppError } from "../../../shared/errors.ts";
import type { Department } from "../../../shared/protocol/rest/departments.ts";
import { employees } from "../../base/database/schema/base.ts";
import { departments } from "../../base/database/schema/employees.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";

export type Row = typeof departments.$inferSelect;

export const refused = (message: string, field?: string): AppError =>
  new AppError("request.conflict", {
    message,
    ...(field === undefined ? {} : { details: { fields: { [field]: message } } }),
  });
const notFound = (): AppError => new AppError("request.not-found");

export const readRows = (scope: CompanyScope): Promise<Row[]> =>
  scope.rows(departments).orderBy(departments.sort, departments.id);

export const find = (rows: readonly Row[], id: string): Row => {
  const row = rows.find((one) => one.id === id);
  if (row === undefined) throw notFound();
  return row;
};
export const siblings = (rows: readonly Row[], parentId: string | null): Row[] =>
  rows.filter((row) => row.parentId === parentId);

/** In the order of the tree, each before those below it. */
export async function departmentTree(scope: CompanyScope): Promise<Department[]> {
  const rows = await readRows(scope);
  const counted = await scope
    .select(
      { id: employees.departmentId, n: count() },
      employees,
      and(isNull(employees.dimissionAt), sql`${employees.departmentId} IS NOT NULL`),
    )
    .groupBy(employees.departmentId);
  const people = new Map(counted.map(({ id, n }) => [id, n]));
  const headIds = rows.flatMap(({ headId }) => headId ?? []);
  const named =
    headIds.length === 0
      ? []
      : await scope.select(
          { id: employees.id, name: employees.name },
          employees,
          inArray(employees.id, headIds),
        );
  const heads = new Map(named.map((head) => [head.id, head]));
  const all = rows.map(({ id, parentId, name, version, headId }) => ({
    id,
    parentId,
    name,
    version,
    head: headId === null ? null : (heads.get(headId) ?? null),
    people: people.get(id) ?? 0,
  }));
  const sums = totals(all);
  return placed(all).map(({ row }) => ({ ...row, total: sums.get(row.id) ?? 0 }));
}

export async function departmentById(scope: CompanyScope, id: string): Promise<Department> {
  const row = (await departmentTree(scope)).find((one) => one.id === id);
  if (row === undefined) throw notFound();
  return row;
}
