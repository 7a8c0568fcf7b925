/**
 * Employees: staff of the company in the supplier-id header. The platform's specification shows paths alone; bodies and answers are
 * the natural shapes. Calls that show or change more than the plain list need a permission of supplier:employee.
 */
import { z } from "../../zod.ts";
import { defineCall, pageQuerySchema, pageSchema, sortSchema } from "./call.ts";
import { versionSchema } from "./conflict.ts";
import {
  daySchema,
  employeeCreateSchema,
  employeeDetailSchema,
  employeeUpdateSchema,
  textOf,
} from "./employee-schemas.ts";
import { idSchema } from "./entities.ts";
import { filterGroupSchema } from "./filter.ts";

const PREFIX = "/scm-supplier/api";
const read = {
  company: "required",
  permissions: ["supplier:employee:query", "supplier:employee:edit"],
} as const;
const edit = { company: "required", permissions: ["supplier:employee:edit"] } as const;
export const employeeDimissionListCall = defineCall({
  id: "employees.dimissionList",
  method: "GET",
  path: `${PREFIX}/sec/employees/dimission`,
  summary: "Those who have left the company",
  auth: "bearer",
  access: read,
  shows: ["employees"],
  page: true,
  query: pageQuerySchema.extend({
    sort: sortSchema("name", "employeeNo", "phone", "department", "position", "dimissionDate"),
  }),
  data: pageSchema(employeeDetailSchema),
});

export const employeeGetCall = defineCall({
  id: "employees.get",
  record: "params.id",
  method: "GET",
  path: `${PREFIX}/sec/employee/{id}`,
  summary: "An employee of the company, employed or not",
  auth: "bearer",
  access: read,
  shows: ["employees"],
  page: true,
  params: z.object({ id: idSchema }),
  data: employeeDetailSchema,
});

export const employeeCreateCall = defineCall({
  id: "employees.create",
  method: "POST",
  path: `${PREFIX}/sec/employee`,
  summary:
    "Takes on an employee; id card number and employee number are one's own among the employed",
  auth: "bearer",
  access: edit,
  touches: ["employees", "applies"],
  page: true,
  body: employeeCreateSchema,
  data: employeeDetailSchema,
});

export const MAX_BULK = 1000;
export const employeeCreateManyCall = defineCall({
  id: "employees.createMany",
  method: "POST",
  path: `${PREFIX}/sec/employees`,
  summary: "Takes on up to 1000 employees, all or none; errors are named `row.field`, rows from 0",
  auth: "bearer",
  access: edit,
  touches: ["employees"],
  bodyLimit: 4 * 1024 * 1024,
  body: z
    .array(employeeCreateSchema.omit({ applyId: true }))
    .min(1)
    .max(MAX_BULK),
  data: z.object({ ids: z.array(idSchema) }),
});

export const employeeDeleteCall = defineCall({
  id: "employees.delete",
  method: "DELETE",
  path: `${PREFIX}/sec/employee/{id}`,
  summary:
    "Removes a record that was made by mistake. One with history (an account, documents, a dimission) is refused: use dimission",
  auth: "bearer",
  access: edit,
  touches: ["employees"],
  page: true,
  params: z.object({ id: idSchema }),
});

const updateParts = {
  method: "PUT",
  auth: "bearer",
  access: edit,
  touches: ["employees"],
  body: employeeUpdateSchema,
  data: employeeDetailSchema,
} as const;
export const employeeUpdateCall = defineCall({
  ...updateParts,
  id: "employees.update",
  record: "body.id",
  page: true,
  path: `${PREFIX}/sec/employee`,
  summary: "Changes the fields that are given",
});
export const employeeUpdateV3Call = defineCall({
  ...updateParts,
  id: "employees.updateV3",
  path: `${PREFIX}/v3/sec/update`,
  summary: "As employees.update",
});

const dimissionParts = {
  method: "PUT",
  auth: "bearer",
  access: edit,
  touches: ["employees"],
  body: z.object({
    id: idSchema,
    /** Defaults to today; may not be later. */
    dimissionDate: daySchema.optional(),
    reason: textOf(200).optional(),
  }),
  data: employeeDetailSchema,
} as const;
export const employeeDimissionCall = defineCall({
  ...dimissionParts,
  id: "employees.dimission",
  path: `${PREFIX}/sec/employee/dimission`,
  page: true,
  summary:
    "The employee leaves and is no member any more. Once done it stays as it is, the answer is the same",
});
export const employeeDimissionOldCall = defineCall({
  ...dimissionParts,
  id: "employees.dimissionOld",
  path: `${PREFIX}/sec/dimissionEmployee`,
  summary: "As employees.dimission",
});

