// npm run seed -- --employees N [--company NAME]: adds many employees. If the server runs on the embedded database, stop it
// first.
import { spawnSync } from "node:child_process";
import { checkNode, ensurePackages, root } from "./lib/prepare.mjs";

checkNode();
ensurePackages();
const result = spawnSync(
  process.execPath,
  ["--import", "tsx", "src/server/seed.ts", ...process.argv.slice(2)],
  { cwd: root, stdio: "inherit" },
);
process.exit(result.status ?? 1);
