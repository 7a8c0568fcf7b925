// Runs checks and suites, sums up their reports, and ends with `N passed, N failed`.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { failedOfPlaywright, failedOfVitest, indented, PAGE_LINES, PAGES } from "./failures.mjs";
import { root } from "./prepare.mjs";

export const bin = (path) => join(root, "node_modules", path);

/**
 * For browser tests: their servers use PostgreSQL, on which they start in a sixth of the processor time, unless a test wants the embedded
 * database (`serverDatabase` in tests/support/fixtures.ts).
 */
export const SERVERS_ON_POSTGRES = { SERVERS_ON_POSTGRES: "1" };

/** More failures than these are no accident of the machine, so none of them runs again. */
const MOST_REPEATED = 5;
/** Parts of the tests in Node, one for each processor. Each loads the modules that its files share, so more parts take longer. */
const PARTS = 2;
/** How many of the slowest suites the end of the output names. */
const SLOWEST = 5;

/**
 * @param {Record<string, string>} env environment variables for every process
 * @param {string} out folder of the reports
 */
export function createSuites(env, out = join(root, ".artifacts")) {
  mkdirSync(out, { recursive: true });
  const began = Date.now();
  const sums = { passed: 0, failed: 0, skipped: 0 };
  // Printed again at the end, because the first lines of a long run may be lost.
  const failures = [];
  // Failed browser tests, which run once more at the end: their failure, and how to run them.
  const repeatable = [];
  const flaky = [];
  const durations = [];

  /** @param buffered prints the output at the end, so that lines of processes side by side do not mix */
  function run(title, args, more = {}, buffered = false) {
    const start = Date.now();
    if (!buffered) console.log(`\n— ${title}`);
    return new Promise((resolve) => {
      const output = buffered ? "pipe" : "inherit";
      const child = spawn(process.execPath, args, {
        cwd: root,
        stdio: ["ignore", output, output],
        env: { ...process.env, ...env, ...more },
      });
      const printed = [];
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on("data", (chunk) => printed.push(chunk));
      }
      child.once("close", (code) => {
        if (buffered) console.log(`\n— ${title}\n${Buffer.concat(printed).toString().trimEnd()}`);
        const seconds = (from) => Math.round((Date.now() - from) / 1000);
        durations.push({ title, seconds: seconds(start) });
        console.log(`  (${seconds(start)} s; ${seconds(began)} s since the start)`);
        resolve(code === 0);
      });
    });
  }

  /** Runs a suite that writes a report. Without a report it counts as one failure. */
  async function reported(title, args, report, read, more, buffered) {
    rmSync(report, { force: true });
    const ok = await run(title, args, more, buffered);
    const failedOutside = (why) => ({ name: title, why });
    if (!existsSync(report)) {
      return { passed: 0, skipped: 0, failures: [failedOutside("ended without a report")] };
    }
    const counts = read(JSON.parse(readFileSync(report, "utf8")));
    return ok || counts.failures.length > 0
      ? counts
      : { ...counts, failures: [failedOutside("failed outside its tests")] };
  }

  /** @param {string} name name of the report file */
  function reportOfVitest(title, name, args, more, buffered) {
    const report = join(out, `${name}.json`);
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    const read = (r) => ({
      passed: r.numPassedTests,
      skipped: r.numPendingTests + (r.numTodoTests ?? 0),
      failures: failedOfVitest(r),
    });
    const command = [bin("vitest/vitest.mjs"), "run", ...args, ...reporters];
    return reported(title, command, report, read, more, buffered);
  }

  function add({ passed, skipped, failures: found }) {
    sums.passed += passed;
    sums.skipped += skipped;
    sums.failed += found.length;
    failures.push(...found);
  }

  /**
   * @param {string} name name of the report file
   * @param {string[]} args filters and options for Playwright
   * @param {string} runner package of the runner, because each version supports other browsers
   */
  function reportOfPlaywright(title, name, args, more, runner) {
    const report = join(out, `${name}.json`);
    return reported(
      title,
      // A folder per suite, because a run empties its folder and would remove what an earlier suite kept of its failures.
      [bin(`${runner}/cli.js`), "test", `--output=${join(out, `${name}-files`)}`, ...args],
      report,
      (r) => ({
        passed: r.stats.expected + r.stats.flaky,
        skipped: r.stats.skipped,
        failures: [
          ...r.suites.flatMap(failedOfPlaywright),
          ...r.errors.map(({ message }) => ({ name: title, why: message ?? "" })),
        ],
      }),
      { PLAYWRIGHT_JSON_OUTPUT_NAME: report, ...more },
    );
  }

  /** Runs failed browser tests once more, each alone. Those that pass are flaky: named at the end, and no failure of the run. */
  async function repeatFailed() {
    if (repeatable.length > MOST_REPEATED) {
      console.log(`\n${repeatable.length} browser tests failed; none of them runs again`);
      return;
    }
    for (const [index, { failure, again }] of repeatable.entries()) {
      const second = await again(`once more: ${failure.name}`, `again-${index}`);
      if (second.failures.length > 0 || second.passed !== 1) continue;
      failures.splice(failures.indexOf(failure), 1);
      sums.failed -= 1;
      sums.passed += 1;
      flaky.push(failure);
    }
  }

  function printEnd(quarantined) {
    for (const { name, shown = [] } of [...flaky, ...failures]) {
      if (shown.length === 0) continue;
      console.log(`\nwhat the pages showed in ${name}`);
      for (const page of shown.slice(0, PAGES)) console.log(indented(page, PAGE_LINES));
    }
    // The rest is last, because some readers keep only the end of a long output.
    for (const { name, why } of flaky) console.log(`\n~ flaky ${name}\n${indented(why)}`);
    for (const { name, why } of failures) console.log(`\n✘ ${name}\n${indented(why)}`);
    for (const { file, title, reason } of quarantined) {
      console.log(`\nleft out, in quarantine: ${file} ${title}: ${reason}`);
    }
    const slowest = durations.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
    const named = slowest.map(({ title, seconds }) => `${title} ${seconds} s`).join("; ");
    const total = Math.round((Date.now() - began) / 1000);
    const load = loadavg().map((value) => value.toFixed(1));
    console.log(`\nslowest: ${named}`);
    console.log(`${total} s in all; load ${load.join(", ")} over 1, 5 and 15 minutes`);
    const skipped = sums.skipped > 0 ? `, ${sums.skipped} skipped` : "";
    console.log(`\n${sums.passed} passed, ${sums.failed} failed${skipped}`);
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
    async vitest(title, name, args, more) {
      add(await reportOfVitest(title, name, args, more));
    },

    /**
     * As `vitest`, in parts, side by side. A part gets its files by their paths and runs them one after the other in one process, so
     * that the same files share a process in each run.
     */
    async vitestInParts(title, name, args, more) {
      const run = async (_, at) => {
        const part = at + 1;
        const one = [...args, `--shard=${part}/${PARTS}`, "--maxWorkers=1"];
        const heading = `${title}, ${part} of ${PARTS}`;
        add(await reportOfVitest(heading, `${name}-${part}`, one, more, true));
      };
      await Promise.all(Array.from({ length: PARTS }, run));
    },

    /**
     * As `vitest`, for Playwright.
     * @param {string[]} config options that choose the configuration; a repeated test runs with them alone
     * @param {string[]} args filters and other options
     * @param {{ repeats?: boolean, more?: Record<string, string>, runner?: string }} options with `repeats`, a failed test runs once
     * more at the end
     */
    async playwright(title, name, config, args, options = {}) {
      const { repeats = false, more = {}, runner = "@playwright/test" } = options;
      const first = await reportOfPlaywright(title, name, [...config, ...args], more, runner);
      add(first);
      if (!repeats) return;
      for (const failure of first.failures) {
        if (failure.again === undefined) continue;
        const one = [...config, "--workers=1", ...failure.again];
        const again = (heading, report) => reportOfPlaywright(heading, report, one, more, runner);
        repeatable.push({ failure, again });
      }
    },

    /**
     * Runs failed browser tests again, prints the failures and the sums, and ends the process.
     * @param {{ file: string, title: string, reason: string }[]} quarantined tests that were left out
     */
    async finish(quarantined = []) {
      await repeatFailed();
      printEnd(quarantined);
      process.exit(sums.failed === 0 && sums.passed > 0 ? 0 : 1);
    },
  };
}
