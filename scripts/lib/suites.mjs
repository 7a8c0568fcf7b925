// Runs checks and suites one after another, sums up their reports, and ends with `N passed, N failed`.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { failedOfPlaywright, failedOfVitest, indented } from "./failures.mjs";
import { root } from "./prepare.mjs";

export const bin = (path) => join(root, "node_modules", path);

/** @param {Record<string, string>} env environment variables for every process */
export function createSuites(env) {
  const out = join(root, ".artifacts");
  mkdirSync(out, { recursive: true });
  const began = Date.now();
  const sums = { passed: 0, failed: 0, skipped: 0 };
  // Printed again at the end, because the first lines of a long run may be lost.
  const failures = [];

  function run(title, args, more = {}) {
    console.log(`\n— ${title}`);
    const result = spawnSync(process.execPath, args, {
      cwd: root,
      stdio: "inherit",
      env: { ...process.env, ...env, ...more },
    });
    console.log(`  (${Math.round((Date.now() - began) / 1000)} s since the start)`);
    return result.status === 0;
  }

  /** Runs a suite that writes a report; a suite without a report counts as failed. */
  function suite(title, args, report, read, more) {
    rmSync(report, { force: true });
    const ok = run(title, args, more);
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

  return {
    /** Runs a check, which counts as one pass or one failure. */
    check(title, args) {
      const ok = run(title, args);
      sums[ok ? "passed" : "failed"] += 1;
      if (!ok) failures.push({ name: title, why: "" });
    },

    /**
     * @param {string} name name of the report file
     * @param {string[]} args filters and options for vitest
     */
    vitest(title, name, args, more) {
      const report = join(out, `${name}.json`);
      const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
      suite(
        title,
        [bin("vitest/vitest.mjs"), "run", ...args, ...reporters],
        report,
        (r) => ({
          passed: r.numPassedTests,
          failed: r.numFailedTests + (r.success || r.numFailedTests > 0 ? 0 : 1),
          skipped: r.numPendingTests + (r.numTodoTests ?? 0),
          failures: failedOfVitest(r),
        }),
        more,
      );
    },

    /**
     * @param {string} name name of the report file
     * @param {string[]} args filters and options for Playwright
     * @param {string} runner package of the runner, because each version supports other browsers
     */
    playwright(title, name, args, more = {}, runner = "@playwright/test") {
      const report = join(out, `${name}.json`);
      suite(
        title,
        [bin(`${runner}/cli.js`), "test", ...args],
        report,
        (r) => ({
          passed: r.stats.expected + r.stats.flaky,
          failed: r.stats.unexpected,
          skipped: r.stats.skipped,
          failures: r.suites.flatMap(failedOfPlaywright),
        }),
        { PLAYWRIGHT_JSON_OUTPUT_NAME: report, ...more },
      );
    },

    /** Prints the failures and the sums, and ends the process. */
    finish() {
      for (const { name, why } of failures) console.log(`\n✘ ${name}\n${indented(why)}`);
      const skipped = sums.skipped > 0 ? `, ${sums.skipped} skipped` : "";
      console.log(`\n${sums.passed} passed, ${sums.failed} failed${skipped}`);
      process.exit(sums.failed === 0 && sums.passed > 0 ? 0 : 1);
    },
  };
}
