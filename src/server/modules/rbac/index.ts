/** Roles and menus: the menu tree of the roles that the caller holds in the current company. */
import { and, asc, eq, inArray } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import { getRoutersCall, roleMenusCall } from "../../../shared/protocol/rest/company.ts";
import type { MenuEntry } from "../../../shared/protocol/rest/entities.ts";
import { saveRoleMenusCall } from "../../../shared/protocol/rest/roles.ts";
import { menus, roleMenus } from "../../base/database/schema/base.ts";
import { holds, requireSupplier, route } from "../../base/http/route.ts";
import type { ServerDeps, ServerModule } from "../../base/module.ts";
import type { AccountStore } from "../accounts/store.ts";
import { menusOfRole, requireRole, saveRoleMenus } from "./role-menus.ts";

/** With this permission one sees every role of the company. */
const EDIT_ROLES = "system:role:edit";

type MenuRow = typeof menus.$inferSelect;

/**
 * The tree of the granted entries. An entry whose parent is not granted is left out.
 *
 * @param rows in the order that siblings should have (by `sort`, then id)
 */
export function menuTree(rows: readonly MenuRow[]): MenuEntry[] {
  const byParent = new Map<string | null, MenuRow[]>();
  for (const row of rows) {
    byParent.set(row.parentId, [...(byParent.get(row.parentId) ?? []), row]);
  }
  const children = (parent: string | null): MenuEntry[] =>
    (byParent.get(parent) ?? []).map((row) => ({
      id: row.id,
      code: row.code,
      name: row.name,
      icon: row.icon,
      uri: row.uri,
      hidden: row.hidden,
      elementProperties: row.elementProperties,
      childMenu: children(row.id),
    }));
  return children(null);
}

export function createRbacModule(
  deps: ServerDeps & { readonly accounts: Pick<AccountStore, "roles"> },
): ServerModule {
  const { db, tenants, accounts } = deps;
  return {
    name: "rbac",
    routes(app) {
      route(app, getRoutersCall, deps, async ({ body, principal }) => {
        const supplierId = requireSupplier(principal);
        const held = (await accounts.roles(principal.accountId)).filter(
          (role) => role.supplierId === supplierId && body.roleIds.includes(role.roleId),
        );
        if (held.length === 0) return [];
        const granted = db
          .selectDistinct({ id: roleMenus.menuId })
          .from(roleMenus)
          .where(
            inArray(
              roleMenus.roleId,
              held.map((role) => role.roleId),
            ),
          );
        const rows = await db
          .select()
          .from(menus)
          .where(and(inArray(menus.id, granted)))
          .orderBy(asc(menus.sort), asc(menus.id));
        return menuTree(
          rows.filter(
            ({ elementProperties: { systems } }) =>
              systems === undefined || systems.includes(body.systemName),
          ),
        );
      });

      route(app, roleMenusCall, deps, async ({ query, principal }) => {
        const held = await accounts.roles(principal.accountId);
        const { roleId } = query;
        if (principal.supplierId !== null && holds(principal, EDIT_ROLES)) {
          return tenants.run(principal.supplierId, principal, async (scope) => {
            await requireRole(scope, roleId);
            return menusOfRole(scope, roleId);
          });
        }
        // A role of another company and one that does not exist get the same answer.
        const here = held.some(
          (role) =>
            role.roleId === roleId &&
            (principal.supplierId === null || role.supplierId === principal.supplierId),
        );
        if (!here) throw new AppError("auth.forbidden");
        return db
          .select({ roleId: roleMenus.roleId, menuId: roleMenus.menuId })
          .from(roleMenus)
          .where(eq(roleMenus.roleId, roleId))
          .orderBy(asc(roleMenus.menuId));
      });

      route(app, saveRoleMenusCall, deps, ({ query: { roleId }, body, principal }) => {
        if (body.some((pair) => pair.roleId !== undefined && pair.roleId !== roleId)) {
          throw new AppError("request.invalid", {
            details: { fields: { roleId: "与地址中的角色不一致" } },
          });
        }
        const menuIds = body.map((pair) => pair.menuId);
        return tenants.run(requireSupplier(principal), principal, (scope) =>
          saveRoleMenus(scope, roleId, menuIds),
        );
      });
    },
  };
}
