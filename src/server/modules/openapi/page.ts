/** Renders the document as a readable page without scripts. The search is a form that the server answers. */
import type { JsonSchema, OpenApiDocument, Operation } from "./document.ts";

const SIGNS: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const text = (value: string): string => value.replaceAll(/[&<>"']/g, (sign) => SIGNS[sign] ?? "");
const json = (value: unknown): string => `<pre>${text(JSON.stringify(value, null, 2))}</pre>`;

/** A short name for a schema. */
function typeOf(schema: JsonSchema): string {
  if (typeof schema["$ref"] === "string") return schema["$ref"].split("/").at(-1) ?? "";
  if ("const" in schema) return JSON.stringify(schema["const"]);
  if (Array.isArray(schema["enum"]))
    return schema["enum"].map((v) => JSON.stringify(v)).join(" | ");
  const either = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(either)) return either.map((one: JsonSchema) => typeOf(one)).join(" | ");
  if (schema["type"] === "array") return `${typeOf((schema["items"] ?? {}) as JsonSchema)}[]`;
  const type = typeof schema["type"] === "string" ? schema["type"] : "any";
  const limits = ["minLength", "maxLength", "minimum", "maximum", "pattern", "format", "default"]
    .filter((key) => key in schema)
    .map((key) => `${key} ${String(JSON.stringify(schema[key]))}`);
  return limits.length === 0 ? type : `${type}（${limits.join("，")}）`;
}

const row = (name: string, place: string, required: boolean, schema: JsonSchema): string =>
  `<tr><td><code>${text(name)}</code></td><td>${place}</td><td>${required ? "必填" : ""}</td><td>${text(typeOf(schema))}</td></tr>`;

const PLACES = { path: "路径", query: "查询", header: "请求头" } as const;

function card(method: string, path: string, operation: Operation): string {
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? ["", null];
  const body = (content?.schema ?? {}) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  const rows = [
    ...(operation.parameters ?? []).map((p) =>
      row(p.name, PLACES[p.in], p.required === true, p.schema),
    ),
    ...Object.entries(body.properties ?? {}).map(([name, schema]) =>
      row(name, "请求体", body.required?.includes(name) === true, schema),
    ),
  ].join("");
  return `<article id="${text(operation.operationId)}">
<h3><span class="method ${method}">${method.toUpperCase()}</span> <code>${text(path)}</code></h3>
<p>${text(operation.summary)}</p>
<p class="access">${text(operation.description ?? "")}</p>
${rows === "" ? "" : `<table><thead><tr><th>名称</th><th>位置</th><th></th><th>类型</th></tr></thead><tbody>${rows}</tbody></table>`}
${content === null ? "" : `<details><summary>请求体 ${text(type)}</summary>${json(content.schema)}</details>`}
<details><summary>响应</summary>${json(operation.responses["200"])}</details>
</article>`;
}

/** @param search words that every shown call must contain, in any order; "" shows all */
export function openApiPage(document: OpenApiDocument, search: string): string {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
    )
    .filter(({ method, path, operation }) => {
      const tag = document.tags.find((t) => t.name === operation.tags[0])?.description ?? "";
      const hay =
        `${method} ${path} ${operation.operationId} ${operation.summary} ${operation.description ?? ""} ${tag}`.toLowerCase();
      return words.every((word) => hay.includes(word));
    });
  const groups = document.tags
    .map((tag) => ({ tag, operations: shown.filter((one) => one.operation.tags[0] === tag.name) }))
    .filter(({ operations }) => operations.length > 0);
  return `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(document.info.title)}</title>
<link rel="stylesheet" href="openapi/style.css">
</head>
<body>
<header>
<h1>${text(document.info.title)}</h1>
<p>${text(document.info.description)} <a href="openapi.json">OpenAPI 3.1 文档</a></p>
<form action="openapi" method="get" role="search">
<label>搜索 <input type="search" name="q" value="${text(search)}" maxlength="100"></label>
<button>查找</button>
</form>
<p role="status">共 ${shown.length} 个接口</p>
<nav aria-label="分组">${groups.map(({ tag, operations }) => `<a href="#tag-${text(tag.name)}">${text(tag.description)}（${operations.length}）</a>`).join(" ")}</nav>
</header>
<main>
${groups
  .map(
    ({ tag, operations }) =>
      `<section id="tag-${text(tag.name)}"><h2>${text(tag.description)}</h2>${operations.map((one) => card(one.method, one.path, one.operation)).join("\n")}</section>`,
  )
  .join("\n")}
</main>
</body>
</html>
`;
}

export const PAGE_STYLE = `:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem; font: 15px/1.6 system-ui, "PingFang SC", "Microsoft YaHei", sans-serif; }
nav a { margin-right: 0.75rem; }
article { border: 1px solid #8885; border-radius: 6px; padding: 0 1rem 0.75rem; margin: 1rem 0; }
h3 { margin-bottom: 0.25rem; overflow-wrap: anywhere; }
.method { display: inline-block; min-width: 4rem; text-align: center; border-radius: 4px; color: #fff; background: #165dff; font-size: 0.8em; }
.post { background: #00803c; } .put { background: #a85a00; } .delete { background: #c42b2b; }
.access { opacity: 0.8; margin-top: 0; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: 0.2rem 0.6rem 0.2rem 0; vertical-align: top; overflow-wrap: anywhere; }
pre { overflow: auto; background: #8881; padding: 0.75rem; border-radius: 4px; }
`;
