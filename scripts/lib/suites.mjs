// Runs checks and suites, sums up their reports, and ends with `N passed, N failed`.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { failedOfPlaywright, failedOfVitest, indented, PAGE_LINES, PAGES } from "./failures.mjs";
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

  // Suites that run side by side print when they end, so that their lines do not mix.
  let sideBySide = 0;

  function run(title, args, more = {}) {
    const buffered = sideBySide > 0;
    const start = Date.now();
    if (!buffered) console.log(`\n— ${title}`);
    return new Promise((resolve) => {
      const child = spawn(process.execPath, args, {
        cwd: root,
        stdio: ["ignore", buffered ? "pipe" : "inherit", buffered ? "pipe" : "inherit"],
        env: { ...process.env, ...env, ...more },
      });
      const printed = [];
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on("data", (chunk) => printed.push(chunk));
      }
      child.once("close", (code) => {
        if (buffered) console.log(`\n— ${title}\n${Buffer.concat(printed).toString().trimEnd()}`);
        const seconds = (from) => Math.round((Date.now() - from) / 1000);
        console.log(`  (${seconds(start)} s; ${seconds(began)} s since the start)`);
        resolve(code === 0);
      });
    });
  }

  /** Runs a suite that writes a report; a suite without a report counts as failed. */
  async function suite(title, args, report, read, more) {
    rmSync(report, { force: true });
    const ok = await run(title, args, more);
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
    async check(title, args) {
      const ok = await run(title, args);
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
      return suite(
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
      return suite(
        title,
        // A folder per suite, because a run empties its folder and would remove what an earlier suite kept of its failures.
        [bin(`${runner}/cli.js`), "test", `--output=${join(out, `${name}-files`)}`, ...args],
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

    /**
     * Runs lanes of suites side by side, each lane in order.
     * @param {(() => Promise<void>)[]} lanes
     */
    async together(...lanes) {
      sideBySide += 1;
      await Promise.all(lanes.map((lane) => lane()));
      sideBySide -= 1;
    },

    /** Prints the failures and the sums, and ends the process. */
    finish() {
      for (const { name, shown = [] } of failures.filter(({ shown = [] }) => shown.length > 0)) {
        console.log(`\nwhat the pages showed in ${name}`);
        for (const page of shown.slice(0, PAGES)) console.log(indented(page, PAGE_LINES));
      }
      // Last, because some readers keep only the end of a long output.
      for (const { name, why } of failures) console.log(`\n✘ ${name}\n${indented(why)}`);
      const skipped = sums.skipped > 0 ? `, ${sums.skipped} skipped` : "";
      console.log(`\n${sums.passed} passed, ${sums.failed} failed${skipped}`);
      process.exit(sums.failed === 0 && sums.passed > 0 ? 0 : 1);
    },
  };
}
