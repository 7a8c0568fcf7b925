/** Memberships, staff and menus (docs/session.md#user-info). */
import { z } from "../../zod.ts";
import { defineCall, pageQuerySchema, pageSchema, sortSchema } from "./call.ts";
import { customValuesSchema, employeeSchema, idSchema, menuEntrySchema } from "./entities.ts";
import { filterTextSchema } from "./filter.ts";

/** Employee list used for membership: the account's own rows over all its companies, or one company's for its staff. */
export const employeesCall = defineCall({
  id: "employees.memberships",
  method: "GET",
  path: "/scm-supplier/api/sec/employees",
  summary: "Employees by account or company; without supplierId only the caller's own account",
  auth: "bearer",
  access: { company: "optional", guests: true },
  shows: ["employees"],
  query: pageQuerySchema.extend({
    accountId: idSchema.optional(),
    supplierId: idSchema.optional(),
    descParameter: z.string().max(32).optional(),
  }),
  data: pageSchema(employeeSchema),
});

export const employeeListCall = defineCall({
  id: "employees.list",
  method: "GET",
  path: "/scm-supplier/api/sec/employees/list",
  summary: "Employees of the company named by the supplier-id header",
  auth: "bearer",
  access: { company: "required" },
  shows: ["employees", "documents"],
  page: true,
  query: pageQuerySchema.extend({
    sort: sortSchema("name", "phone", "department", "position"),
    /** Needs a permission to read all data of the employees, since it could find what the list does not show. */
    filter: filterTextSchema.optional(),
    /** Employees of this department, and of those below it. */
    departmentId: idSchema.optional(),
  }),
  data: pageSchema(
    employeeSchema.extend({
      /** Values of the company's own fields, for those who may read all data of the employees. */
      custom: customValuesSchema.optional(),
      /** Titles of the required documents that the employee lacks; null: none. For the same people. */
      lacked: z.string().nullish(),
    }),
  ),
});

/**
 * Role ids in, the tree of menu entries out (docs/session.md#menus). The platform's "menu call with roleIds" (a
 * tree in data.data with code 0, path not shown) is this call: `data` of the envelope, which axios holds in its own `data`.
 */
export const getRoutersCall = defineCall({
  id: "menus.routers",
  method: "POST",
  path: "/umc-rbac/api/v3/roleMenu/getRouters",
  summary: "The menu tree of a set of roles that the caller holds in the current company",
  auth: "bearer",
  access: { company: "required", guests: true },
  shows: ["menus"],
  body: z.object({
    roleIds: z.array(idSchema).max(100),
    systemName: z.string().max(64),
  }),
  data: z.array(menuEntrySchema),
});

export const roleMenusCall = defineCall({
  id: "menus.roleMenus",
  method: "GET",
  path: "/umc-rbac/api/roleMenus",
  summary:
    "The role-menu pairs of a role: one that the caller holds, with system:role:edit any of the company",
  auth: "bearer",
  access: { company: "optional" },
  shows: ["menus"],
  page: true,
  query: z.object({ roleId: idSchema }),
  data: z.array(z.object({ roleId: idSchema, menuId: idSchema })),
});

export const companyCalls = {
  employees: employeesCall,
  employeeList: employeeListCall,
};

export const menuCalls = {
  getRouters: getRoutersCall,
  roleMenus: roleMenusCall,
};
