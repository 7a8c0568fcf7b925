/**
 * Dictionary. Shapes are ours: names are the platform's and, beyond them, RuoYi's (dictSort, status
 * "0" in use, "1" switched off). An entry is the platform's (supplierId null: every company reads it, none changes it) or a
 * company's own, which stands before the platform's of the same type and value. The calls of types are ours.
 */
import { CSS_CLASSES } from "../../domain/dict-classes.ts";
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

const text = (max: number) => z.string().trim().max(max).refine(hasNoNul, NUL_MESSAGE);
const given = (max: number) => z.string().trim().min(1).max(max).refine(hasNoNul, NUL_MESSAGE);
const dictTypeSchema = z
  .string()
  .max(64)
  .regex(/^[a-z][a-z0-9_]*$/, "只能包含小写字母、数字和下划线，且以小写字母开头");
const statusSchema = z.enum(["0", "1"]);

/** One id, or up to 100 separated by commas: either all are deleted or none. */
export const idListSchema = z.object({
  id: z
    .string()
    .max(2000)
    .regex(/^\d{1,19}(,\d{1,19}){0,99}$/, "应为一个编号，或以逗号分隔的多个编号（最多 100 个）"),
});

const fields = {
  dictType: dictTypeSchema,
  dictLabel: given(100),
  dictValue: given(100),
  dictSort: z.number().int().min(0).max(1_000_000),
  /** Kind of the tag it is shown as: default, primary, success … */
  listClass: z
    .string()
    .max(32)
    .regex(/^[\w-]*$/, "只能包含字母、数字、下划线和短横线"),
  cssClass: text(100),
  status: statusSchema,
  remark: text(500),
};

/** As an entry may be written. An older one may hold another text, which is not applied. */
const cssClass = z
  .string()
  .trim()
  .max(100)
  .regex(CSS_CLASSES, "只能包含以字母开头的样式类名，以一个空格分隔");

export const dictEntrySchema = z.object({
  ...fields,
  id: idSchema,
  /** Null for an entry of the platform. */
  supplierId: idSchema.nullable(),
  /** Id of the dictionary type, as in the path of the page /dict/type/data/:dictId. */
  dictId: idSchema,
  dictName: z.string(),
  version: versionSchema,
  /** ISO 8601, UTC. */
  createTime: z.string(),
  updateTime: z.string(),
});
export type DictEntry = z.infer<typeof dictEntrySchema>;

const filters = {
  dictType: z.string().max(64).refine(hasNoNul, NUL_MESSAGE).optional(),
  dictId: idSchema.optional(),
  /** Matches any part of the label. */
  dictLabel: text(100).optional(),
  status: statusSchema.optional(),
};

const READ = {
  company: "required",
  permissions: ["system:dict:list", "system:dict:edit"],
} as const;
const EDIT = { company: "required", permissions: ["system:dict:edit"] } as const;

export const dictListCall = defineCall({
  id: "dict.list",
  method: "GET",
  path: "/umc-rbac/api/dict/data/list",
  summary: "A page of dictionary entries, the platform's and the company's, by type, sort and id",
  auth: "bearer",
  access: READ,
  shows: ["dict"],
  page: true,
  query: pageQuerySchema
    .omit({ keyword: true })
    .extend({ ...filters, sort: sortSchema("dictLabel", "dictValue", "dictSort", "status") }),
  data: pageSchema(dictEntrySchema),
});

export const dictExportCall = defineCall({
  id: "dict.export",
  method: "GET",
  path: "/umc-rbac/api/dict/data/export",
  summary: "The entries of the list's filters as an .xlsx file",
  auth: "bearer",
  access: READ,
  file: true,
  download: true,
  query: z.object(filters),
});

/** For showing values: includes disabled entries, because old data may hold them. A form that offers a choice must leave them out. */
export const dictByTypeCall = defineCall({
  id: "dict.byType",
  method: "GET",
  path: "/umc-rbac/api/dict/data/type/{type}",
  summary:
    "The entries of a type that hold for the company (without supplier-id: the platform's), by sort and id; empty for an unknown type",
  auth: "bearer",
  access: { company: "optional", guests: true },
  shows: ["dict"],
  page: true,
  params: z.object({ type: z.string().max(64) }),
  data: z.array(dictEntrySchema),
});

/** All types with their entries in one answer. */
export const dictDatasCall = defineCall({
  id: "dict.datas",
  method: "GET",
  path: "/sys-admin/api/dictDatas",
  summary:
    "All dictionaries that hold for the company, by type; dictTypes (separated by commas) leaves the others out",
  auth: "bearer",
  access: { company: "optional", guests: true },
  shows: ["dict"],
  query: z.object({ dictTypes: z.string().max(4000).optional() }),
  data: z.array(
    z.object({
      dictId: idSchema,
      dictType: z.string(),
      dictName: z.string(),
      dictDatas: z.array(dictEntrySchema),
    }),
  ),
});

