/**
 * npm run test:torture [-- word …]: tests that are long or random, the server's tests on the embedded database, and the browser suites in
 * Firefox and WebKitGTK. The words `node`, `embedded`, `chromium`, `firefox` and `webkit` choose parts; other words choose files by name. TORTURE_SEED repeats a run. The last line is `N passed, N failed`.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkNode, ensureBuild, ensurePackages, ensurePrograms, root } from "./lib/prepare.mjs";
import { startServices } from "./lib/services.mjs";
import { createSuites } from "./lib/suites.mjs";

const PARTS = ["node", "embedded", "chromium", "firefox", "webkit"];

checkNode();
ensurePackages();
const words = process.argv.slice(2).filter((word) => word !== "--");
const parts = PARTS.filter((part) => words.includes(part));
const names = words.filter((word) => !PARTS.includes(word));
const runs = (part) => parts.length === 0 || parts.includes(part);
const seed = process.env.TORTURE_SEED ?? String(Math.floor(Math.random() * 2 ** 31));
const programs = ensurePrograms("torture");
const { vitest, playwright, finish } = createSuites({
  ...programs,
  TORTURE_SEED: seed,
  TEST_MOTION: "full",
});
console.log(`seed: TORTURE_SEED=${seed}`);

/** The chosen files of a folder. A runner without files is not started, because it would treat "no files" as a failure. */
const chosen = (folder, suffix) =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(suffix))
    .map((entry) => `${folder}/${entry.name}`)
    .filter((file) => names.length === 0 || names.some((name) => file.includes(name)));

/** Random tests of the server, which repeat more often here, as words choose them. Without words all of the server's tests run. */
const repeatedFiles = readdirSync(join(root, "tests/server"))
  .filter((name) => name.endsWith(".test.ts") && names.some((word) => name.includes(word)))
  .map((name) => `tests/server/${name}`)
  .filter((file) => readFileSync(join(root, file), "utf8").includes("repeated("));

const nodeFiles = chosen("tests/torture", ".torture.test.ts");
const chromiumFiles = chosen("tests/torture", ".torture.spec.ts");

if (runs("node") && nodeFiles.length > 0) {
  const one = ["--mode", "torture", "--maxWorkers=1"];
  await vitest("torture in Node", "torture-node", [...one, ...nodeFiles]);
}
if (runs("embedded") && (names.length === 0 || repeatedFiles.length > 0)) {
  // `npm test` runs these on PostgreSQL. The embedded database has one connection, so it finds other faults.
  const files = names.length === 0 ? ["src/server", "tests/server"] : repeatedFiles;
  const folders = [...files, "--maxWorkers=2"];
  const none = { TEST_DATABASE_URL: "", TEST_REDIS_URL: "" };
  await vitest("server tests on the embedded database", "torture-embedded", folders, none);
}
await ensureBuild();
if (runs("chromium") && chromiumFiles.length > 0) {
  const config = ["-c", "tests/torture/playwright.config.ts"];
  await playwright("torture in Chromium", "torture-chromium", config, chromiumFiles);
}
if (runs("firefox")) {
  // A word that chooses files of other parts chooses none here, which is no failure.
  const none = names.length > 0 ? ["--pass-with-no-tests"] : [];
  const config = ["-c", "tests/firefox/playwright.config.ts"];
  const options = { runner: "playwright-test-firefox", more: await startServices() };
  await playwright(
    "browser suites in Firefox",
    "torture-firefox",
    config,
    [...none, ...names],
    options,
  );
}
if (runs("webkit") && (names.length === 0 || names.includes("console"))) {
  await vitest("console in WebKitGTK", "torture-webkit", ["--mode", "webkit", "--maxWorkers=1"]);
}
console.log(`\nseed: TORTURE_SEED=${seed}`);
await finish();
