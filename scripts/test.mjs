// npm test: checks, tests in Node that give the same result each time, and the browser tests of tests/smoke.list. Its last line is
// `N passed, N failed`. `npm run test:browsers` runs everything else (CONTRIBUTING.md#check).
import { quarantinedTests } from "./lib/lists.mjs";
import { keepTemporaryFilesInMemory } from "./lib/memory-folder.mjs";
import { checkNode, ensureBuild, ensurePackages, ensurePrograms } from "./lib/prepare.mjs";
import { startServices } from "./lib/services.mjs";
import { bin, createSuites, SERVERS_ON_POSTGRES } from "./lib/suites.mjs";

/**
 * Tests of the database itself that run on the embedded one too. Browser tests of a login, an import and an outage use it for everything
 * else. The other tests of this folder do the same with either database, so they run once.
 */
const ON_EMBEDDED = [
  "src/server/base/database/migrations.test.ts",
  "src/server/base/database/schema.test.ts",
  "src/server/base/database/seed-employees.test.ts",
  "src/server/base/database/seed.test.ts",
  "src/server/base/database/tenant.test.ts",
  "src/server/platform.test.ts",
];

checkNode();
ensurePackages();
keepTemporaryFilesInMemory();
const programs = ensurePrograms("test");
const services = await startServices();
const { check, vitest, vitestInParts, playwright, finish } = createSuites(programs);

await ensureBuild({ quick: true });
// On two processors: more checkers would check the same types several times.
await check("types", [bin("typescript/bin/tsc"), "--noEmit", "--checkers", "2"]);
await check("types of shared, without DOM and Node", [
  bin("typescript/bin/tsc"),
  "--noEmit",
  "-p",
  "src/shared/tsconfig.json",
]);
await check("lint", [bin("oxlint/bin/oxlint"), "--deny-warnings"]);
await check("unused files, exports and packages", [
  bin("knip/bin/knip.js"),
  "--no-progress",
  // git ignores the registries, which lead to every table of calls
  "--no-gitignore",
]);
await check("format", [bin("oxfmt/bin/oxfmt"), "--check"]);

const unit = ["--project=shared", "--project=alone"];
await vitestInParts("unit and server tests", "unit", unit, services);
if (services.TEST_DATABASE_URL !== "") {
  const none = { TEST_DATABASE_URL: "", TEST_REDIS_URL: "" };
  const args = [...ON_EMBEDDED, "--maxWorkers=2"];
  await vitest("server tests on the embedded database", "embedded", args, none);
}

const config = ["-c", "tests/playwright.config.ts"];
const options = { repeats: true, more: { ...services, SMOKE: "1", ...SERVERS_ON_POSTGRES } };
const shared = ["--project=shared *", "--workers=2"];
await playwright("browser tests", "browser", config, shared, options);
const alone = ["--project=alone *"];
await playwright("browser tests with pictures", "browser-alone", config, alone, options);
await finish(quarantinedTests());
