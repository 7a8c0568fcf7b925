/**
 * Employees: staff of the company in the supplier-id header. The platform's specification shows paths alone; bodies and answers are
 * the natural shapes. Calls that show or change more than the plain list need a permission of supplier:employee.
 */
import { z } from "../../zod.ts";
import { isInvisible } from "../../domain/text-marks.ts";
import {
  DEPARTMENT_MAX,
  EMAIL_MAX,
  type EmployeeField,
  type EmployeeFieldKey,
  type EmployeeFieldOf,
  employeeFields,
  VALUE_MAX,
} from "../../domain/employee-fields.ts";
import { isDay, isIdNumber } from "../../domain/validate.ts";
import { defineCall, hasNoNul, NUL_MESSAGE, pageQuerySchema, pageSchema } from "./call.ts";
import { employeeSchema, idSchema } from "./entities.ts";

const PREFIX = "/scm-supplier/api";
const read = {
  company: "required",
  permissions: ["supplier:employee:query", "supplier:employee:edit"],
} as const;
const edit = { company: "required", permissions: ["supplier:employee:edit"] } as const;

const text = (max: number) => z.string().trim().max(max).refine(hasNoNul, NUL_MESSAGE);
/** null or an empty text clears the field. */
const optionalText = (max: number) =>
  text(max)
    .transform((value) => (value === "" ? null : value))
    .nullish();
// Patterns beside the refine rules, so that the OpenAPI contract shows what is accepted.
const DAY_PATTERN = /^(19|20|21)\d{2}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const PHONE_PATTERN = /^(1[3-9]\d{9}|0\d{2,3}-?\d{7,8})$/;
const day = z.string().regex(DAY_PATTERN, "日期格式应为 YYYY-MM-DD").refine(isDay, "日期不存在");
const phone = z.string().trim().regex(PHONE_PATTERN, "电话号码不正确");
const idNumber = z.string().trim().toUpperCase().refine(isIdNumber, "身份证号不正确");

/** Values of the company's own fields by key: a text, a number, a day or a dictionary's value; null for none. */
const customSchema = z.record(
  z.string().regex(/^[a-z][a-zA-Z0-9]{0,31}$/),
  z.union([text(500), z.number(), z.null()]),
);

type Fields = EmployeeFieldOf<EmployeeFieldKey>;
type Both<T> = z.ZodType<T, T>;
type ValueOf<F> = F extends { rule: { values: readonly (infer V)[] } } ? V : string;
type InputOf<F> = F extends { required: true }
  ? Both<string>
  : z.ZodOptional<Both<F extends { fallback: string } ? ValueOf<F> : ValueOf<F> | null>>;

/** What may be written. An optional field can be cleared by null, unless it has a fallback. */
function inputOf({ rule, required, fallback }: EmployeeField): z.ZodType {
  const cleared = (schema: z.ZodType): z.ZodType =>
    fallback === undefined ? schema.nullish() : schema.optional();
  switch (rule.type) {
    case "text":
      if (required === true) {
        return text(rule.max)
          .min(1)
          .refine((value) => !isInvisible(value), "没有看得见的字");
      }
      return fallback === undefined ? optionalText(rule.max) : text(rule.max).optional();
    case "dict":
      // gender: derived from the id card number when left out
      return rule.values === undefined ? optionalText(VALUE_MAX) : cleared(z.enum(rule.values));
    case "department":
      return optionalText(DEPARTMENT_MAX);
    case "departmentId":
      // A department of the company's tree; `department` is then set to its name.
      return cleared(idSchema);
    case "date":
      return cleared(day);
    case "phone":
      return cleared(phone);
    case "idNumber":
      return cleared(idNumber);
    case "email":
      return cleared(z.email().max(EMAIL_MAX).refine(hasNoNul, NUL_MESSAGE));
  }
}
const inputs = Object.fromEntries(
  employeeFields.map((field) => [field.key, inputOf(field)]),
) as unknown as { readonly [F in Fields as F["key"]]: InputOf<F> };

