// npm run bench [name] [-- --json FILE]: runs the benchmarks, each together with the alternatives it is compared with.
import { spawnSync } from "node:child_process";
import { checkNode, ensureBuild, ensurePackages, ensurePrograms, root } from "./lib/prepare.mjs";
import { startServices } from "./lib/services.mjs";

checkNode();
ensurePackages();
await ensureBuild();
const programs = ensurePrograms("bench");
const services = await startServices();
const result = spawnSync(
  process.execPath,
  ["--import", "tsx", "tests/perf/main.ts", ...process.argv.slice(2)],
  { cwd: root, stdio: "inherit", env: { ...process.env, ...programs, ...services } },
);
process.exit(result.status ?? 1);
