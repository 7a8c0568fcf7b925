/** Roles and menus: the menu tree of the roles that the caller holds, and the roles of the company (docs/server.md#roles). */
import { asc, eq, inArray } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import { getRoutersCall, roleMenusCall } from "../../../shared/protocol/rest/company.ts";
import type { MenuEntry } from "../../../shared/protocol/rest/entities.ts";
import { roleCalls, saveRoleMenusCall } from "../../../shared/protocol/rest/roles.ts";
import { menus, roleMenus } from "../../base/database/schema/base.ts";
import { holds, requireSupplier, route } from "../../base/http/route.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import type { Principal, ServerDeps, ServerModule } from "../../base/module.ts";
import type { Access } from "../accounts/access.ts";
import type { AccountStore } from "../accounts/store.ts";
import { requireRole } from "./lock.ts";
import { permissionsIn, runsPlatform } from "./rights.ts";
import { isOfPlatform, menusOfRole, saveRoleMenus } from "./role-menus.ts";
import { assignRole, peopleOfRole, rolesHeld, takeRole } from "./role-people.ts";
import { createRole, deleteRole, listRoles, updateRole } from "./roles.ts";

/** With this permission one sees every role of the company. */
const EDIT_ROLES = "system:role:edit";
/** One of these shows the phone numbers of employees. */
const SEE_EMPLOYEES = ["supplier:employee:query", "supplier:employee:edit"];

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

/**
 * The roles that show each menu entry. A container shows with what is below it, although the role was given the entry alone.
 */
function withContainers(
  pairs: readonly { readonly menuId: string; readonly roleId: string }[],
  all: readonly Pick<MenuRow, "id" | "parentId">[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const parents = new Map(all.map(({ id, parentId }) => [id, parentId]));
  const shown = new Map<string, Set<string>>();
  for (const { menuId, roleId } of pairs) {
    for (let id: string | null = menuId; id !== null; id = parents.get(id) ?? null) {
      const roles = shown.get(id) ?? new Set<string>();
      shown.set(id, roles.add(roleId));
    }
  }
  return shown;
}

/** The entry also names the roles that the company gave it to, because clients compare its roles with those of the person. */
const shownTo = (row: MenuRow, codes: readonly string[]): MenuRow => {
  const { roles } = row.elementProperties;
  if (roles === undefined) return row;
  const all = [...new Set([...roles, ...codes])];
  return { ...row, elementProperties: { ...row.elementProperties, roles: all } };
};

export function createRbacModule(
  deps: ServerDeps & {
    readonly accounts: Pick<AccountStore, "roles">;
    readonly access: Pick<Access, "rightsChanged">;
  },
): ServerModule {
  const { db, tenants, accounts } = deps;
  const inCompany = <R>(principal: Principal, work: (scope: CompanyScope) => Promise<R>) =>
    tenants.run(requireSupplier(principal), principal, work);
  /** Work after which somebody may do less. What they began and may no longer do stops (docs/server.md#end-of-access). */
  async function takingRights<R>(
    principal: Principal,
    work: (scope: CompanyScope) => Promise<R>,
  ): Promise<R> {
    const result = await inCompany(principal, work);
    await deps.access.rightsChanged(requireSupplier(principal));
    return result;
  }
  return {
    name: "rbac",
    routes(app) {
      route(app, getRoutersCall, deps, async ({ body, principal }) => {
        const supplierId = requireSupplier(principal);
        const held = (await accounts.roles(principal.accountId)).filter(
          (role) => role.supplierId === supplierId && body.roleIds.includes(role.roleId),
        );
        if (held.length === 0) return [];
        const pairs = await db
          .select({ menuId: roleMenus.menuId, roleId: roleMenus.roleId })
          .from(roleMenus)
          .where(
            inArray(
              roleMenus.roleId,
              held.map((role) => role.roleId),
            ),
          );
        if (pairs.length === 0) return [];
        const all = await db.select().from(menus).orderBy(asc(menus.sort), asc(menus.id));
        const shown = withContainers(pairs, all);
        const codesOf = (menuId: string): string[] =>
          held.flatMap(({ roleId, roleCode = [] }) =>
            shown.get(menuId)?.has(roleId) === true ? roleCode : [],
          );
        return menuTree(
          all
            .filter(
              ({ id, elementProperties: { systems } }) =>
                shown.has(id) && (systems === undefined || systems.includes(body.systemName)),
            )
            .map((row) => shownTo(row, codesOf(row.id))),
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

      route(app, saveRoleMenusCall, deps, ({ query, body, principal }) => {
        const { roleId, version } = query;
        if (body.some((pair) => pair.roleId !== undefined && pair.roleId !== roleId)) {
          throw new AppError("request.invalid", {
            details: { fields: { roleId: "与地址中的角色不一致" } },
          });
        }
        const menuIds = body.map((pair) => pair.menuId);
        return inCompany(principal, (scope) =>
          saveRoleMenus(scope, principal, { roleId, version, menuIds }),
        );
      });
      // Fixed paths come before the path with an id, which would match them too.
      route(app, roleCalls.menuTree, deps, async ({ principal }) => {
        const all = await db.select().from(menus).orderBy(asc(menus.sort), asc(menus.id));
        const platform = await inCompany(principal, runsPlatform);
        return menuTree(platform ? all : all.filter((row) => !isOfPlatform(row)));
      });
      route(app, roleCalls.roleList, deps, ({ query, principal }) =>
        inCompany(principal, (scope) => listRoles(scope, query)),
      );
      route(app, roleCalls.rolePermissions, deps, ({ principal }) =>
        inCompany(principal, async (scope) =>
          (await permissionsIn(scope)).map((name) => ({ name, mine: holds(principal, name) })),
        ),
      );
      route(app, roleCalls.rolePeople, deps, ({ query, principal }) =>
        inCompany(principal, (scope) =>
          peopleOfRole(scope, { ...query, phones: holds(principal, ...SEE_EMPLOYEES) }),
        ),
      );
      route(app, roleCalls.rolesHeld, deps, ({ params, principal }) =>
        inCompany(principal, (scope) => rolesHeld(scope, principal, params.id)),
      );
      route(app, roleCalls.roleCreate, deps, ({ body, principal }) =>
        inCompany(principal, (scope) => createRole(scope, principal, body)),
      );
      route(app, roleCalls.roleUpdate, deps, ({ body, principal }) =>
        takingRights(principal, (scope) => updateRole(scope, principal, body)),
      );
      route(app, roleCalls.roleAssign, deps, async ({ body, principal }) => {
        await inCompany(principal, (scope) => assignRole(scope, principal, body));
        return null;
      });
      route(app, roleCalls.roleTake, deps, async ({ body, principal }) => {
        await takingRights(principal, (scope) => takeRole(scope, principal, body));
        return null;
      });
      route(app, roleCalls.roleDelete, deps, async ({ params, principal }) => {
        await inCompany(principal, (scope) => deleteRole(scope, principal, params.id));
        return null;
      });
    },
  };
}
