/**
 * `npm start` installs no package that only tests need, so nothing that it runs or builds imports one. Vite also reads what its
 * configuration imports dynamically.
 */
import { existsSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const installed = new Set(
  Object.keys(
    (
      JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
        dependencies: Record<string, string>;
      }
    ).dependencies,
  ),
);
const IMPORTS =
  /^(?:import|export)\s(?!type\b)[^"';]*?\bfrom\s+"([^"]+)"|^import\s+"([^"]+)"|\bimport\("([^"]+)"\)|new URL\(\s*"(\.[^"]+\.[mc]?[jt]sx?)"/gm;

/** What a source imports, types left out. */
const importsIn = (source: string): string[] =>
  [...source.matchAll(IMPORTS)].map((found) => found.slice(1).find(Boolean) ?? "");
const packageOf = (specifier: string): string =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");

/** The packages that a file and all that it imports need, with a file that does. */
function packagesFrom(...entries: readonly string[]): ReadonlyMap<string, string> {
  const packages = new Map<string, string>();
  const seen = new Set<string>();
  const waiting = entries.map((entry) => join(root, entry));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const path = file.replace(/\?.*$/, "");
    if (seen.has(path) || !existsSync(path)) continue;
    seen.add(path);
    for (const specifier of importsIn(readFileSync(path, "utf8"))) {
      if (specifier.startsWith(".")) waiting.push(join(dirname(path), specifier));
      else if (!specifier.startsWith("node:") && !builtinModules.includes(specifier)) {
        packages.set(packageOf(specifier), relative(root, path));
      }
    }
  }
  return packages;
}

it.each([
  ["npm start", ["scripts/start.mjs"], 0],
  ["the build", ["vite.config.ts"], 2],
  ["the server", ["src/server/main.ts"], 15],
  ["the console", ["src/ui/main.tsx", "src/workers/core/entry.ts"], 10],
] as const)("All packages of %s are installed for npm start", (_, entries, least) => {
  const packages = packagesFrom(...entries);
  expect(packages.size).toBeGreaterThanOrEqual(least);
  expect([...packages].filter(([name]) => !installed.has(name))).toEqual([]);
});

it("An import is found in each of its forms, and one of types is not", () => {
  const source = `import type { A } from "a";
import {
  b,
} from "b/part";
import "c";
export * from "@d/e/f";
const g = await import("g");
new Worker(new URL("./h.ts", import.meta.url));`;
  expect(importsIn(source).map(packageOf)).toEqual(["b", "c", "@d/e", "g", "."]);
});
