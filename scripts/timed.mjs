// npm run test:timed [-- word …]: the tests whose times, memory or processor time have limits, one after the other on an otherwise idle
// machine. Words choose files by name. Its last line is `N passed, N failed`.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkNode, ensureBuild, ensurePackages, ensurePrograms, root } from "./lib/prepare.mjs";
import { startServices } from "./lib/services.mjs";
import { createSuites } from "./lib/suites.mjs";

checkNode();
ensurePackages();
const words = process.argv.slice(2).filter((word) => word !== "--");
const programs = ensurePrograms("test");
const services = await startServices();
const { vitest, playwright, finish } = createSuites({
  ...programs,
  ASSERT_TIMES: "1",
  TEST_MOTION: "full",
});

const chosen = (path) => words.length === 0 || words.some((word) => path.includes(word));
/** Files that measure alone, and files with limits that count here only (tests/support/time-limits.ts, src/server/base/cost.harness.ts). */
const timed = (suffix) =>
  ["src", "tests"]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((path) => `${folder}/${path}`),
    )
    .filter((path) => path.endsWith(suffix) && !/^tests\/(?:torture|lint)\//.test(path))
    .filter((path) => {
      const measures = /\b(?:timeLimit|withinCost)\(/;
      return path.includes(".timed.") || measures.test(readFileSync(join(root, path), "utf8"));
    })
    .filter(chosen);

const [specs, tests] = [timed(".spec.ts"), timed(".test.ts")];
await ensureBuild();
if (specs.length > 0) {
  const config = ["-c", "tests/playwright.config.ts", "--workers=1"];
  await playwright("times in Chromium", "timed", config, specs, { more: services });
}
if (tests.length > 0) {
  await vitest("times of the server", "timed-server", ["--maxWorkers=1", ...tests], services);
}
await finish();
