/** The departments of a company: tree, create, rename, move, order, merge, delete (docs/server.md#departments). */
import { and, eq, isNull, sql } from "drizzle-orm";
import { isWithin, placed } from "../../../shared/domain/department-tree.ts";
import { AppError } from "../../../shared/errors.ts";
import { staleError } from "../../../shared/protocol/rest/conflict.ts";
import type { Department } from "../../../shared/protocol/rest/departments.ts";
import { audit } from "../../base/audit/index.ts";
import { changes, isDuplicate } from "../../base/database/common.ts";
import { lockDepartments } from "../../base/database/department-lock.ts";
import { isId } from "../../base/database/ids.ts";
import { employees } from "../../base/database/schema/base.ts";
import { departments, invitations } from "../../base/database/schema/employees.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { moveAskedDocuments } from "./merged-documents.ts";
import { departmentById, find, readRows, refused, type Row, siblings } from "./rows.ts";

/** Most departments of a company, and most levels of their tree. */
export const DEPARTMENTS_MAX = 2000;
export const DEPTH_MAX = 10;

/** @throws AppError request.conflict where the tree would have too many levels */
function checkDepth(rows: readonly Row[]): void {
  if (placed(rows).some(({ depth }) => depth >= DEPTH_MAX)) {
    throw refused(`部门最多 ${DEPTH_MAX} 级`, "parentId");
  }
}

const taken = (): AppError => refused("上级部门下已有同名的部门", "name");
async function unlessTaken<R>(query: PromiseLike<R>): Promise<R> {
  try {
    return await query;
  } catch (error) {
    throw isDuplicate(error) ? taken() : error;
  }
}

const nextSort = (rows: readonly Row[], parentId: string | null): number =>
  1 + Math.max(-1, ...siblings(rows, parentId).map(({ sort }) => sort));

/**
 * Keeps the employee from leaving until the transaction ends.
 *
 * @throws AppError request.invalid unless the employee belongs to the company now
 */
async function requireHead(scope: CompanyScope, id: string): Promise<void> {
  const found = isId(id)
    ? await scope
        .select(
          { id: employees.id },
          employees,
          and(eq(employees.id, id), isNull(employees.dimissionAt)),
        )
        .for("share")
    : [];
  if (found.length > 0) return;
  throw new AppError("request.invalid", { details: { fields: { headId: "不是在职员工" } } });
}

/**
 * @throws AppError request.not-found for an unknown parent; request.conflict for a name that the parent has below it already;
 *   request.invalid for a head who is no current employee
 */
export async function createDepartment(
  scope: CompanyScope,
  {
    parentId,
    name,
    headId = null,
  }: {
    readonly parentId: string | null;
    readonly name: string;
    readonly headId?: string | null | undefined;
  },
): Promise<Department> {
  await lockDepartments(scope);
  const rows = await readRows(scope);
  if (parentId !== null) find(rows, parentId);
  if (rows.length >= DEPARTMENTS_MAX) throw refused(`部门最多 ${DEPARTMENTS_MAX} 个`);
  if (headId !== null) await requireHead(scope, headId);
  const sort = nextSort(rows, parentId);
  const [made] = await unlessTaken(
    scope.insert(departments, { parentId, name, sort, headId }).returning(),
  );
  if (made === undefined) throw new Error("an insert returned no row");
  checkDepth([...rows, made]);
  await audit(scope, {
    action: "create",
    entity: "department",
    entityId: made.id,
    after: { parentId, name, ...(headId === null ? {} : { headId }) },
  });
  return departmentById(scope, made.id);
}

/** Employees carry the name of their department beside its id: lists, searches and files read it. */
const renamePeople = (scope: CompanyScope, id: string, name: string): PromiseLike<unknown> =>
  scope.update(
    employees,
    { department: name, updatedAt: sql`now()` },
    eq(employees.departmentId, id),
  );

