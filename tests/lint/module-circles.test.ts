/** Imports between the folders of the server's modules form no circle. The linter finds only circles between files. */
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../../src/server/modules");

const sources = readdirSync(root, { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => /(?<!\.(?:test|harness|fake|generated))\.ts$/.test(file));

/** The modules that each module imports, types included. */
const imports = new Map<string, Set<string>>();
for (const file of sources) {
  const [from = ""] = file.split("/");
  for (const [, path = ""] of readFileSync(join(root, file), "utf8").matchAll(
    /\bfrom "(\.[^"]+)"/g,
  )) {
    const target = posix.join(posix.dirname(file), path);
    const [to = ""] = target.split("/");
    if (target.startsWith("../") || to === from) continue;
    imports.set(from, (imports.get(from) ?? new Set()).add(to));
  }
}

/** Every module that this one reaches by imports of imports. */
function reachedFrom(module: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [module];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const to of imports.get(next) ?? []) {
      if (reached.has(to)) continue;
      reached.add(to);
      waiting.push(to);
    }
  }
  return reached;
}

it("No module of the server reaches itself by what it imports", () => {
  expect(imports.size).toBeGreaterThan(15);
  expect([...imports.keys()].filter((module) => reachedFrom(module).has(module))).toEqual([]);
});