const writable = { ...inputs, custom: customSchema.optional() };
const { name } = inputs;

export const employeeCreateSchema = z.object({
  ...writable,
  /** The application that this employee is created from; creating the employee approves it. */
  applyId: idSchema.optional(),
});
export type EmployeeCreate = z.output<typeof employeeCreateSchema>;

/** Fields that are left out stay unchanged. */
export const employeeUpdateSchema = z.object({
  id: idSchema,
  ...writable,
  name: name.optional(),
});
export type EmployeeUpdate = z.output<typeof employeeUpdateSchema>;

type AnswerOf<F> = F extends {
  rule: { values: readonly (infer V)[]; without: readonly (infer W)[] };
}
  ? Both<V | W>
  : F extends { required: true } | { fallback: string }
    ? Both<string>
    : Both<string | null>;

/** What an employee shows. A value of a dictionary that is derived from other facts is one of a closed list. */
function answerOf({ rule, required, fallback }: EmployeeField): z.ZodType {
  const value = rule.type === "departmentId" ? idSchema : z.string();
  if (rule.type === "dict" && rule.values !== undefined && rule.without !== undefined) {
    return z.enum([...rule.values, ...rule.without]);
  }
  return required === true || fallback !== undefined ? value : value.nullable();
}
const answers = Object.fromEntries(
  employeeFields.map((field) => [field.key, answerOf(field)]),
) as unknown as { readonly [F in Fields as F["key"]]: AnswerOf<F> };

export const employeeDetailSchema = employeeSchema.extend({
  ...answers,
  custom: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
  dimissionDate: z.string().nullable(),
  dimissionReason: z.string().nullable(),
  createTime: z.string(),
  updateTime: z.string(),
});
export type EmployeeDetail = z.infer<typeof employeeDetailSchema>;

export const employeeDimissionListCall = defineCall({
  id: "employees.dimissionList",
  method: "GET",
  path: `${PREFIX}/sec/employees/dimission`,
  summary: "Those who have left the company",
  auth: "bearer",
  access: read,
  shows: ["employees"],
  page: true,
  query: pageQuerySchema,
  data: pageSchema(employeeDetailSchema),
});

export const employeeGetCall = defineCall({
  id: "employees.get",
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
    dimissionDate: day.optional(),
    reason: text(200).optional(),
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
  body: z.object({ employeeId: idSchema, accountId: idSchema.nullable() }),
  data: employeeDetailSchema,
});

const operand = z.union([text(200), z.number()]);
export const FILTER_OPERATORS = [
  "eq",
  "ne",
  "contains",
  "startsWith",
  "gt",
  "ge",
  "lt",
  "le",
  "between",
  "in",
  "isEmpty",
  "notEmpty",
] as const;
export const MAX_FILTER_DEPTH = 5;
export const MAX_FILTER_RULES = 50;
/** One condition. `value` is an array for between (2 entries) and in (1 to 100 entries), and left out for isEmpty and notEmpty. */
export const filterRuleSchema = z.object({
  /** Field of the employee, or `custom.<key>`. */
  field: z.string().regex(/^(custom\.)?[a-z][a-zA-Z0-9]{0,31}$/),
  op: z.enum(FILTER_OPERATORS),
  value: z.union([operand, z.array(operand).max(100)]).optional(),
});
export type FilterRule = z.infer<typeof filterRuleSchema>;
export interface FilterGroup {
  readonly logic: "and" | "or";
  readonly rules: readonly (FilterRule | FilterGroup)[];
}
/** Nested groups, at most MAX_FILTER_DEPTH deep; an empty group matches every employee. */
const groupSchema = (depth: number): z.ZodType<FilterGroup> =>
  z.object({
    logic: z.enum(["and", "or"]),
    rules: z
      .array(depth <= 1 ? filterRuleSchema : z.union([filterRuleSchema, groupSchema(depth - 1)]))
      .max(20),
  });
