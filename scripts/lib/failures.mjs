// Extracts the failures from the reports of the test runners, each with its name and reason.
import { relative } from "node:path";

/** Most lines of a reason that are printed. */
const LINES = 20;
const here = (file) => relative(process.cwd(), file);
// Removes terminal colours.
// oxlint-disable-next-line no-control-regex
const plain = (text) => text.replaceAll(/\u001b\[[0-9;]*m/g, "");

/** @returns {{name: string, why: string}[]} failures in vitest's JSON report: failed tests, and files that could not be loaded */
export const failedOfVitest = (report) =>
  report.testResults.flatMap((file) => {
    const failed = file.assertionResults.filter(({ status }) => status === "failed");
    if (failed.length === 0 && file.status === "failed") {
      return [{ name: here(file.name), why: plain(file.message ?? "") }];
    }
    return failed.map(({ fullName, failureMessages }) => ({
      name: `${here(file.name)}: ${fullName}`,
      why: plain(failureMessages.join("\n")),
    }));
  });

/** @returns {{name: string, why: string}[]} failures in one suite of Playwright's JSON report, including nested suites */
export const failedOfPlaywright = (suite) => [
  ...(suite.suites ?? []).flatMap(failedOfPlaywright),
  ...(suite.specs ?? [])
    .filter(({ ok }) => !ok)
    .map(({ title, file, line, tests }) => ({
      name: `${file}:${line} ${title}`,
      why: plain(
        tests
          .flatMap(({ results }) => results.flatMap(({ errors }) => errors))
          .map(({ message }) => message ?? "")
          .join("\n"),
      ),
    })),
];

/** The first lines of a reason, indented, without stack frames of the runner. */
export const indented = (text) =>
  text
    .split("\n")
    .filter((line) => !line.includes("/node_modules/"))
    .slice(0, LINES)
    .map((line) => `  ${line}`)
    .join("\n");
