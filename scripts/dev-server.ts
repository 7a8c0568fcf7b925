/** Vite in middleware mode inside the platform server: one process and one port, with the console's sources served live. */
import { createServer as createVite } from "vite";
import { readConfig } from "../src/server/base/config.ts";
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from "../src/server/base/database/seed.ts";
import { createLogger } from "../src/server/base/log.ts";
import type { Middleware } from "../src/server/base/http/app-server.ts";
import { createPlatform } from "../src/server/platform.ts";
import { keepSecret } from "../src/server/base/secret.ts";

const first = readConfig(process.env);
const config = readConfig(process.env, keepSecret(first.DATA_DIR));
const log = createLogger(config.LOG_LEVEL === "info" ? "warn" : config.LOG_LEVEL);

let live: Middleware = (_request, _response, next) => next();
const platform = await createPlatform({
  config,
  log,
  middleware: (request, response, next) => live(request, response, next),
});
const vite = await createVite({
  appType: "spa",
  server: { middlewareMode: true, hmr: { server: platform.server } },
});
live = vite.middlewares;

const port = await platform.listen(config.PORT, config.HOST);
console.log(`City safety console, live: http://localhost:${port}`);
if (platform.demo) {
  const names = DEMO_ACCOUNTS.map((a) => `${a.username} ${a.name}`).join(", ");
  console.log(`Demo accounts (password ${DEMO_PASSWORD}): ${names}`);
}

let ending = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    if (ending) return;
    ending = true;
    void vite
      .close()
      .then(() => platform.close())
      .then(() => process.exit(0));
  });
}