interface DepartmentUpdate {
  readonly id: string;
  readonly version: number;
  readonly name?: string | undefined;
  readonly parentId?: string | null | undefined;
  readonly beforeId?: string | null | undefined;
  readonly headId?: string | null | undefined;
}

/**
 * @throws AppError request.not-found; request.conflict with both versions for a change of an older one, for a taken name, for a
 *   parent that stands below the department, and for a place beside a department that stands elsewhere now; request.invalid for a head
 *   who is no current employee
 */
export async function updateDepartment(
  scope: CompanyScope,
  { id, version, beforeId, ...given }: DepartmentUpdate,
): Promise<Department> {
  await lockDepartments(scope);
  const rows = await readRows(scope);
  const was = find(rows, id);
  const { parentId, headId } = given;
  for (const other of [parentId, beforeId]) if (typeof other === "string") find(rows, other);
  if (was.version !== version) throw staleError(await departmentById(scope, id), given);
  if (typeof parentId === "string" && isWithin(rows, parentId, id)) {
    throw refused("不能移到自己或下级部门之下", "parentId");
  }
  if (typeof headId === "string" && headId !== was.headId) await requireHead(scope, headId);
  const change = changes<Pick<Row, "name" | "parentId" | "headId">>(was, given);
  const order =
    beforeId === undefined ? null : placedBefore(rows, { ...was, ...change?.after }, beforeId);
  if (change === null && order === null) return departmentById(scope, id);
  const next = {
    ...change?.after,
    ...(order !== null
      ? { sort: order.after.indexOf(id) }
      : change?.after.parentId === undefined
        ? {}
        : { sort: nextSort(rows, change.after.parentId) }),
    version: version + 1,
  };
  checkDepth(rows.map((row) => (row.id === id ? { ...row, ...next } : row)));
  await unlessTaken(scope.update(departments, next, eq(departments.id, id)));
  if (order !== null)
    await sortAs(
      scope,
      rows,
      order.after.filter((one) => one !== id),
      order.after,
    );
  if (change?.after.name !== undefined) await renamePeople(scope, id, change.after.name);
  const record = { entity: "department", entityId: id } as const;
  if (change !== null) await audit(scope, { action: "update", ...record, ...change });
  // A new parent is in the record already.
  else if (order !== null) {
    await audit(scope, {
      action: "order",
      ...record,
      before: { order: order.before },
      after: { order: order.after },
    });
  }
  return departmentById(scope, id);
}

/**
 * @param row as it will stand
 * @returns the ids below its parent before and after; null where nothing moves
 */
function placedBefore(
  rows: readonly Row[],
  { id, parentId }: Pick<Row, "id" | "parentId">,
  beforeId: string | null,
): { readonly before: readonly string[]; readonly after: readonly string[] } | null {
  const before = siblings(rows, parentId).map((row) => row.id);
  const others = before.filter((one) => one !== id);
  const at = beforeId === null ? others.length : others.indexOf(beforeId);
  if (at < 0) throw refused("目标位置刚刚变了，请重试", "beforeId");
  const after = others.toSpliced(at, 0, id);
  return after.join() === before.join() ? null : { before, after };
}

/** Gives departments the places that they have in `order`. */
async function sortAs(
  scope: CompanyScope,
  rows: readonly Row[],
  ids: readonly string[],
  order: readonly string[],
): Promise<void> {
  for (const id of ids) {
    const sort = order.indexOf(id);
    if (find(rows, id).sort === sort) continue;
    await scope.update(departments, { sort }, eq(departments.id, id));
  }
}

/** @throws AppError request.not-found */
export async function shiftDepartment(
  scope: CompanyScope,
  { id, to }: { readonly id: string; readonly to: "up" | "down" },
): Promise<void> {
  await lockDepartments(scope);
  const rows = await readRows(scope);
  const { parentId } = find(rows, id);
  const before = siblings(rows, parentId).map((row) => row.id);
  const at = before.indexOf(id);
  const other = before[at + (to === "up" ? -1 : 1)];
  if (other === undefined) return;
  const after = before.map((one) => (one === id ? other : one === other ? id : one));
  await sortAs(scope, rows, after, after);
  await audit(scope, {
    action: "order",
    entity: "department",
    entityId: id,
    before: { order: before },
    after: { order: after },
  });
}

