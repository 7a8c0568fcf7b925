// npm run bench [name] [-- --json FILE]: runs the benchmarks, each together with the alternatives it is compared with.
import { spawnSync } from "node:child_process";
import { checkNode, ensureBuild, ensurePackages, ensurePrograms, root } from "./lib/prepare.mjs";

checkNode();
ensurePackages();
await ensureBuild();
const programs = ensurePrograms("bench");
const result = spawnSync(
  process.execPath,
  ["--import", "tsx", "tests/perf/main.ts", ...process.argv.slice(2)],
  { cwd: root, stdio: "inherit", env: { ...process.env, ...programs } },
);
process.exit(result.status ?? 1);
