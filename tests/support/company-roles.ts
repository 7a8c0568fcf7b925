/** The roles of a company as its administrator's REST calls have them: what each may do, and the pages that its entries lead to. */
import { restCalls } from "../../src/shared/protocol/rest/index.ts";
import type { MenuEntry } from "../../src/shared/protocol/rest/entities.ts";
import type { RoleRow } from "../../src/shared/protocol/rest/roles.ts";
import { leavesOf } from "./menus.ts";
import { type Ask, records, type Reply } from "./rest-caller.ts";

/** Every right of a role or of several: permissions, and the pages that entries lead to. */
export interface Rights {
  readonly permissions: readonly string[];
  readonly uris: readonly string[];
}
export interface Role extends Rights {
  readonly id: string;
  readonly code: string;
  readonly name: string;
}

export const ALL = "*:*:*";
const together = (lists: readonly (readonly string[])[]): string[] =>
  [...new Set(lists.flat())].toSorted();
/** The rights of a person with these roles. */
export const rightsOf = (roles: readonly Role[]): Rights => ({
  permissions: together(roles.map(({ permissions }) => permissions)),
  uris: together(roles.map(({ uris }) => uris)),
});

/** A company of the demo, changed by its administrator's REST calls. */
export interface Company {
  readonly id: string;
  ask(
    call: { readonly method: string; readonly path: string },
    json?: object,
    query?: string,
  ): Promise<unknown>;
}
export const answered = ({ status, data }: Reply): unknown => {
  if (status !== 200) throw new Error(`a call of the matrix was answered with ${status}`);
  return data;
};
export const companyOf = (id: string, ask: Ask): Company => ({
  id,
  ask: async ({ method, path }, json, query = "") =>
    answered(await ask(method, path + query, json, id)),
});

/** Every role of the company, with its rights and the pages that its entries lead to. */
export async function rolesOf({ ask }: Company): Promise<Role[]> {
  const tree = (await ask(restCalls.menuTree)) as MenuEntry[];
  const rows = records<RoleRow>({ status: 200, data: await ask(restCalls.roleList) });
  const roles: Role[] = [];
  for (const { id, code, name, permissions } of rows) {
    const pairs = (await ask(restCalls.roleMenus, undefined, `?roleId=${id}`)) as {
      menuId: string;
    }[];
    const menuIds = new Set(pairs.map(({ menuId }) => menuId));
    const uris = leavesOf(tree).flatMap((entry) => (menuIds.has(entry.id) ? [entry.uri] : []));
    roles.push({ id, code, name, permissions: permissions.toSorted(), uris: uris.toSorted() });
  }
  return roles;
}

/** Roles that the company makes: each has every entry, and of the permissions those that its name says. */
export const MADE: Readonly<Record<string, (permission: string) => boolean>> = {
  只读: (permission) => /:(list|query)$/.test(permission),
  只改: (permission) => !/:(list|query)$/.test(permission),
  仅菜单: () => false,
};
export async function makeRoles({ ask }: Company): Promise<void> {
  const idsOf = (entries: readonly MenuEntry[]): string[] =>
    entries.flatMap(({ id, childMenu }) => [id, ...idsOf(childMenu)]);
  const menuIds = idsOf((await ask(restCalls.menuTree)) as MenuEntry[]);
  const names = (await ask(restCalls.rolePermissions)) as { name: string }[];
  for (const [name, holds] of Object.entries(MADE)) {
    const { id, version } = (await ask(restCalls.roleCreate, { name })) as RoleRow;
    const permissions = names.map((one) => one.name).filter(holds);
    await ask(restCalls.roleUpdate, { id, version, permissions, menuIds });
  }
}
