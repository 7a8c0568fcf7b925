// npm test: everything that must hold, in the order in which it fails fastest. Its last line is `N passed, N failed`.
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
playwright("browser tests", "browser", ["-c", "tests/playwright.config.ts"]);
finish();