export const filterGroupSchema = groupSchema(MAX_FILTER_DEPTH);

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
    department: text(100).optional(),
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

export const inviteEmployeeCall = defineCall({
  id: "employees.invite",
  method: "POST",
  path: `${PREFIX}/sec/inviteEmployee/qr`,
  summary: "A link, to be shown as a QR code, by which one person may apply before it expires",
  auth: "bearer",
  access: edit,
  // The page shows the link from the answer.
  touches: [],
  page: true,
  body: z.object({
    department: optionalText(100),
    position: optionalText(100),
    expiresInHours: z.number().int().min(1).max(720).default(72),
  }),
  data: z.object({ link: z.string(), expiresAt: z.string() }),
});

/** The form that the link of an invitation opens. */
export const inviteFormSchema = z.object({ name, phone, idNumber });

const documentSchema = z.object({
  id: idSchema,
  supplierId: idSchema,
  employeeId: idSchema,
  employeeName: z.string(),
  title: z.string(),
  status: z.enum(["pending", "signed", "expired"]),
  /** Name of an uploaded file; null while there is none. */
  fileName: z.string().nullable(),
  createTime: z.string(),
  signedTime: z.string().nullable(),
});
export type InauguralDocument = z.infer<typeof documentSchema>;

export const documentsListCall = defineCall({
  id: "documents.list",
  method: "POST",
  path: `${PREFIX}/spinauguraldocumentsList`,
  summary: "Inaugural documents of the company's employees",
  auth: "bearer",
  access: read,
  shows: ["documents"],
  body: pageQuerySchema.extend({
    employeeId: idSchema.optional(),
    status: z.enum(["pending", "signed", "expired"]).optional(),
  }),
  data: pageSchema(documentSchema),
});

export const documentsOwnCall = defineCall({
  id: "documents.own",
  method: "GET",
  path: `${PREFIX}/spinauguraldocumentssOwn`,
  summary: "Inaugural documents of the caller in the company",
  auth: "bearer",
  access: { company: "required", guests: true },
  shows: ["documents"],
  query: pageQuerySchema.omit({ keyword: true }),
  data: pageSchema(documentSchema),
});

const applySchema = z.object({
  id: idSchema,
  supplierId: idSchema,
  supplierName: z.string(),
  applyAccountId: idSchema.nullable(),
  systemName: z.string(),
  name: z.string(),
  phone: z.string(),
  department: z.string().nullable(),
  position: z.string().nullable(),
  status: z.enum(["pending", "approved", "refused"]),
  employeeId: idSchema.nullable(),
  createTime: z.string(),
});
export type MembershipApply = z.infer<typeof applySchema>;

/** The spec shows the parameters alone; the path is chosen. */
export const appliesCall = defineCall({
  id: "employees.applies",
  method: "GET",
  path: `${PREFIX}/sec/applies`,
  summary:
    "Applies for a membership: the caller's own; with supplier:employee:edit in the company of the header, that company's",
  auth: "bearer",
  access: { company: "optional", guests: true },
  shows: ["applies"],
  page: true,
  query: pageQuerySchema.omit({ keyword: true }).extend({
    applyAccountId: idSchema.optional(),
    descParameter: z.string().max(32).optional(),
    systemName: text(64).optional(),
  }),
  data: pageSchema(applySchema),
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
  params: z.object({ a: z.enum(["employed", "dimission"]), b: text(80).min(1) }),
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
          title: text(50).optional(),
        }),
      )
      .max(60)
      .default([]),
    keyword: text(100).optional(),
    filter: filterGroupSchema.optional(),
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
  employeeBindAccount: employeeBindAccountCall,
  querySupplierEmployees: querySupplierEmployeesCall,
  advancedFiltering: advancedFilteringCall,
  inviteEmployee: inviteEmployeeCall,
  documentsList: documentsListCall,
  documentsOwn: documentsOwnCall,
  applies: appliesCall,
  employeeExport: employeeExportCall,
};
