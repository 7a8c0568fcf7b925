/** The login loads only the first part of the Chinese texts (src/ui/i18n/zh-first.ts), so its code may use no other. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { firstZh } from "../../src/ui/i18n/zh-first.ts";

const ROOT = join(import.meta.dirname, "../..");
/** Imports and exports of values; what loads later is written `import(…)`. */
const IMPORTS = /^(?:import|export)\s+(?!type\b)(?:[^;"]*?from\s+)?"(\.[^"]+)"/gm;
const TEXTS = /\bt\(([^()]*)\)/g;
const KEYS = /"(\w+(?:\.\w+)+)"|`(\w+(?:\.\w+)*)\.\$\{/g;

function filesOf(entry: string): Map<string, string> {
  const files = new Map<string, string>();
  const walk = (path: string): void => {
    if (files.has(path) || !existsSync(path)) return;
    const content = readFileSync(path, "utf8");
    files.set(path, content);
    for (const [, name = ""] of content.matchAll(IMPORTS)) walk(join(dirname(path), name));
  };
  walk(join(ROOT, entry));
  return files;
}

const has = (key: string): boolean =>
  key
    .split(".")
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], firstZh) !==
  undefined;

test("The code that the login waits for uses only texts that it has", () => {
  const files = filesOf("src/ui/main.tsx");
  expect([...files.keys()].filter((path) => path.endsWith("LoginPage.tsx"))).toHaveLength(1);
  const used = [...files].flatMap(([path, content]) =>
    [...content.matchAll(TEXTS)].flatMap(([, inside = ""]) =>
      [...inside.matchAll(KEYS)].map(
        ([, key, beginning]) => [path, key ?? beginning ?? ""] as const,
      ),
    ),
  );
  expect(used.length).toBeGreaterThan(40);
  expect(used.filter(([, key]) => !has(key))).toEqual([]);
});

test("The code that the login waits for has no zod and none of Arco's components", () => {
  for (const [path, content] of filesOf("src/ui/main.tsx")) {
    expect(content, path).not.toMatch(/^import (?!type\b)[^;]*from "(zod|@arco-design\/[^"]*)"/m);
  }
});
