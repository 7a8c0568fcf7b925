// npm run test:browsers [-- word … --part K/N]: every browser and media test, and the heavy tests in Node (tests/heavy.list). Words choose
// files by name; parts divide the files, so that a slow machine runs the whole in several sittings. Its last line is `N passed, N failed`.
import { parseArgs } from "node:util";
import { keepTemporaryFilesInMemory } from "./lib/memory-folder.mjs";
import {
  checkNode,
  ensureBuild,
  ensureLibrary,
  ensurePackages,
  ensurePrograms,
} from "./lib/prepare.mjs";
import { startServices } from "./lib/services.mjs";
import { createSuites, SERVERS_ON_POSTGRES } from "./lib/suites.mjs";

checkNode();
ensurePackages();
keepTemporaryFilesInMemory();
const { values, positionals: words } = parseArgs({
  args: process.argv.slice(2).filter((word) => word !== "--"),
  options: { part: { type: "string" } },
  allowPositionals: true,
});
const part = values.part === undefined ? [] : [`--shard=${values.part}`];
const programs = ensurePrograms("test");
const services = await startServices();
const { vitest, playwright, finish } = createSuites(programs);
const mayBeEmpty = words.length + part.length > 0;

await ensureBuild();
await ensureLibrary();
const media = ["--project=media", "--maxWorkers=2", "--passWithNoTests", ...part, ...words];
await vitest("media tests", "media", media, services);
const heavy = ["--project=heavy", "--maxWorkers=2", "--passWithNoTests", ...part, ...words];
await vitest("heavy tests in Node", "heavy", heavy, services);
const config = ["-c", "tests/playwright.config.ts"];
const options = { repeats: true, more: { ...services, ...SERVERS_ON_POSTGRES } };
const some = [...(mayBeEmpty ? ["--pass-with-no-tests"] : []), ...part, ...words];
const shared = ["--project=shared *", "--workers=2", ...some];
await playwright("browser tests", "browser", config, shared, options);
const alone = ["--project=alone *", ...some];
await playwright("browser tests with pictures or times", "browser-alone", config, alone, options);
await finish();
