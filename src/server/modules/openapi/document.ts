/** Builds the OpenAPI 3.1 document from the table of REST calls, which stays the only source. */
import {
  createDocument,
  type ZodOpenApiOverride,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from "zod-openapi";
import { z } from "zod";
import { ERROR_CATALOGUE } from "../../../shared/errors.ts";
import {
  ALL_PERMISSIONS,
  DEFAULT_ACCESS,
  envelopeSchema,
  type RestCall,
} from "../../../shared/protocol/rest/call.ts";
import { PROVIDER_CALLS } from "./provider.ts";

export type JsonSchema = Record<string, unknown>;

/** What the page reads of an operation. */
export interface Operation {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: "path" | "query" | "header";
    readonly required?: boolean;
    readonly schema: JsonSchema;
  }[];
  readonly requestBody?: { readonly content: Record<string, { schema: JsonSchema }> };
  readonly responses: Record<string, unknown>;
}

/** The library types every part of a document as optional. These parts are always in ours. */
export interface OpenApiDocument {
  readonly info: { title: string; version: string; description: string };
  readonly tags: readonly { name: string; description: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: Record<string, Record<string, unknown>>;
}

/** Display names of the groups of calls. The group is the first part of a call's id. */
const TAGS: Record<string, string> = {
  auth: "登录与账号",
  account: "账号",
  menus: "菜单与角色",
  roles: "角色",
  departments: "部门",
  dict: "字典",
  config: "系统参数",
  employees: "员工",
  registration: "企业入驻",
  companies: "企业管理",
  licences: "营业执照图片",
  sms: "短信验证码",
  profile: "个人中心",
  suppliers: "企业",
  company: "企业",
  memberships: "成员关系",
  documents: "就职文件",
  files: "上传与下载",
  im: "聊天",
  rtc: "音视频",
  imports: "批量导入",
};

/** Media types of bodies that are not JSON. A gzip body is described by its unpacked content. */
const BODY_TYPES: Record<string, string> = {
  form: "application/x-www-form-urlencoded",
  gzip: "application/gzip",
};

const file = { type: "string" as const, contentMediaType: "application/octet-stream" };
const refusal = { $ref: "#/components/responses/refusal" };
const supplierId = z.string();

export const tagOf = (call: Pick<RestCall, "id">): string => call.id.split(".")[0] ?? call.id;

const isEmpty = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodObject && Object.keys(schema.shape).length === 0;
/** Parameters are the properties of an object. A query that is another schema cannot be described. */
const objectOf = (schema: z.ZodType | undefined): z.ZodObject | undefined =>
  schema instanceof z.ZodObject && !isEmpty(schema) ? schema : undefined;

/** Describes who may make a call. */
export function accessText(call: Pick<RestCall, "auth" | "access">): string {
  if (call.auth === "none") return "无需登录。";
  if (call.auth === "client") return "客户端凭据（Basic），由系统名称决定。";
  const { company, permissions = [], guests = false } = call.access ?? DEFAULT_ACCESS;
  const parts = ["需要登录"];
  if (company === "required" || permissions.length > 0) parts.push("须以 supplier-id 指明企业");
  if (permissions.length > 0)
    parts.push(`需要权限 ${permissions.join(" 或 ")}（或 ${ALL_PERMISSIONS}）`);
  parts.push(guests ? "访客（无角色成员）可用" : "访客（无角色成员）不可用");
  return `${parts.join("；")}。`;
}

function operationOf(call: RestCall): ZodOpenApiOperationObject {
  const type = BODY_TYPES[call.bodyType ?? "json"] ?? "application/json";
  const needsCompany =
    call.access?.company === "required" || (call.access?.permissions ?? []).length > 0;
  const path = objectOf(call.params);
  const query = objectOf(call.query);
  const header =
    call.auth === "bearer"
      ? z.object({ "supplier-id": needsCompany ? supplierId : supplierId.optional() })
      : undefined;
  const answer = z.object({ code: z.literal(0), msg: z.string(), data: call.data });
  return {
    operationId: call.id,
    tags: [tagOf(call)],
    summary: call.summary,
    description: accessText(call),
    security:
      call.auth === "bearer" ? [{ bearer: [] }] : call.auth === "client" ? [{ client: [] }] : [],
    requestParams: {
      ...(path && { path }),
      ...(query && { query }),
      ...(header && { header }),
    },
    ...(call.method !== "GET" && !isEmpty(call.body)
      ? { requestBody: { required: true, content: { [type]: { schema: call.body } } } }
      : {}),
    responses: {
      "200":
        call.file === true
          ? { description: "文件", content: { "application/octet-stream": { schema: file } } }
          : { description: "成功", content: { "application/json": { schema: answer } } },
      ...Object.fromEntries(refusals(call).map((status) => [status, refusal])),
      default: refusal,
    },
  };
}

/** Error statuses that every client must expect. */
const refusals = (call: RestCall): string[] =>
  call.auth === "bearer" ? ["400", "401", "403", "404", "429"] : ["400", "401", "429"];

/** The provider's paths, as templates. Their answers have no envelope. */
function providerPaths(): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const call of PROVIDER_CALLS) {
    const names = [...call.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
    const query = objectOf(call.query);
    const json = { "application/json": { schema: call.answer } };
    (paths[call.path] ??= {})[call.method] = {
      tags: ["rtc"],
      operationId: call.id,
      summary: call.summary,
      security: call.open === true ? [] : [{ bearer: [] }],
      requestParams: {
        ...(names.length > 0 && {
          path: z.object(Object.fromEntries(names.map((name) => [name, z.string()]))),
        }),
        ...(query && { query }),
      },
      ...(call.body && {
        requestBody: { required: true, content: { "application/json": { schema: call.body } } },
      }),
      responses: {
        "200": { description: "成功，或 error 不为 0 的拒绝", content: json },
        default: { description: "拒绝", content: json },
      },
    };
  }
  return paths;
}

