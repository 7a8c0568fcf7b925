// Extracts the failures from the reports of the test runners, each with its name and reason.
import { relative } from "node:path";

/** Most lines of a reason that are printed. */
const LINES = 20;
/** Most pages per failure, because a test of ten tabs shows ten alike. */
export const PAGES = 4;
/** Most lines per page. */
export const PAGE_LINES = 60;
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

/** What the pages showed when a test failed (tests/support/what-pages-show.ts). */
const pagesOf = (result) =>
  (result.attachments ?? [])
    .filter(({ name, body }) => name.startsWith("page ") && body !== undefined)
    .map(({ name, body }) => `${name}: ${Buffer.from(body, "base64").toString("utf8")}`);

const escaped = (text) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&");
/** Options that choose one test. By project and title, because the reported file may be one that the test's file imports. */
const chosenBy = (title, project) => [
  ...(project === "" ? [] : [`--project=${project}`]),
  `--grep=${escaped(title)}$`,
];

/**
 * @returns {{name: string, again: string[], why: string, shown: string[]}[]} failures in one suite of Playwright's JSON report, including
 * nested suites; `again` are the options that choose the test
 */
export const failedOfPlaywright = (suite) => [
  ...(suite.suites ?? []).flatMap(failedOfPlaywright),
  ...(suite.specs ?? [])
    .filter(({ ok }) => !ok)
    .map(({ title, file, line, tests }) => ({
      name: `${file}:${line} ${title}`,
      again: chosenBy(title, tests[0]?.projectName ?? ""),
      why: plain(
        tests
          .flatMap(({ results }) => results.flatMap(({ errors }) => errors))
          .map(({ message }) => message ?? "")
          .join("\n"),
      ),
      shown: tests.flatMap(({ results }) => results.flatMap(pagesOf)),
    })),
];

/** The first lines of a reason, indented, without stack frames of the runner. */
export const indented = (text, lines = LINES) =>
  text
    .split("\n")
    .filter((line) => !line.includes("/node_modules/"))
    .slice(0, lines)
    .map((line) => `  ${line}`)
    .join("\n");
