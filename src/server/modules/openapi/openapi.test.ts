import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineCall, type RestCall, restCalls } from "../../../shared/protocol/rest/index.ts";
import { clientOf, createClients } from "../../base/http/client.ts";
import { securityHeaders } from "../../base/http/security.ts";
import type { HttpEnv } from "../../base/module.ts";
import { PROVIDER_CALLS } from "./provider.ts";
import { openApiDocument } from "./document.ts";
import { createOpenApiModule } from "./index.ts";
import { openApiPage } from "./page.ts";

const CALLS: readonly RestCall[] = Object.values(restCalls);
const app = new Hono<HttpEnv>();
app.use((c, next) => {
  c.set("client", clientOf(c, createClients({ hops: 0 })));
  return next();
});
app.use(securityHeaders([]));
createOpenApiModule().operations?.(app);

/** All texts under a key, at any depth. */
function texts(value: unknown, key: string): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([k, inner]) => [
    ...(k === key && typeof inner === "string" ? [inner] : []),
    ...texts(inner, key),
  ]);
}

const parameterSchema = z
  .object({
    name: z.string().min(1),
    in: z.enum(["path", "query", "header"]),
    required: z.boolean().default(false),
    schema: z.record(z.string(), z.unknown()),
  })
  .refine((parameter) => parameter.in !== "path" || parameter.required);
/** The parts of OpenAPI 3.1 that our document uses. */
const documentSchema = z.object({
  openapi: z.literal("3.1.0"),
  info: z.object({ title: z.string().min(1), version: z.string().min(1) }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(
    z.string().regex(/^\/[^?#]*$/),
    z.record(
      z.string().regex(/^(get|post|put|delete)$/),
      z.object({
        operationId: z.string().min(1),
        tags: z.array(z.string()).length(1),
        summary: z.string().min(1),
        security: z.array(z.record(z.string(), z.array(z.string()))),
        parameters: z.array(parameterSchema).default([]),
        requestBody: z
          .object({ content: z.record(z.string(), z.object({ schema: z.looseObject({}) })) })
          .optional(),
        responses: z
          .record(z.string().regex(/^(default|\d{3})$/), z.looseObject({}))
          .refine((responses) => "200" in responses),
      }),
    ),
  ),
  components: z.object({
    securitySchemes: z.record(z.string(), z.looseObject({ type: z.literal("http") })),
    responses: z.record(z.string(), z.looseObject({ description: z.string() })),
    schemas: z.record(z.string().regex(/^[\w.-]+$/), z.looseObject({})),
  }),
});

describe("The OpenAPI document", () => {
  it("has every call of the table once, in the format of OpenAPI 3.1", async () => {
    const response = await app.request("/openapi.json");
    expect(response.headers.get("content-type")).toContain("application/json");
    const raw: unknown = await response.json();
    const document = documentSchema.parse(raw);
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        path,
        method,
        id: operation?.operationId,
      })),
    );
    for (const call of CALLS) {
      expect(operations).toContainEqual({
        path: call.path,
        method: call.method.toLowerCase(),
        id: call.id,
      });
    }
    expect(new Set(operations.map((o) => o.id)).size).toBe(operations.length);
    expect(operations).toHaveLength(CALLS.length + PROVIDER_CALLS.length);
  });

  it("contains no dangling reference, and names every parameter of a path", () => {
    const document = openApiDocument(CALLS, "1");
    const at = (ref: string): unknown =>
      ref
        .replace("#/", "")
        .split("/")
        .reduce<unknown>(
          (value, key) => (value as Record<string, unknown> | undefined)?.[key],
          document,
        );
    const refs = texts(document, "$ref");
    expect(refs.length).toBeGreaterThan(CALLS.length);
    for (const ref of refs) {
      expect(ref).toMatch(/^#\/components\//);
      expect(at(ref), ref).toBeTypeOf("object");
    }
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const operation of Object.values(methods)) {
        const parameters = operation.parameters ?? [];
        const named = parameters.filter((p) => p.in === "path").map((p) => p.name);
        const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
        expect(named.sort(), `${operation.operationId} ${path}`).toEqual(inPath.sort());
        const keys = parameters.map((p) => `${p.in} ${p.name}`);
        expect(new Set(keys).size, operation.operationId).toBe(keys.length);
      }
    }
  });

  it("tells which parameters a call requires, and lets answers gain fields", () => {
    const call = defineCall({
      id: "list",
      method: "GET",
      path: "/list",
      summary: "t",
      auth: "bearer",
      access: { company: "required" },
      query: z.object({ page: z.coerce.number().default(1), word: z.string() }),
      data: z.object({ total: z.number(), part: z.strictObject({ id: z.string() }) }),
    });
    const { parameters, responses } = openApiDocument([call], "1").paths["/list"]!["get"]!;
    expect(parameters?.map((p) => [p.in, p.name, p.required === true])).toEqual([
      ["query", "page", false],
      ["query", "word", true],
      ["header", "supplier-id", true],
    ]);
    expect(JSON.stringify(responses["200"]).split('"additionalProperties":false')).toHaveLength(2);
  });

  it("makes a component of a recursive schema", () => {
    const tree: z.ZodType = z
      .object({ id: z.string(), children: z.array(z.lazy(() => tree)) })
      .meta({ id: "Tree" });
    const call = defineCall({
      id: "tree.get",
      method: "GET",
      path: "/tree",
      summary: "t",
      auth: "none",
      data: tree,
    });
    const document = openApiDocument([call], "1");
    const schemas = document.components["schemas"] ?? {};
    expect(texts(document.paths["/tree"], "$ref")).toContain("#/components/schemas/Tree");
    expect(texts(schemas["Tree"], "$ref")).toEqual(["#/components/schemas/Tree"]);
  });

  it("refuses two calls with the same method and path", () => {
    const call = defineCall({ id: "a", method: "GET", path: "/a", summary: "", auth: "none" });
    expect(() => openApiDocument([call, { ...call, id: "b" }], "1")).toThrow("declared twice");
    expect(() => openApiDocument([call, { ...call, path: "/b" }], "1")).toThrow("given twice");
  });
});

