// npm start: installs what is missing, builds the console and serves it.
import { spawn } from "node:child_process";
import { checkNode, ensureBuild, ensurePackages, root } from "./lib/prepare.mjs";
import { SERVER_ARGS, SERVER_ENVIRONMENT, triedEnvironment } from "./lib/server-command.mjs";

checkNode();
ensurePackages({ tests: false });
await ensureBuild({ quick: true });
const server = spawn(process.execPath, SERVER_ARGS, {
  cwd: root,
  stdio: "inherit",
  env: { ...SERVER_ENVIRONMENT, ...triedEnvironment(process.env) },
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => server.kill(signal));
server.on("exit", (code) => process.exit(code ?? 0));
