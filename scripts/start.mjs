// npm start: installs what is missing, builds, serves the console.
import { spawn } from "node:child_process";
import { checkNode, ensureBuild, ensurePackages, root } from "./lib/prepare.mjs";

checkNode();
ensurePackages();
ensureBuild();
const server = spawn(process.execPath, ["--import", "tsx", "src/server/main.ts"], {
  cwd: root,
  stdio: "inherit",
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => server.kill(signal));
server.on("exit", (code) => process.exit(code ?? 0));
