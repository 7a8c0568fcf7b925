/** The inaugural documents that a company asks of its employees (docs/server.md#inaugural-documents). The calls are ours. */
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
import { daySchema } from "./employee-schemas.ts";
import { idSchema } from "./entities.ts";

const EDIT = { company: "required", permissions: ["system:document:edit"] } as const;
const BASE = "/scm-supplier/api/sec/documentKinds";

const fields = {
  title: z.string().trim().min(1).max(50).refine(hasNoNul, NUL_MESSAGE),
  required: z.boolean(),
  /** Whether what is handed in is valid until a day. */
  dated: z.boolean(),
  sort: z.number().int().min(0).max(9999),
  /** Asked of the people of these departments and of those below; empty: of everybody. */
  departmentIds: z.array(idSchema).max(100),
  /** Asked of those who were hired from this day on; null: of all. */
  hiredFrom: daySchema.nullable(),
  /** And until this day. */
  hiredTo: daySchema.nullable(),
};

export const documentKindSchema = z.object({ ...fields, id: idSchema, version: versionSchema });
export type DocumentKind = z.infer<typeof documentKindSchema>;

export const documentKindListCall = defineCall({
  id: "documentKinds.list",
  method: "GET",
  path: BASE,
  summary: "The inaugural documents that the company asks for, in their order",
  auth: "bearer",
  access: { company: "required" },
  shows: ["documents"],
  page: true,
  query: pageQuerySchema.extend({ sort: sortSchema("title", "sort") }),
  data: pageSchema(documentKindSchema),
});

export const documentKindCreateCall = defineCall({
  id: "documentKinds.create",
  method: "POST",
  path: BASE,
  summary: "Ask for one more inaugural document",
  auth: "bearer",
  access: EDIT,
  touches: ["documents"],
  audits: {
    "document-kind": [
      "入职材料",
      "Onboarding document",
      {
        title: ["材料名称", "Title"],
        required: ["必交", "Required", "flag"],
        sort: ["排序", "Order"],
        dated: ["有有效期", "Valid until a day", "flag"],
        departments: ["适用部门", "Departments"],
        hiredFrom: ["入职日期从", "Hired from"],
        hiredTo: ["入职日期至", "Hired until"],
      },
    ],
  },
  page: true,
  body: z.object({
    title: fields.title,
    required: fields.required.default(true),
    dated: fields.dated.default(false),
    sort: fields.sort.default(0),
    departmentIds: fields.departmentIds.default([]),
    hiredFrom: fields.hiredFrom.default(null),
    hiredTo: fields.hiredTo.default(null),
  }),
  data: documentKindSchema,
});

export const documentKindUpdateCall = defineCall({
  id: "documentKinds.update",
  method: "PUT",
  path: BASE,
  summary:
    "Change an inaugural document that the company asks for; what employees have handed in keeps its title",
  auth: "bearer",
  access: EDIT,
  touches: ["documents"],
  page: true,
  body: z
    .object({ ...fields, id: idSchema, version: versionSchema })
    .partial()
    .required({
      id: true,
      version: true,
    }),
  data: documentKindSchema,
});

export const documentKindDeleteCall = defineCall({
  id: "documentKinds.delete",
  method: "DELETE",
  path: `${BASE}/{id}`,
  summary: "No longer ask for an inaugural document; what employees have handed in stays",
  auth: "bearer",
  access: EDIT,
  touches: ["documents"],
  page: true,
  params: z.object({ id: idSchema }),
});

export const documentKindCalls = {
  documentKindList: documentKindListCall,
  documentKindCreate: documentKindCreateCall,
  documentKindUpdate: documentKindUpdateCall,
  documentKindDelete: documentKindDeleteCall,
};
