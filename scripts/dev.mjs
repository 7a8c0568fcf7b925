// npm run dev: Vite and the platform server in one process, on one port.
import { spawn } from "node:child_process";
import { checkNode, ensurePackages, root } from "./lib/prepare.mjs";
import { triedEnvironment } from "./lib/server-command.mjs";

checkNode();
ensurePackages();
const server = spawn(process.execPath, ["--import", "tsx", "scripts/dev-server.ts"], {
  cwd: root,
  stdio: "inherit",
  env: triedEnvironment(process.env),
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => server.kill(signal));
server.on("exit", (code) => process.exit(code ?? 0));
