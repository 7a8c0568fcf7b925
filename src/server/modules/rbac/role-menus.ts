/** The menus of a company's roles. role_menus has no company column; row-level security restricts it by its role. */
import { eq, sql } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import { staleError } from "../../../shared/protocol/rest/conflict.ts";
import { audit } from "../../base/audit/index.ts";
import { ADMIN_CODE } from "../../base/database/administrators.ts";
import { isId } from "../../base/database/ids.ts";
import { menus, roleMenus, roles } from "../../base/database/schema/base.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import type { Principal } from "../../base/module.ts";
import { lockRole } from "./roles.ts";

/** Entries that the administrator's role keeps, since rights could not be given back without them. */
const KEPT_BY_ADMIN = ["system", "system-role"];

/**
 * Prevents the deletion of the role until the transaction ends.
 *
 * @throws AppError request.not-found for a role of another company
 */
export async function requireRole(scope: CompanyScope, roleId: string): Promise<void> {
  const found = isId(roleId)
    ? await scope.select({ id: roles.id }, roles, eq(roles.id, roleId)).for("key share")
    : [];
  if (found.length === 0) throw new AppError("request.not-found");
}

/**
 * Pairs ordered by menu id.
 *
 * @param roleId a role that requireRole has checked
 */
export async function menusOfRole(
  scope: CompanyScope,
  roleId: string,
): Promise<{ roleId: string; menuId: string }[]> {
  const rows = await scope.sql<{ menuId: string }>(
    sql`SELECT menu_id::text AS "menuId" FROM ${roleMenus} WHERE role_id = ${roleId}::bigint ORDER BY menu_id`,
  );
  return rows.map(({ menuId }) => ({ roleId, menuId }));
}

/**
 * Replaces the menus of a role. Simultaneous saves run one after the other.
 *
 * @param role.version the version that the writer saw; undefined: any
 * @returns the pairs after the change
 * @throws AppError request.not-found for a role of another company, request.invalid for an unknown menu, auth.forbidden for a role
 *   that may do more than the caller, request.conflict for an older version, and where the administrator's role would lose the entry
 *   that leads to the roles
 */
export async function saveRoleMenus(
  scope: CompanyScope,
  principal: Principal,
  {
    roleId,
    version,
    menuIds,
  }: {
    readonly roleId: string;
    readonly version: number | undefined;
    readonly menuIds: readonly string[];
  },
): Promise<{ roleId: string; menuId: string }[]> {
  const role = await lockRole(scope, principal, roleId);
  const wanted = JSON.stringify([...new Set(menuIds)].filter(isId));
  const asked = sql`SELECT value::bigint FROM jsonb_array_elements_text(${wanted}::jsonb)`;
  const [known] = await scope.sql<{ n: number }>(
    sql`SELECT count(*)::int AS n FROM ${menus} WHERE id IN (${asked})`,
  );
  if (known?.n !== new Set(menuIds).size) {
    throw new AppError("request.invalid", { details: { fields: { menuId: "菜单不存在" } } });
  }
  const before = await menusOfRole(scope, roleId);
  if (version !== undefined && version !== role.version) {
    throw staleError({ version: role.version, menuIds: idsOf(before) }, { menuIds });
  }
  if (role.code === ADMIN_CODE) await requireKept(scope, menuIds);
  await scope.sql(
    sql`DELETE FROM ${roleMenus} WHERE role_id = ${roleId}::bigint AND menu_id NOT IN (${asked})`,
  );
  await scope.sql(
    sql`INSERT INTO ${roleMenus} (role_id, menu_id)
      SELECT ${roleId}::bigint, value FROM (${asked}) AS menu (value) ON CONFLICT DO NOTHING`,
  );
  const after = await menusOfRole(scope, roleId);
  if (idsOf(before).join() === idsOf(after).join()) return after;
  await scope.update(roles, { version: role.version + 1 }, eq(roles.id, roleId));
  await audit(scope, {
    action: "update",
    entity: "role-menus",
    entityId: roleId,
    before: { menuIds: idsOf(before) },
    after: { menuIds: idsOf(after) },
  });
  return after;
}

const idsOf = (pairs: readonly { readonly menuId: string }[]): string[] =>
  pairs.map((pair) => pair.menuId);

async function requireKept(scope: CompanyScope, menuIds: readonly string[]): Promise<void> {
  const rows = await scope.sql<{ id: string }>(
    sql`SELECT id::text AS id FROM ${menus} WHERE code = ANY(${sql.param(KEPT_BY_ADMIN)}::text[])`,
  );
  if (!rows.every(({ id }) => menuIds.includes(id))) {
    throw new AppError("request.conflict", { message: "管理员角色须保留“角色管理”菜单" });
  }
}
