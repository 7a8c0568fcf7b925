/** The company's own fields of employees (docs/server.md#own-fields). The calls are ours. */
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
import { idSchema } from "./entities.ts";

export const OWN_FIELD_TYPES = ["text", "number", "date", "dict"] as const;

const EDIT = { company: "required", permissions: ["system:field:edit"] } as const;
const BASE = "/scm-supplier/api/sec/employeeFields";

const fields = {
  label: z.string().trim().min(1).max(32).refine(hasNoNul, NUL_MESSAGE),
  type: z.enum(OWN_FIELD_TYPES),
  /** Of type dict: whose values are allowed; else null. */
  dictType: z.string().trim().min(1).max(100).refine(hasNoNul, NUL_MESSAGE).nullable(),
  required: z.boolean(),
  sort: z.number().int().min(0).max(9999),
};

export const ownFieldSchema = z.object({
  ...fields,
  id: idSchema,
  /** The field of an employee is `custom.<key>`. */
  key: z.string(),
  version: versionSchema,
});
export type OwnFieldRow = z.infer<typeof ownFieldSchema>;

export const ownFieldListCall = defineCall({
  id: "ownFields.list",
  method: "GET",
  path: BASE,
  summary: "The company's own fields of employees, in their order",
  auth: "bearer",
  access: { company: "required" },
  shows: ["ownFields"],
  page: true,
  query: pageQuerySchema.extend({ sort: sortSchema("label", "type", "sort") }),
  data: pageSchema(ownFieldSchema),
});

export const ownFieldCreateCall = defineCall({
  id: "ownFields.create",
  method: "POST",
  path: BASE,
  summary: "A new own field; the server makes its key",
  auth: "bearer",
  access: EDIT,
  touches: ["ownFields", "fieldSettings"],
  page: true,
  body: z.object({
    label: fields.label,
    type: fields.type,
    dictType: fields.dictType.default(null),
    required: fields.required.default(false),
    sort: fields.sort.default(0),
  }),
  data: ownFieldSchema,
});

export const ownFieldUpdateCall = defineCall({
  id: "ownFields.update",
  method: "PUT",
  path: BASE,
  summary: "Change an own field; its key and its type stay, since employees have values of it",
  auth: "bearer",
  access: EDIT,
  touches: ["ownFields", "fieldSettings"],
  page: true,
  body: z.object({
    id: idSchema,
    version: versionSchema,
    label: fields.label.optional(),
    required: fields.required.optional(),
    sort: fields.sort.optional(),
  }),
  data: ownFieldSchema,
});

export const ownFieldDeleteCall = defineCall({
  id: "ownFields.delete",
  method: "DELETE",
  path: `${BASE}/{id}`,
  summary: "Remove an own field, and what employees have in it",
  auth: "bearer",
  access: EDIT,
  touches: ["ownFields", "fieldSettings", "employees"],
  page: true,
  params: z.object({ id: idSchema }),
});

export const ownFieldCalls = {
  ownFieldList: ownFieldListCall,
  ownFieldCreate: ownFieldCreateCall,
  ownFieldUpdate: ownFieldUpdateCall,
  ownFieldDelete: ownFieldDeleteCall,
};
