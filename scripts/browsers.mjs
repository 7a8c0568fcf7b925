// npm run test:browsers [-- word …]: every browser and media test, and the heavy tests in Node (tests/heavy.list). Words choose files
// by name. Its last line is `N passed, N failed`.
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
const words = process.argv.slice(2).filter((word) => word !== "--");
const programs = ensurePrograms("test");
const services = await startServices();
const { vitest, playwright, finish } = createSuites(programs);
const chosen = words.length > 0;

await ensureBuild();
await ensureLibrary();
const media = ["--project=media", "--maxWorkers=2", "--passWithNoTests", ...words];
await vitest("media tests", "media", media, services);
const heavy = ["--project=heavy", "--maxWorkers=2", "--passWithNoTests", ...words];
await vitest("heavy tests in Node", "heavy", heavy, services);
const config = ["-c", "tests/playwright.config.ts"];
const options = { repeats: true, more: { ...services, ...SERVERS_ON_POSTGRES } };
const some = [...(chosen ? ["--pass-with-no-tests"] : []), ...words];
const shared = ["--project=shared *", "--workers=2", ...some];
await playwright("browser tests", "browser", config, shared, options);
const alone = ["--project=alone *", ...some];
await playwright("browser tests with pictures or times", "browser-alone", config, alone, options);
await finish();
