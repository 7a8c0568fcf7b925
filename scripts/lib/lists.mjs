// The lists in tests/*.list that say which command runs which tests (CONTRIBUTING.md#check).
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const tests = fileURLToPath(new URL("../../tests/", import.meta.url));

/**
 * Lines of a list, without comments (`# …`) and empty lines.
 * @param {"heavy" | "quarantine" | "smoke"} name
 * @returns {string[]}
 */
export const linesOfList = (name) =>
  readFileSync(join(tests, `${name}.list`), "utf8")
    .split("\n")
    .map((line) => line.replace(/(^|\s)#.*$/, "").trim())
    .filter((line) => line !== "");

const testOf = (line) => {
  const [file = "", title = ""] = line.split(" › ");
  return { file: file.trim(), title: title.trim() };
};

/**
 * Browser tests of `npm test`. A line is a spec file below tests/, or `file › beginning of a title`.
 * @returns {{ file: string, title: string }[]} an empty title means every test of the file
 */
export const smokeTests = () => linesOfList("smoke").map(testOf);

/**
 * Tests that `npm test` leaves out. A line is `file › title | reason | what was measured`.
 * @returns {{ file: string, title: string, reason: string, measured: string }[]} file: of a spec below tests/, of a test in Node below the project
 */
export const quarantinedTests = () =>
  linesOfList("quarantine").map((line) => {
    const [test = "", reason = "", measured = ""] = line.split(" | ");
    return { ...testOf(test), reason: reason.trim(), measured: measured.trim() };
  });