export const dictEntryCall = defineCall({
  id: "dict.get",
  method: "GET",
  path: "/umc-rbac/api/dict/data/{id}",
  summary: "One dictionary entry",
  auth: "bearer",
  access: READ,
  shows: ["dict"],
  params: z.object({ id: idSchema }),
  data: dictEntrySchema,
});

const { dictType, dictLabel, dictValue, ...others } = fields;

export const dictCreateCall = defineCall({
  id: "dict.create",
  method: "POST",
  path: "/umc-rbac/api/dict/data",
  summary: "A new entry of the company; a type that is not known yet becomes one of the company",
  auth: "bearer",
  access: EDIT,
  touches: ["dict"],
  page: true,
  body: z
    .object({
      ...others,
      cssClass,
      /** Name for a type that does not exist yet; defaults to the type itself. */
      dictName: given(100),
    })
    .partial()
    .extend({ dictType, dictLabel, dictValue }),
  data: dictEntrySchema,
});

export const dictUpdateCall = defineCall({
  id: "dict.update",
  method: "PUT",
  path: "/umc-rbac/api/dict/data",
  summary: "Change an entry of the company; what is left out stays",
  auth: "bearer",
  access: EDIT,
  touches: ["dict"],
  page: true,
  body: z
    .object({ ...fields, cssClass })
    .partial()
    .extend({ id: idSchema, version: versionSchema }),
  data: dictEntrySchema,
});

export const dictDeleteCall = defineCall({
  id: "dict.delete",
  method: "DELETE",
  path: "/umc-rbac/api/dict/data/{id}",
  summary: "Delete entries of the company: one id or several separated by commas, all or none",
  auth: "bearer",
  access: EDIT,
  touches: ["dict"],
  page: true,
  params: idListSchema,
});

const typeFields = { dictName: given(100), remark: text(500) };

export const dictTypeRowSchema = z.object({
  id: idSchema,
  /** Null for a type of the platform. */
  supplierId: idSchema.nullable(),
  dictType: z.string(),
  dictName: z.string(),
  remark: z.string(),
  /** Number of entries that the company sees. */
  entries: z.number().int().nonnegative(),
  version: versionSchema,
  /** ISO 8601, UTC. */
  createTime: z.string(),
  updateTime: z.string(),
});
export type DictTypeRow = z.infer<typeof dictTypeRowSchema>;

export const dictTypeListCall = defineCall({
  id: "dict.types",
  method: "GET",
  path: "/umc-rbac/api/dict/type/list",
  summary: "A page of dictionary types, the platform's and the company's, by type",
  auth: "bearer",
  access: READ,
  shows: ["dict"],
  page: true,
  query: pageQuerySchema.omit({ keyword: true }).extend({
    /** Matches any part of the name. */
    dictName: text(100).optional(),
    /** Matches any part of the type. */
    dictType: text(64).optional(),
    sort: sortSchema("dictName", "dictType", "entries", "createTime"),
  }),
  data: pageSchema(dictTypeRowSchema),
});

export const dictTypeCall = defineCall({
  id: "dict.type",
  method: "GET",
  path: "/umc-rbac/api/dict/type/{id}",
  summary: "One dictionary type",
  auth: "bearer",
  access: READ,
  shows: ["dict"],
  page: true,
  params: z.object({ id: idSchema }),
  data: dictTypeRowSchema,
});

export const dictTypeCreateCall = defineCall({
  id: "dict.typeCreate",
  method: "POST",
  path: "/umc-rbac/api/dict/type",
  summary: "A new dictionary type of the company",
  auth: "bearer",
  access: EDIT,
  touches: ["dict"],
  page: true,
  body: z.object({
    dictType,
    dictName: typeFields.dictName,
    remark: typeFields.remark.optional(),
  }),
  data: dictTypeRowSchema,
});

export const dictTypeUpdateCall = defineCall({
  id: "dict.typeUpdate",
  method: "PUT",
  path: "/umc-rbac/api/dict/type",
  summary: "Change the name or the remark of a type of the company; what is left out stays",
  auth: "bearer",
  access: EDIT,
  touches: ["dict"],
  page: true,
  body: z.object(typeFields).partial().extend({ id: idSchema, version: versionSchema }),
  data: dictTypeRowSchema,
});

export const dictTypeDeleteCall = defineCall({
  id: "dict.typeDelete",
  method: "DELETE",
  path: "/umc-rbac/api/dict/type/{id}",
  summary:
    "Delete types of the company that have no entries: one id or several separated by commas, all or none",
  auth: "bearer",
  access: EDIT,
  touches: ["dict"],
  page: true,
  params: idListSchema,
});

export const dictCalls = {
  dictTypeList: dictTypeListCall,
  dictType: dictTypeCall,
  dictTypeCreate: dictTypeCreateCall,
  dictTypeUpdate: dictTypeUpdateCall,
  dictTypeDelete: dictTypeDeleteCall,
  dictList: dictListCall,
  dictExport: dictExportCall,
  dictByType: dictByTypeCall,
  dictDatas: dictDatasCall,
  dictEntry: dictEntryCall,
  dictCreate: dictCreateCall,
  dictUpdate: dictUpdateCall,
  dictDelete: dictDeleteCall,
};
