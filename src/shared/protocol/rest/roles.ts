/** Roles: their names, permissions, menus and people (docs/server.md#roles). What one's own roles show is in company.ts. */
import { z } from "../../zod.ts";
import {
  defineCall,
  hasNoNul,
  NUL_MESSAGE,
  pageQuerySchema,
  pageSchema,
  sortSchema,
} from "./call.ts";
import { versionSchema } from "./conflict.ts";
import { idSchema, menuEntrySchema } from "./entities.ts";

const READ = {
  company: "required",
  permissions: ["system:role:query", "system:role:edit"],
} as const;
const EDIT = { company: "required", permissions: ["system:role:edit"] } as const;

const name = z.string().trim().min(1).max(50).refine(hasNoNul, NUL_MESSAGE);
const remark = z.string().trim().max(500).refine(hasNoNul, NUL_MESSAGE);
const permission = z.string().max(100).refine(hasNoNul, NUL_MESSAGE);
const menuIds = z.array(idSchema).max(2000);
/** Most people who are given or lose a role by one call. */
export const ROLE_PEOPLE_MAX = 100;

export const roleRowSchema = z.object({
  id: idSchema,
  code: z.string(),
  name: z.string(),
  remark: z.string(),
  /** The administrator's role, which holds everything and cannot be deleted. */
  builtIn: z.boolean(),
  permissions: z.array(z.string()),
  /** Current employees with the role. */
  people: z.number().int(),
  version: versionSchema,
});
export type RoleRow = z.infer<typeof roleRowSchema>;

/** The role as it is now, in the refusal of a change of its menus that saw an older version. */
export const roleWithMenusSchema = roleRowSchema.extend({ menuIds });
export type RoleWithMenus = z.infer<typeof roleWithMenusSchema>;

const pairSchema = z.object({ roleId: idSchema, menuId: idSchema });

/**
 * The platform's own call for the menus of a role. Pairs as GET roleMenus answers them, and together all that the role shall have. The
 * console saves menus and permissions together (`roles.update`).
 */
export const saveRoleMenusCall = defineCall({
  id: "menus.saveRoleMenus",
  method: "POST",
  path: "/umc-rbac/api/v3/saveRoleMenuBatch",
  summary: "Replace the menus of a role of the company; answers the pairs as they are now",
  auth: "bearer",
  access: EDIT,
  touches: ["menus", "roles"],
  page: true,
  query: z.object({
    roleId: idSchema,
    /** The role's version that the writer saw. Left out: the menus are replaced whatever they are. */
    version: z.coerce.number<number | string>().pipe(versionSchema).optional(),
  }),
  /** roleId may be left out; a roleId that differs from the query's is refused. */
  body: z.array(z.object({ roleId: idSchema.optional(), menuId: idSchema })).max(2000),
  data: z.array(pairSchema),
});

const roleListCall = defineCall({
  id: "roles.list",
  method: "GET",
  path: "/system/role/list",
  summary: "A page of the company's roles with the number of people, by id",
  auth: "bearer",
  access: READ,
  shows: ["roles", "employees"],
  page: true,
  query: pageQuerySchema.extend({ sort: sortSchema("name", "people") }),
  data: pageSchema(roleRowSchema),
});

const roleCreateCall = defineCall({
  id: "roles.create",
  method: "POST",
  path: "/system/role",
  summary:
    "A new role without rights, or with the permissions and menus of another one that may do no more than the caller",
  auth: "bearer",
  access: EDIT,
  touches: ["roles"],
  page: true,
  body: z.object({
    name,
    remark: remark.optional(),
    /** The role whose rights the new one begins with. */
    fromId: idSchema.optional(),
  }),
  data: roleRowSchema,
});

