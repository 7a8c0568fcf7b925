/** The roles of a company: list, create, change, delete (docs/server.md#roles). */
import { randomUUID } from "node:crypto";
import { eq, type SQL, sql } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import { staleError } from "../../../shared/protocol/rest/conflict.ts";
import type { RoleRow } from "../../../shared/protocol/rest/roles.ts";
import { audit } from "../../base/audit/index.ts";
import { ADMIN_CODE } from "../../base/database/administrators.ts";
import { anywhere, changes, type Given, isDuplicate } from "../../base/database/common.ts";
import { roles } from "../../base/database/schema/base.ts";
import { orderBy } from "../../base/database/sorting.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import type { Principal } from "../../base/module.ts";
import { lockRole, type StoredRole } from "./lock.ts";
import { permissionsIn, requireAll } from "./rights.ts";
import { menuIdsOf, replaceMenus } from "./role-menus.ts";

/** Accounts that hold a role `r` now: a person who has left keeps the row, but not the role. */
const HOLDERS = sql`account_roles ar JOIN employees e ON e.account_id = ar.account_id
  AND e.company_id = r.company_id AND e.dimission_at IS NULL`;

type Row = RoleRow & Record<string, unknown>;
const COLUMNS = sql`r.id::text AS id, r.code, r.name, r.remark, r.permissions, r.version,
  r.code = ${ADMIN_CODE} AS "builtIn",
  (SELECT count(*)::int FROM ${HOLDERS} WHERE ar.role_id = r.id) AS people`;

const ofCompany = (scope: CompanyScope): SQL => sql`r.company_id = ${scope.companyId}::bigint`;
const taken = (): AppError =>
  new AppError("request.conflict", {
    message: "已有同名的角色",
    details: { fields: { name: "已有同名的角色" } },
  });

async function roleById(scope: CompanyScope, id: string): Promise<RoleRow> {
  const [row] = await scope.sql<Row>(
    sql`SELECT ${COLUMNS} FROM roles r WHERE ${ofCompany(scope)} AND r.id = ${id}::bigint`,
  );
  if (row === undefined) throw new AppError("request.not-found");
  return row;
}

export async function listRoles(
  scope: CompanyScope,
  { cursor, limit, searchCount, keyword = "", sort }: PageQuery,
): Promise<{ records: RoleRow[]; total: number; cursor: number; limit: number }> {
  const where =
    keyword === ""
      ? ofCompany(scope)
      : sql`${ofCompany(scope)} AND (r.name ILIKE ${anywhere(keyword)} OR r.remark ILIKE ${anywhere(keyword)})`;
  const order = orderBy(sort, { name: sql`r.name`, people: sql`people` }, sql`r.id`);
  const records = await scope.sql<Row>(
    sql`SELECT ${COLUMNS} FROM roles r WHERE ${where} ORDER BY ${order}
      LIMIT ${limit} OFFSET ${(cursor - 1) * limit}`,
  );
  const [counted] = searchCount
    ? await scope.sql<{ n: number }>(sql`SELECT count(*)::int AS n FROM roles r WHERE ${where}`)
    : [];
  return { records, total: counted?.n ?? 0, cursor, limit };
}

export interface PageQuery {
  readonly cursor: number;
  readonly limit: number;
  readonly searchCount: boolean;
  readonly keyword?: string | undefined;
  readonly sort?: "name" | "-name" | "people" | "-people" | undefined;
}

/** Converts the error when another role has the name. */
async function unlessTaken<R>(query: PromiseLike<R>): Promise<R> {
  try {
    return await query;
  } catch (error) {
    throw isDuplicate(error) ? taken() : error;
  }
}

/**
 * @param given.fromId the role whose permissions and menus the new one gets. A copy of the administrator's role holds each permission by
 *   its name, so that it can be narrowed; the company still has one administrator's role.
 * @throws AppError request.conflict when the company has a role of that name; request.not-found for a role of another company;
 *   auth.forbidden for one that may do more than the caller
 */
