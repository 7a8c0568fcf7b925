/** The menus of a company's roles. role_menus has no company column; row-level security restricts it by its role. */
import { eq, sql } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import { audit } from "../../base/audit/index.ts";
import { isId } from "../../base/database/ids.ts";
import { menus, roleMenus, roles } from "../../base/database/schema/base.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";

/**
 * @param strength update: locks the role against all changes until the transaction ends; key share: only prevents its deletion
 * @throws AppError request.not-found for a role of another company
 */
export async function requireRole(
  scope: CompanyScope,
  roleId: string,
  strength: "update" | "key share" = "key share",
): Promise<void> {
  const found = isId(roleId)
    ? await scope.select({ id: roles.id }, roles, eq(roles.id, roleId)).for(strength)
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
 * @returns the pairs after the change
 * @throws AppError request.not-found for a role of another company, request.invalid for an unknown menu
 */
export async function saveRoleMenus(
  scope: CompanyScope,
  roleId: string,
  menuIds: readonly string[],
): Promise<{ roleId: string; menuId: string }[]> {
  await requireRole(scope, roleId, "update");
  const wanted = JSON.stringify([...new Set(menuIds)].filter(isId));
  const asked = sql`SELECT value::bigint FROM jsonb_array_elements_text(${wanted}::jsonb)`;
  const [known] = await scope.sql<{ n: number }>(
    sql`SELECT count(*)::int AS n FROM ${menus} WHERE id IN (${asked})`,
  );
  if (known?.n !== new Set(menuIds).size) {
    throw new AppError("request.invalid", { details: { fields: { menuId: "菜单不存在" } } });
  }
  const before = await menusOfRole(scope, roleId);
  await scope.sql(
    sql`DELETE FROM ${roleMenus} WHERE role_id = ${roleId}::bigint AND menu_id NOT IN (${asked})`,
  );
  await scope.sql(
    sql`INSERT INTO ${roleMenus} (role_id, menu_id)
      SELECT ${roleId}::bigint, value FROM (${asked}) AS menu (value) ON CONFLICT DO NOTHING`,
  );
  const after = await menusOfRole(scope, roleId);
  const ids = (pairs: typeof after): string[] => pairs.map((pair) => pair.menuId);
  await audit(scope, {
    action: "update",
    entity: "role-menus",
    entityId: roleId,
    before: { menuIds: ids(before) },
    after: { menuIds: ids(after) },
  });
  return after;
}