/**
 * Moves the people and what is below into another department. A department below that has the name of one that is there already
 * becomes one with it.
 *
 * @throws AppError request.not-found; request.conflict for an older version, and for a target within the department
 */
export async function mergeDepartment(
  scope: CompanyScope,
  request: { readonly id: string; readonly version: number; readonly intoId: string },
): Promise<Department> {
  await lockDepartments(scope);
  const rows = await readRows(scope);
  const was = find(rows, request.id);
  find(rows, request.intoId);
  if (was.version !== request.version) {
    throw staleError(await departmentById(scope, request.id), { intoId: request.intoId });
  }
  if (isWithin(rows, request.intoId, request.id))
    throw refused("不能合并到自己或下级部门", "intoId");
  await mergeInto(scope, request.id, request.intoId);
  checkDepth(await readRows(scope));
  return departmentById(scope, request.intoId);
}

/** Who is invited to a department is invited to the one that it becomes. */
const moveInvitations = (scope: CompanyScope, id: string, intoId: string): Promise<unknown> =>
  scope.update(invitations, { departmentId: intoId }, eq(invitations.departmentId, id)).execute();

async function mergeInto(scope: CompanyScope, id: string, intoId: string): Promise<void> {
  // Before the department is locked: who is joining by an invitation holds it, and waits for the department.
  await moveInvitations(scope, id, intoId);
  // Waits for those who are just giving somebody this department, so that everyone moves.
  await scope.rows(departments, eq(departments.id, id)).for("update");
  const rows = await readRows(scope);
  const source = find(rows, id);
  const target = find(rows, intoId);
  for (const child of siblings(rows, id)) {
    const same = siblings(rows, intoId).find(({ name }) => name === child.name);
    // The source itself may have the name of its child.
    if (same !== undefined && same.id !== id) await mergeInto(scope, child.id, same.id);
  }
  const people = await scope
    .update(
      employees,
      { departmentId: intoId, department: target.name, updatedAt: sql`now()` },
      eq(employees.departmentId, id),
    )
    .returning({ id: employees.id });
  await moveInvitations(scope, id, intoId);
  const left = siblings(await readRows(scope), id);
  const clash = left.some(({ name }) => name === source.name) && source.parentId === intoId;
  // Below the same parent, the source would still hold the name that its child brings.
  if (clash) await scope.update(departments, { name: `${source.name}/` }, eq(departments.id, id));
  let sort = nextSort(rows, intoId);
  for (const child of left) {
    await scope.update(
      departments,
      { parentId: intoId, sort, version: child.version + 1 },
      eq(departments.id, child.id),
    );
    sort += 1;
  }
  await moveAskedDocuments(scope, id, intoId);
  await scope.remove(departments, eq(departments.id, id));
  await audit(scope, {
    action: "merge",
    entity: "department",
    entityId: id,
    before: { name: source.name, parentId: source.parentId },
    after: { intoId, people: people.length },
  });
}

/** @throws AppError request.not-found; request.conflict while people or departments are in it */
export async function deleteDepartment(scope: CompanyScope, id: string): Promise<void> {
  await lockDepartments(scope);
  const rows = await readRows(scope);
  const { name, parentId } = find(rows, id);
  if (siblings(rows, id).length > 0) throw refused("该部门还有下级部门，不能删除");
  await scope.rows(departments, eq(departments.id, id)).for("update");
  const { people } = await departmentById(scope, id);
  if (people > 0) throw refused(`该部门还有 ${people} 人，不能删除`);
  await scope.remove(departments, eq(departments.id, id));
  await audit(scope, {
    action: "delete",
    entity: "department",
    entityId: id,
    before: { name, parentId },
  });
}
