/** The folders that ARCHITECTURE.md lists are those of the project. A module that stands alone needs no place in it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
const [, section = ""] = /^## Folders$([\s\S]*?)^## /m.exec(text) ?? [];

const standsAlone = (index: string): boolean =>
  existsSync(index) && readFileSync(index, "utf8").includes("export const standalone");

it.each([
  "src",
  "src/workers",
  "src/workers/core",
  "src/workers/import",
  "src/rtc-main",
  "src/ui",
  "src/server/base",
  "src/server/modules",
])("ARCHITECTURE.md names every folder of %s", (folder) => {
  const inside = readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .filter((name) => !standsAlone(join(root, folder, name, "index.ts")));
  expect(inside.length).toBeGreaterThan(2);
  const words = new Set(section.split(/[^\w-]+/));
  expect(inside.filter((name) => !words.has(name))).toEqual([]);
});
