/** The lists of tests name what exists (CONTRIBUTING.md#which-tests-to-run-when). */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  type ListedTest,
  linesOfList,
  quarantinedTests,
  smokeTests,
} from "../../scripts/lib/lists.mjs";

const root = join(import.meta.dirname, "../..");

const exists = ({ file, title }: ListedTest): boolean => {
  const path = join(root, file.endsWith(".spec.ts") ? "tests" : ".", file);
  return existsSync(path) && readFileSync(path, "utf8").includes(`"${title}`);
};

it("tests/smoke.list names spec files and titles that exist, each once", () => {
  const lines = linesOfList("smoke");
  expect(lines.length).toBeGreaterThan(5);
  expect(new Set(lines).size).toBe(lines.length);
  expect(smokeTests().filter((test) => !exists(test))).toEqual([]);
});

it("tests/heavy.list names test files that exist, each once", () => {
  const lines = linesOfList("heavy");
  expect(lines.length).toBeGreaterThan(5);
  expect(new Set(lines).size).toBe(lines.length);
  expect(lines.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

it("tests/quarantine.list is short, and names tests that exist with a reason and what was measured", () => {
  const tests = quarantinedTests();
  expect(tests.length).toBeLessThanOrEqual(5);
  const wrong = tests.filter(
    (test) => !exists(test) || test.title === "" || test.reason === "" || test.measured === "",
  );
  expect(wrong).toEqual([]);
});
