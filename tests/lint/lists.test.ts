/** The lists of tests name what exists (CONTRIBUTING.md#which-tests-to-run-when). */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { linesOfList, smokeTests } from "../../scripts/lib/lists.mjs";

const root = join(import.meta.dirname, "../..");

it("tests/smoke.list names spec files and titles that exist, each once", () => {
  const lines = linesOfList("smoke");
  expect(lines.length).toBeGreaterThan(5);
  expect(new Set(lines).size).toBe(lines.length);
  const wrong = smokeTests().filter(({ file, title }) => {
    const path = join(root, "tests", file);
    return !existsSync(path) || !readFileSync(path, "utf8").includes(`"${title}`);
  });
  expect(wrong).toEqual([]);
});

it("tests/heavy.list names test files that exist, each once", () => {
  const lines = linesOfList("heavy");
  expect(lines.length).toBeGreaterThan(5);
  expect(new Set(lines).size).toBe(lines.length);
  expect(lines.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
