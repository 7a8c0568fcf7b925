/** Builds the OpenAPI 3.1 document from the table of REST calls, which stays the only source. */
import { z } from "zod";
import { ERROR_CATALOGUE } from "../../../shared/errors.ts";
import {
  ALL_PERMISSIONS,
  DEFAULT_ACCESS,
  envelopeSchema,
  type RestCall,
} from "../../../shared/protocol/rest/call.ts";
import { PROVIDER_CALLS } from "./provider.ts";
import { createSchemaBook, type JsonSchema, type SchemaBook } from "./schemas.ts";

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly Record<string, readonly string[]>[];
  readonly parameters: readonly {
    readonly name: string;
    readonly in: "path" | "query" | "header";
    readonly required: boolean;
    readonly schema: JsonSchema;
  }[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Record<string, { schema: JsonSchema }>;
  };
  readonly responses: Record<string, unknown>;
}

export interface OpenApiDocument {
  readonly openapi: "3.1.0";
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
  dict: "字典",
  config: "系统参数",
  employees: "员工",
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

const file: JsonSchema = { type: "string", contentMediaType: "application/octet-stream" };
const refusal = { $ref: "#/components/responses/refusal" };

export const tagOf = (call: Pick<RestCall, "id">): string => call.id.split(".")[0] ?? call.id;

/** Parameters from the properties of an object schema; none for other schemas. */
function parametersOf(
  book: SchemaBook,
  name: string,
  place: "path" | "query",
  schema: z.ZodType,
): Operation["parameters"] {
  const { properties = {}, required = [] } = book.add(name, schema) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([key, property]) => ({
    name: key,
    in: place,
    required: place === "path" || required.includes(key),
    schema: property,
  }));
}

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

function operationOf(book: SchemaBook, call: RestCall): Operation {
  const { company } = call.access ?? DEFAULT_ACCESS;
  const body = book.add(`${call.id}.body`, call.body);
  const takesBody = Object.keys((body["properties"] as object | undefined) ?? {}).length > 0;
  const type = BODY_TYPES[call.bodyType ?? "json"] ?? "application/json";
  const withBody = call.method !== "GET" && (takesBody || !(call.body instanceof z.ZodObject));
  const answer: JsonSchema = {
    type: "object",
    required: ["code", "msg", "data"],
    properties: {
      code: { const: 0 },
      msg: { type: "string" },
      data: book.add(`${call.id}.data`, call.data),
    },
  };
  const needsCompany = company === "required" || (call.access?.permissions ?? []).length > 0;
  return {
    operationId: call.id,
    tags: [tagOf(call)],
    summary: call.summary,
    description: accessText(call),
    security:
      call.auth === "bearer" ? [{ bearer: [] }] : call.auth === "client" ? [{ client: [] }] : [],
    parameters: [
      ...parametersOf(book, `${call.id}.params`, "path", call.params),
      ...parametersOf(book, `${call.id}.query`, "query", call.query),
      ...(call.auth === "bearer"
        ? [
            {
              name: "supplier-id",
              in: "header" as const,
              required: needsCompany,
              schema: { type: "string" },
            },
          ]
        : []),
    ],
    ...(withBody ? { requestBody: { required: true, content: { [type]: { schema: body } } } } : {}),
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
function providerPaths(book: SchemaBook): OpenApiDocument["paths"] {
  const paths: OpenApiDocument["paths"] = {};
  for (const call of PROVIDER_CALLS) {
    const schema = book.add(`${call.id}.data`, call.answer);
    const json = { "application/json": { schema } };
    const names = [...call.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
    const operation: Operation = {
      tags: ["rtc"],
      operationId: call.id,
      summary: call.summary,
      security: call.open === true ? [] : [{ bearer: [] }],
      parameters: [
        ...names.map((name) => ({
          name,
          in: "path" as const,
          required: true,
          schema: { type: "string" },
        })),
        ...(call.query === undefined
          ? []
          : parametersOf(book, `${call.id}.query`, "query", call.query)),
      ],
      ...(call.body === undefined
        ? {}
        : {
            requestBody: {
              required: true,
              content: { "application/json": { schema: book.add(`${call.id}.body`, call.body) } },
            },
          }),
      responses: {
        "200": { description: "成功，或 error 不为 0 的拒绝", content: json },
        default: { description: "拒绝", content: json },
      },
    };
    (paths[call.path] ??= {})[call.method] = operation;
  }
  return paths;
}

/** @throws Error when two calls have the same method and path, or the same id */
export function openApiDocument(calls: readonly RestCall[], version: string): OpenApiDocument {
  const book = createSchemaBook();
  const paths = providerPaths(book);
  const ids = new Set<string>();
  for (const call of calls) {
    const method = call.method.toLowerCase();
    const path = (paths[call.path] ??= {});
    if (path[method] !== undefined)
      throw new Error(`${call.method} ${call.path} is declared twice`);
    if (ids.has(call.id)) throw new Error(`the id ${call.id} is given twice`);
    ids.add(call.id);
    path[method] = operationOf(book, call);
  }
  const used = new Set(
    Object.values(paths).flatMap((path) =>
      Object.values(path).map((operation) => operation.tags[0]),
    ),
  );
  const error = book.add(
    "refusal",
    envelopeSchema.extend({ error: z.enum(Object.keys(ERROR_CATALOGUE) as [string]) }),
  );
  return {
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
      schemas: book.components,
    },
  };
}
