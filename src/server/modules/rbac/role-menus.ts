/** The menus of a company's roles. role_menus has no company column; row-level security restricts it by its role. */
import { eq, sql } from "drizzle-orm";
import { KEPT_BY_ADMIN } from "../../../shared/domain/role-rights.ts";
import { AppError } from "../../../shared/errors.ts";
import { staleError } from "../../../shared/protocol/rest/conflict.ts";
import { audit } from "../../base/audit/index.ts";
import { ADMIN_CODE } from "../../base/database/administrators.ts";
import { isId } from "../../base/database/ids.ts";
import { menus, roleMenus, roles } from "../../base/database/schema/base.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import type { Principal } from "../../base/module.ts";
import { lockRole, type StoredRole } from "./lock.ts";
import { runsPlatform } from "./rights.ts";

/** Whether only the company that runs the platform has the entry; its properties name roles of that company. */
export const isOfPlatform = ({ elementProperties }: typeof menus.$inferSelect): boolean =>
  "platformRoles" in elementProperties;

/**
 * The ids of the menu entries that a role has, in order.
 *
 * @param roleId a role that requireRole or lockRole has checked
 */
export async function menuIdsOf(scope: CompanyScope, roleId: string): Promise<string[]> {
  const rows = await scope.sql<{ menuId: string }>(
    sql`SELECT menu_id::text AS "menuId" FROM ${roleMenus} WHERE role_id = ${roleId}::bigint ORDER BY menu_id`,
  );
  return rows.map(({ menuId }) => menuId);
}

/** Pairs as the platform's calls answer them. */
export async function menusOfRole(
  scope: CompanyScope,
  roleId: string,
): Promise<{ roleId: string; menuId: string }[]> {
  const ids = await menuIdsOf(scope, roleId);
  return ids.map((menuId) => ({ roleId, menuId }));
}

/** What a role had, and what it has now. Null: it had just that. */
type MenuChange = { readonly before: readonly string[]; readonly after: readonly string[] };

/**
 * Replaces the menus of a role that the caller has locked. The caller raises its version and writes the audit record.
 *
 * @throws AppError request.invalid at `field` for an unknown menu, and for one of the platform in another company; request.conflict where the administrator's role would lose the entry
 *   that leads to the roles
 */
export async function replaceMenus(
  scope: CompanyScope,
  role: StoredRole,
  { menuIds, field }: { readonly menuIds: readonly string[]; readonly field: string },
): Promise<MenuChange | null> {
  const wanted = JSON.stringify([...new Set(menuIds)].filter(isId));
  const asked = sql`SELECT value::bigint FROM jsonb_array_elements_text(${wanted}::jsonb)`;
  const platform = await runsPlatform(scope);
  const [known] = await scope.sql<{ n: number }>(
    sql`SELECT count(*)::int AS n FROM ${menus}
      WHERE id IN (${asked}) AND (${platform} OR NOT jsonb_exists(element_properties, 'platformRoles'))`,
  );
  if (known?.n !== new Set(menuIds).size) {
    throw new AppError("request.invalid", { details: { fields: { [field]: "菜单不存在" } } });
  }
  if (role.code === ADMIN_CODE) await requireKept(scope, menuIds);
  const before = await menuIdsOf(scope, role.id);
  await scope.sql(
    sql`DELETE FROM ${roleMenus} WHERE role_id = ${role.id}::bigint AND menu_id NOT IN (${asked})`,
  );
  await scope.sql(
    sql`INSERT INTO ${roleMenus} (role_id, menu_id)
      SELECT ${role.id}::bigint, value FROM (${asked}) AS menu (value) ON CONFLICT DO NOTHING`,
  );
  const after = await menuIdsOf(scope, role.id);
  return before.join() === after.join() ? null : { before, after };
}

/**
 * Replaces the menus of a role and nothing else. Simultaneous saves run one after the other.
 *
 * @param wanted.version the version that the writer saw; undefined: any
 * @returns the pairs after the change
 * @throws AppError request.not-found for a role of another company, request.invalid for an unknown menu, auth.forbidden for a role
 *   that may do more than the caller, request.conflict for an older version, and where the administrator's role would lose the entry
 *   that leads to the roles
 */
export async function saveRoleMenus(
  scope: CompanyScope,
  principal: Principal,
  wanted: {
    readonly roleId: string;
    readonly version: number | undefined;
    readonly menuIds: readonly string[];
  },
): Promise<{ roleId: string; menuId: string }[]> {
  const { roleId, version, menuIds } = wanted;
  const role = await lockRole(scope, principal, roleId);
  if (version !== undefined && version !== role.version) {
    const theirs = { version: role.version, menuIds: await menuIdsOf(scope, roleId) };
    throw staleError(theirs, { menuIds });
  }
  const change = await replaceMenus(scope, role, { menuIds, field: "menuId" });
  if (change !== null) {
    await scope.update(roles, { version: role.version + 1 }, eq(roles.id, roleId));
    await audit(scope, {
      action: "update",
      entity: "role-menus",
      entityId: roleId,
      before: { menuIds: change.before },
      after: { menuIds: change.after },
    });
  }
  return menusOfRole(scope, roleId);
}

async function requireKept(scope: CompanyScope, menuIds: readonly string[]): Promise<void> {
  const rows = await scope.sql<{ id: string }>(
    sql`SELECT id::text AS id FROM ${menus} WHERE code = ANY(${sql.param([...KEPT_BY_ADMIN])}::text[])`,
  );
  if (!rows.every(({ id }) => menuIds.includes(id))) {
    throw new AppError("request.conflict", { message: "管理员角色须保留“角色管理”菜单" });
  }
}