describe("The page", () => {
  const shown = (html: string): string[] =>
    [...html.matchAll(/<article id="([^"]+)">/g)].map((match) => match[1] ?? "");

  it("shows every call in its group, has no script, and its policy lets none run", async () => {
    const response = await app.request("/openapi");
    const html = await response.text();
    expect(shown(html).sort()).toEqual([...CALLS, ...PROVIDER_CALLS].map((call) => call.id).sort());
    expect(html).not.toMatch(/<script|\son\w+=|style=|javascript:/i);
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe");
    expect(html).toContain("登录与账号");
    const style = await app.request("/openapi/style.css");
    expect([style.status, style.headers.get("content-type")]).toEqual([
      200,
      "text/css; charset=utf-8",
    ]);
  });

  it("searches by words in any order", async () => {
    const search = async (q: string): Promise<string[]> =>
      shown(await (await app.request(`/openapi?q=${encodeURIComponent(q)}`)).text());
    expect(await search("post LOGIN/username")).toEqual(["auth.login"]);
    expect(await search("登录与账号 refreshToken")).toEqual(["auth.refresh"]);
    expect(await search("nothing-of-the-kind")).toEqual([]);
  });

  it("escapes the search text", async () => {
    const odd = `"><img src=x onerror=alert(1)>`;
    const html = await (await app.request(`/openapi?q=${encodeURIComponent(odd)}`)).text();
    expect(html).toContain("&quot;&gt;&lt;img src=x onerror=alert(1)&gt;");
    expect(html).not.toContain("<img");
    const call = { ...restCalls.logout, summary: "<b>&" } satisfies RestCall;
    expect(openApiPage(openApiDocument([call], "1"), "")).toContain("&lt;b&gt;&amp;");
  });
});
