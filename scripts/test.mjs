// npm test: everything that must hold, in the order in which it fails fastest. Its last line is `N passed, N failed`.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { failedOfPlaywright, failedOfVitest, indented } from "./lib/failures.mjs";
import { checkNode, ensureBuild, ensureChromium, ensurePackages, root } from "./lib/prepare.mjs";

checkNode();
ensurePackages();
const chromium = ensureChromium();
const out = join(root, ".artifacts");
mkdirSync(out, { recursive: true });

const sums = { passed: 0, failed: 0, skipped: 0 };
const bin = (path) => join(root, "node_modules", path);
const began = Date.now();

function run(title, args, env = {}) {
  console.log(`\n— ${title}`);
  const result = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, CHROMIUM_PATH: chromium, ...env },
  });
  console.log(`  (${Math.round((Date.now() - began) / 1000)} s since the start)`);
  return result.status === 0;
}

/** What failed and why, told again at the end: what was printed first may not be kept. */
const failures = [];

/** A check that is one pass or one failure. */
function check(title, args) {
  const ok = run(title, args);
  sums[ok ? "passed" : "failed"] += 1;
  if (!ok) failures.push({ name: title, why: "" });
}

/** A suite that reports its own sums; one that ends without a report has failed. */
function suite(title, args, report, read, env) {
  rmSync(report, { force: true });
  const ok = run(title, args, env);
  if (!existsSync(report)) {
    sums.failed += 1;
    failures.push({ name: title, why: "ended without a report" });
    return;
  }
  const counts = read(JSON.parse(readFileSync(report, "utf8")));
  sums.passed += counts.passed;
  sums.failed += counts.failed;
  sums.skipped += counts.skipped;
  failures.push(...counts.failures);
  if (!ok && counts.failed === 0) {
    sums.failed += 1;
    failures.push({ name: title, why: "failed outside its tests" });
  }
}

check("types", [bin("typescript/bin/tsc"), "--noEmit"]);
check("types of shared, without DOM and Node", [
  bin("typescript/bin/tsc"),
  "--noEmit",
  "-p",
  "src/shared/tsconfig.json",
]);
check("lint", [bin("oxlint/bin/oxlint"), "--deny-warnings"]);
check("format", [bin("oxfmt/bin/oxfmt"), "--check"]);

/** @param only folders whose tests run; none: all. More options of vitest may follow. */
function vitest(title, name, only, env) {
  const report = join(out, `${name}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  suite(
    title,
    [bin("vitest/vitest.mjs"), "run", ...only, ...reporters],
    report,
    (r) => ({
      passed: r.numPassedTests,
      failed: r.numFailedTests + (r.success || r.numFailedTests > 0 ? 0 : 1),
      skipped: r.numPendingTests + (r.numTodoTests ?? 0),
      failures: failedOfVitest(r),
    }),
    env,
  );
}
const BOTH_CORES = "--maxWorkers=2";
// what measures pictures and their timing has the machine to itself
vitest("unit and server tests", "unit", ["--exclude=tests/media/**", BOTH_CORES], {
  TEST_DATABASE_URL: "",
});
vitest("media tests", "media", ["tests/media"], { TEST_DATABASE_URL: "" });
// the server's tests once more where a PostgreSQL is named
if ((process.env.TEST_DATABASE_URL ?? "") !== "") {
  vitest("server tests on PostgreSQL", "postgres", ["src/server", "tests/server", BOTH_CORES]);
}

ensureBuild();
const browserReport = join(out, "browser.json");
suite(
  "browser tests",
  [bin("@playwright/test/cli.js"), "test", "-c", "tests/playwright.config.ts"],
  browserReport,
  (r) => ({
    passed: r.stats.expected + r.stats.flaky,
    failed: r.stats.unexpected,
    skipped: r.stats.skipped,
    failures: r.suites.flatMap(failedOfPlaywright),
  }),
  { PLAYWRIGHT_JSON_OUTPUT_NAME: browserReport },
);

for (const { name, why } of failures) console.log(`\n✘ ${name}\n${indented(why)}`);
const skipped = sums.skipped > 0 ? `, ${sums.skipped} skipped` : "";
console.log(`\n${sums.passed} passed, ${sums.failed} failed${skipped}`);
process.exit(sums.failed === 0 && sums.passed > 0 ? 0 : 1);
