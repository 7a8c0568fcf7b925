// npm test: all checks and tests, those that fail fastest first. Its last line is `N passed, N failed`.
import { checkNode, ensureBuild, ensurePackages, ensurePrograms } from "./lib/prepare.mjs";
import { bin, createSuites } from "./lib/suites.mjs";

checkNode();
ensurePackages();
const { check, vitest, playwright, finish } = createSuites(ensurePrograms("test"));

check("types", [bin("typescript/bin/tsc"), "--noEmit"]);
check("types of shared, without DOM and Node", [
  bin("typescript/bin/tsc"),
  "--noEmit",
  "-p",
  "src/shared/tsconfig.json",
]);
check("lint", [bin("oxlint/bin/oxlint"), "--deny-warnings"]);
check("format", [bin("oxfmt/bin/oxfmt"), "--check"]);

const BOTH_CORES = "--maxWorkers=2";
// Media tests measure pictures and their timing, so they run separately from the others.
vitest("unit and server tests", "unit", ["--exclude=tests/media/**", BOTH_CORES], {
  TEST_DATABASE_URL: "",
});
vitest("media tests", "media", ["tests/media"], { TEST_DATABASE_URL: "" });
// Run the server's tests again on PostgreSQL if one is given.
if ((process.env.TEST_DATABASE_URL ?? "") !== "") {
  vitest("server tests on PostgreSQL", "postgres", ["src/server", "tests/server", BOTH_CORES]);
}

ensureBuild();
playwright("browser tests", "browser", ["-c", "tests/playwright.config.ts"]);
finish();