export async function createRole(
  scope: CompanyScope,
  principal: Principal,
  given: {
    readonly name: string;
    readonly remark?: string | undefined;
    readonly fromId?: string | undefined;
  },
): Promise<RoleRow> {
  const { name, remark = "", fromId } = given;
  const from = fromId === undefined ? null : await lockRole(scope, principal, fromId);
  const permissions =
    from === null ? [] : from.code === ADMIN_CODE ? await permissionsIn(scope) : from.permissions;
  // Menu entries name the codes of the roles that every company has; a random one is none of these.
  const code = `custom-${randomUUID()}`;
  const [made] = await unlessTaken(
    scope
      .insert(roles, { code, name, remark, permissions: [...permissions] })
      .returning({ id: roles.id }),
  );
  const id = made?.id ?? "";
  if (from !== null) {
    await scope.sql(
      sql`INSERT INTO role_menus (role_id, menu_id)
        SELECT ${id}::bigint, menu_id FROM role_menus WHERE role_id = ${from.id}::bigint`,
    );
  }
  await audit(scope, {
    action: "create",
    entity: "role",
    entityId: id,
    after: { name, remark, ...(from === null ? {} : { fromId: from.id, permissions }) },
  });
  return roleById(scope, id);
}

type RoleUpdate = { readonly id: string; readonly version: number } & Given<
  Pick<RoleRow, "name" | "remark" | "permissions"> & { menuIds: readonly string[] }
>;

/**
 * The permissions as they are stored, or undefined when the role holds just these.
 *
 * @throws AppError request.conflict for the administrator's role; request.invalid for unknown ones; auth.forbidden for those that the
 *   caller lacks
 */
async function newPermissions(
  scope: CompanyScope,
  principal: Principal,
  was: StoredRole,
  permissions: readonly string[],
): Promise<string[] | undefined> {
  if (was.code === ADMIN_CODE) {
    throw new AppError("request.conflict", { message: "管理员角色拥有全部权限，不能更改" });
  }
  const next = [...new Set(permissions)].toSorted();
  // A permission that only an earlier version knew stays until somebody removes it.
  const known = new Set([...(await permissionsIn(scope)), ...was.permissions]);
  if (!next.every((one) => known.has(one))) {
    throw new AppError("request.invalid", {
      details: { fields: { permissions: "没有这个权限" } },
    });
  }
  requireAll(principal, next);
  return next.join() === was.permissions.toSorted().join() ? undefined : next;
}

/**
 * Changes a role: all that is given, or nothing.
 *
 * @throws AppError request.conflict with both versions for a change of an older one, or for a name that is taken; auth.forbidden
 *   for permissions that the caller lacks; request.invalid for unknown permissions and menus; as replaceMenus
 */
export async function updateRole(
  scope: CompanyScope,
  principal: Principal,
  { id, version, permissions, menuIds, ...plain }: RoleUpdate,
): Promise<RoleRow> {
  const was = await lockRole(scope, principal, id);
  const given = {
    ...plain,
    ...(permissions === undefined ? {} : { permissions }),
    ...(menuIds === undefined ? {} : { menuIds }),
  };
  if (was.version !== version) {
    const theirs = await roleById(scope, id);
    const theirMenus = menuIds === undefined ? {} : { menuIds: await menuIdsOf(scope, id) };
    throw staleError({ ...theirs, ...theirMenus }, given);
  }
  const next =
    permissions === undefined
      ? undefined
      : await newPermissions(scope, principal, was, permissions);
  const change = changes(was, { ...plain, permissions: next });
  const menus =
    menuIds === undefined ? null : await replaceMenus(scope, was, { menuIds, field: "menuIds" });
  if (change !== null || menus !== null) {
    await unlessTaken(
      scope.update(roles, { ...change?.after, version: version + 1 }, eq(roles.id, id)),
    );
    await audit(scope, {
      action: "update",
      entity: "role",
      entityId: id,
      before: { ...change?.before, ...(menus === null ? {} : { menuIds: menus.before }) },
      after: { ...change?.after, ...(menus === null ? {} : { menuIds: menus.after }) },
    });
  }
  return roleById(scope, id);
}

/** @throws AppError request.conflict for the administrator's role, and for one that somebody has */
export async function deleteRole(
  scope: CompanyScope,
  principal: Principal,
  id: string,
): Promise<void> {
  const { code, name, permissions } = await lockRole(scope, principal, id);
  if (code === ADMIN_CODE) {
    throw new AppError("request.conflict", { message: "管理员角色不能删除" });
  }
  const { people } = await roleById(scope, id);
  if (people > 0) {
    throw new AppError("request.conflict", {
      message: `“${name}”还有 ${people} 人，请先移除人员再删除`,
    });
  }
  await scope.remove(roles, eq(roles.id, id));
  await audit(scope, {
    action: "delete",
    entity: "role",
    entityId: id,
    before: { name, permissions },
  });
}