/** An answer may gain fields at any time. The library closes the objects of answers, because zod strips what it does not know. */
const openAnswers: ZodOpenApiOverride = ({ io, zodSchema, jsonSchema }) => {
  const { def } = zodSchema._zod;
  if (io === "output" && def.type === "object" && def.catchall === undefined)
    delete jsonSchema.additionalProperties;
};

/** @throws Error when two calls have the same method and path, or the same id */
export function openApiDocument(calls: readonly RestCall[], version: string): OpenApiDocument {
  const paths = providerPaths();
  const ids = new Set<string>();
  for (const call of calls) {
    const method = call.method.toLowerCase() as Lowercase<typeof call.method>;
    const path = (paths[call.path] ??= {});
    if (path[method] !== undefined)
      throw new Error(`${call.method} ${call.path} is declared twice`);
    if (ids.has(call.id)) throw new Error(`the id ${call.id} is given twice`);
    ids.add(call.id);
    path[method] = operationOf(call);
  }
  const used = new Set(["rtc", ...calls.map(tagOf)]);
  const error = envelopeSchema.extend({
    error: z.enum(Object.keys(ERROR_CATALOGUE) as [string]),
  });
  return createDocument(
    {
      openapi: "3.1.0",
      info: {
        title: "供应商企业控制台接口",
        version,
        description:
          "由接口定义（zod）生成。成功时 code 为 0；失败时 code 不为 0，error 给出错误代码。",
      },
      tags: [...used].map((name) => ({ name, description: TAGS[name] ?? name })),
      paths,
      components: {
        securitySchemes: {
          bearer: { type: "http", scheme: "bearer" },
          client: { type: "http", scheme: "basic" },
        },
        responses: {
          refusal: { description: "拒绝", content: { "application/json": { schema: error } } },
        },
      },
    },
    { override: openAnswers },
  ) as object as OpenApiDocument;
}