const roleUpdateCall = defineCall({
  id: "roles.update",
  method: "PUT",
  path: "/system/role",
  summary:
    "Change a role, all at once; what is left out stays. Permissions are those that the caller holds. An older version is refused with both versions",
  auth: "bearer",
  access: EDIT,
  touches: ["roles", "menus"],
  page: true,
  body: z.object({
    id: idSchema,
    version: versionSchema,
    name: name.optional(),
    remark: remark.optional(),
    permissions: z.array(permission).max(500).optional(),
    /** All menu entries that the role shall have. */
    menuIds: menuIds.optional(),
  }),
  data: roleRowSchema,
});

const roleDeleteCall = defineCall({
  id: "roles.delete",
  method: "DELETE",
  path: "/system/role/{id}",
  summary: "Delete a role that no current employee has; the administrator's is refused",
  auth: "bearer",
  access: EDIT,
  touches: ["roles"],
  page: true,
  params: z.object({ id: idSchema }),
});

const rolePermissionsCall = defineCall({
  id: "roles.permissions",
  method: "GET",
  path: "/system/role/permissions",
  summary: "The permissions that calls ask for, by name, and whether the caller may give them",
  auth: "bearer",
  access: READ,
  shows: ["roles"],
  page: true,
  data: z.array(z.object({ name: z.string(), mine: z.boolean() })),
});

const menuTreeCall = defineCall({
  id: "menus.tree",
  method: "GET",
  path: "/system/menu/treeselect",
  summary: "All menu entries as a tree, from which a role's are chosen",
  auth: "bearer",
  access: READ,
  shows: ["menus"],
  page: true,
  data: z.array(menuEntrySchema),
});

const rolePeopleCall = defineCall({
  id: "roles.people",
  method: "GET",
  path: "/system/role/authUser/list",
  summary:
    "A page of current employees with an account who have the role, or who lack it; the keyword is part of a name or phone number",
  auth: "bearer",
  access: READ,
  shows: ["roles", "employees"],
  page: true,
  query: pageQuerySchema.extend({
    roleId: idSchema,
    assigned: z.enum(["true", "false"]).default("true"),
  }),
  data: pageSchema(
    z.object({
      /** Of the employee. */
      id: idSchema,
      accountId: idSchema,
      name: z.string(),
      /** Null for a reader who may not see employees. */
      phone: z.string().nullable(),
      department: z.string().nullable(),
    }),
  ),
});

const rolesHeldCall = defineCall({
  id: "roles.held",
  method: "GET",
  path: "/system/user/authRole/{id}",
  summary: "All roles of the company, and which of them an account that belongs to it has",
  auth: "bearer",
  access: READ,
  shows: ["roles"],
  page: true,
  params: z.object({ id: idSchema }),
  data: z.array(
    z.object({
      id: idSchema,
      name: z.string(),
      remark: z.string(),
      held: z.boolean(),
      /** Whether the caller may give and take it: it may do no more than they may. */
      mine: z.boolean(),
    }),
  ),
});

const people = z.object({
  roleId: idSchema,
  accountIds: z.array(idSchema).min(1).max(ROLE_PEOPLE_MAX),
});

const roleAssignCall = defineCall({
  id: "roles.assign",
  method: "PUT",
  path: "/system/role/authUser/selectAll",
  summary: "Give a role to people of the company, all or none",
  auth: "bearer",
  access: EDIT,
  touches: ["roles", "menus"],
  page: true,
  body: people,
});

const roleTakeCall = defineCall({
  id: "roles.take",
  method: "PUT",
  path: "/system/role/authUser/cancelAll",
  summary: "Take a role away from people, all or none; the last administrator keeps it",
  auth: "bearer",
  access: EDIT,
  touches: ["roles", "menus"],
  page: true,
  body: people,
});

export const roleCalls = {
  saveRoleMenus: saveRoleMenusCall,
  menuTree: menuTreeCall,
  roleList: roleListCall,
  roleCreate: roleCreateCall,
  roleUpdate: roleUpdateCall,
  roleDelete: roleDeleteCall,
  rolePermissions: rolePermissionsCall,
  rolePeople: rolePeopleCall,
  rolesHeld: rolesHeldCall,
  roleAssign: roleAssignCall,
  roleTake: roleTakeCall,
};
