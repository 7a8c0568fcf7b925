/**
 * Settings by key. Shapes are ours; names are RuoYi's. A setting is the platform's (supplierId
 * null: every company reads it, none changes it) or a company's own, which stands before the platform's of the same key.
 */
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
import { idListSchema } from "./dict.ts";
import { idSchema } from "./entities.ts";

const text = (max: number) => z.string().trim().max(max).refine(hasNoNul, NUL_MESSAGE);
const given = (max: number) => z.string().trim().min(1).max(max).refine(hasNoNul, NUL_MESSAGE);
/** Y: built in, cannot be deleted. */
const configTypeSchema = z.enum(["Y", "N"]);

const fields = {
  configKey: z
    .string()
    .min(1)
    .max(100)
    .regex(/^[\w.:-]+$/, "只能包含字母、数字、点、冒号、下划线和短横线"),
  configName: given(100),
  configValue: z.string().min(1).max(4000).refine(hasNoNul, NUL_MESSAGE),
  configType: configTypeSchema,
  remark: text(500),
};

export const configItemSchema = z.object({
  ...fields,
  id: idSchema,
  /** Null for a setting of the platform. */
  supplierId: idSchema.nullable(),
  version: versionSchema,
  /** ISO 8601, UTC. */
  createTime: z.string(),
  updateTime: z.string(),
});
export type ConfigItem = z.infer<typeof configItemSchema>;

const filters = {
  /** Matches any part of the name. */
  configName: text(100).optional(),
  /** Matches any part of the key. */
  configKey: text(100).optional(),
  configType: configTypeSchema.optional(),
};

const READ = {
  company: "required",
  permissions: ["system:config:list", "system:config:edit"],
} as const;
const EDIT = { company: "required", permissions: ["system:config:edit"] } as const;

export const configCalls = {
  configList: defineCall({
    id: "config.list",
    method: "GET",
    path: "/system/config/list",
    summary: "A page of settings, the platform's and the company's, by id",
    auth: "bearer",
    access: READ,
    shows: ["config"],
    page: true,
    query: pageQuerySchema
      .omit({ keyword: true })
      .extend({ ...filters, sort: sortSchema("configName", "configKey", "configType") }),
    data: pageSchema(configItemSchema),
  }),

  configExport: defineCall({
    id: "config.export",
    method: "GET",
    path: "/system/config/export",
    summary: "The settings of the list's filters as an .xlsx file",
    auth: "bearer",
    access: READ,
    file: true,
    download: true,
    query: z.object(filters),
  }),

  configRefresh: defineCall({
    id: "config.refreshCache",
    method: "DELETE",
    path: "/system/config/refreshCache",
    summary: "Forget the cached settings of the company, in every server process",
    auth: "bearer",
    access: EDIT,
    touches: ["config"],
    page: true,
  }),

  configGet: defineCall({
    id: "config.get",
    method: "GET",
    path: "/system/config/{id}",
    summary: "One setting",
    auth: "bearer",
    access: READ,
    shows: ["config"],
    params: z.object({ id: idSchema }),
    data: configItemSchema,
  }),

  configCreate: defineCall({
    id: "config.create",
    method: "POST",
    path: "/system/config",
    summary: "A new setting of the company",
    auth: "bearer",
    access: EDIT,
    touches: ["config"],
    page: true,
    body: z.object({
      ...fields,
      configType: configTypeSchema.optional(),
      remark: fields.remark.optional(),
    }),
    data: configItemSchema,
  }),

  configUpdate: defineCall({
    id: "config.update",
    method: "PUT",
    path: "/system/config",
    summary: "Change a setting of the company; what is left out stays",
    auth: "bearer",
    access: EDIT,
    touches: ["config"],
    page: true,
    body: z.object(fields).partial().extend({ id: idSchema, version: versionSchema }),
    data: configItemSchema,
  }),

  configDelete: defineCall({
    id: "config.delete",
    method: "DELETE",
    path: "/system/config/{id}",
    summary:
      "Delete settings of the company: one id or several separated by commas, all or none; built-in ones are refused",
    auth: "bearer",
    access: EDIT,
    touches: ["config"],
    page: true,
    params: idListSchema,
  }),

  configByKey: defineCall({
    id: "config.byKey",
    method: "GET",
    path: "/umc-rbac/api/dept/configKey/{key}",
    summary:
      "The value that holds for the company (without supplier-id: the platform's), read from the cache; not found for an unknown key",
    auth: "bearer",
    access: { company: "optional" },
    shows: ["config"],
    page: true,
    params: z.object({ key: z.string().max(100) }),
    data: z.string(),
  }),
};