/** Most roles that somebody comes back with. */
const MAX_ROLES = 20;
/** The call is ours. */
export const employeeReinstateCall = defineCall({
  id: "employees.reinstate",
  method: "PUT",
  path: `${PREFIX}/sec/employee/reinstatement`,
  summary:
    "Brings back an employee who left. The account comes back with the roles that are named, or with that of staff, never with those of before",
  auth: "bearer",
  access: edit,
  touches: ["employees", "applies", "roles"],
  page: true,
  body: z.object({
    id: idSchema,
    /** Whether the account of before is a member again; otherwise it is unbound. */
    withAccount: z.boolean().default(true),
    /** None: that of staff. */
    roleIds: z.array(idSchema).max(MAX_ROLES).default([]),
    /** Of the employee, as the caller saw it. */
    version: versionSchema,
  }),
  data: employeeDetailSchema,
});

export const employeeBindAccountCall = defineCall({
  id: "employees.bindAccount",
  method: "PUT",
  path: `${PREFIX}/employee/bindAccount`,
  summary:
    "Binds an account to an employee, null unbinds. The account must be one that applied to the company or was bound in it before",
  auth: "bearer",
  access: edit,
  touches: ["employees"],
  page: true,
  body: z.object({
    employeeId: idSchema,
    accountId: idSchema.nullable(),
    /** Of the employee, as the caller saw it. */
    version: versionSchema,
  }),
  data: employeeDetailSchema,
});

const searchSchema = pageQuerySchema.extend({
  state: z.enum(["employed", "dimission"]).default("employed"),
});

export const querySupplierEmployeesCall = defineCall({
  id: "employees.query",
  method: "POST",
  path: `${PREFIX}/sec/querySupplierEmployees`,
  summary: "Employees of the company with all their fields, by keyword, department and state",
  auth: "bearer",
  access: read,
  shows: ["employees"],
  body: searchSchema.extend({
    department: textOf(100).optional(),
    descParameter: z.enum(["id"]).optional(),
  }),
  data: pageSchema(employeeDetailSchema),
});

export const advancedFilteringCall = defineCall({
  id: "employees.advancedFiltering",
  method: "POST",
  path: `${PREFIX}/sec/employees/advancedfilteringNew`,
  summary:
    "Employees by and/or groups of conditions over every field, those of the company among them",
  auth: "bearer",
  access: read,
  shows: ["employees"],
  body: searchSchema.extend({ filter: filterGroupSchema.optional() }),
  data: pageSchema(employeeDetailSchema),
});

export const employeeExportCall = defineCall({
  id: "employees.export",
  method: "POST",
  path: `${PREFIX}/sec/getExcelByJson2/{a}/{b}`,
  summary:
    "An .xlsx of employees. a: employed or dimission; b: the file's name; dataIds: comma-separated ids, left out or empty: all whom keyword and filter find; body.columns: fields in their order, empty: all",
  auth: "bearer",
  access: read,
  file: true,
  download: true,
  params: z.object({ a: z.enum(["employed", "dimission"]), b: textOf(80).min(1) }),
  query: z.object({
    dataIds: z
      .string()
      .max(20_000)
      .regex(/^(\d{1,19}(,\d{1,19})*)?$/, "应为逗号分隔的编号")
      .optional(),
  }),
  body: z.object({
    columns: z
      .array(
        z.object({
          field: z.string().regex(/^(custom\.)?[a-z][a-zA-Z0-9]{0,31}$/),
          title: textOf(50).optional(),
        }),
      )
      .max(60)
      .default([]),
    /** Further ids, of which an address cannot carry as many. */
    dataIds: z
      .array(z.string().regex(/^\d{1,19}$/, "应为编号"))
      .max(10_000)
      .optional(),
    keyword: textOf(100).optional(),
    filter: filterGroupSchema.optional(),
    /** Employees of this department, and of those below it. */
    departmentId: idSchema.optional(),
  }),
});

export const employeeCalls = {
  employeeDimissionList: employeeDimissionListCall,
  employeeGet: employeeGetCall,
  employeeCreate: employeeCreateCall,
  employeeCreateMany: employeeCreateManyCall,
  employeeDelete: employeeDeleteCall,
  employeeUpdate: employeeUpdateCall,
  employeeUpdateV3: employeeUpdateV3Call,
  employeeDimission: employeeDimissionCall,
  employeeDimissionOld: employeeDimissionOldCall,
  employeeReinstate: employeeReinstateCall,
  employeeBindAccount: employeeBindAccountCall,
  querySupplierEmployees: querySupplierEmployeesCall,
  advancedFiltering: advancedFilteringCall,
  employeeExport: employeeExportCall,
};
