/** Entry point of the server: reads the configuration, starts one platform, and stops it in order on SIGTERM or SIGINT. */
import { existsSync } from "node:fs";
import { readConfig } from "./base/config.ts";
import { type Database, openDatabase } from "./base/database/index.ts";
import { createAreaLogs, createLogger } from "./base/log.ts";
import type { Platform } from "./platform.ts";
import { keepSecret } from "./base/secret.ts";
import { sourcePath } from "./base/source-path.ts";

/** Milliseconds before an orderly stop is abandoned and the process exits. */
const STOP_MS = 15_000;

const writeLine = (text: string): void => void process.stdout.write(`${text}\n`);

function fail(error: unknown): never {
  const lines: string[] = [];
  for (let e: unknown = error; e instanceof Error; e = e.cause) lines.push(e.message);
  process.stderr.write(`${lines.length === 0 ? String(error) : lines.join("\n  ")}\n`);
  process.exit(1);
}

async function main(): Promise<void> {
  // Files that the server writes are readable by its own user only.
  process.umask(0o077);
  const first = readConfig(process.env);
  const config =
    (process.env["APP_SECRET"] ?? "") === ""
      ? readConfig(process.env, keepSecret(first.DATA_DIR))
      : first;
  const whole = createLogger(config.LOG_LEVEL);
  const log = createAreaLogs(whole, config.LOG_LEVELS)("server");
  if (config.REDIS_URL !== undefined && config.DATABASE_URL === undefined) {
    log.warn("REDIS_URL without DATABASE_URL: the embedded database is for one server process");
  }
  const dist = sourcePath("dist");
  const built = existsSync(`${dist}/index.html`);
  if (!built) log.warn("the console is not built (npm run build): only the interfaces are served");

  let platform: Platform | null = null;
  let database: Database | null = null;
  let ending = false;
  const end = (code: number): void => {
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(code === 0 ? 1 : code), STOP_MS).unref();
    const closed = (async () => {
      await platform?.close();
      await database?.close();
    })();
    closed.then(
      () => process.exit(code),
      (error: unknown) => {
        log.error({ err: error }, "the server did not stop properly");
        process.exit(1);
      },
    );
  };
  const opening = openDatabase(config, (error) => {
    log.error({ err: error }, "the database connection was lost");
    if (config.DATABASE_URL === undefined) end(1);
  });
  // Load the modules while the database opens in its thread. This saves half a second at startup.
  const modules = import("./platform.ts");
  modules.catch(() => undefined);
  database = await opening;
  process.on("SIGTERM", () => end(0));
  process.on("SIGINT", () => end(0));
  process.on("unhandledRejection", (error) => {
    log.error({ err: error }, "unhandled promise rejection");
  });
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "uncaught error");
    end(1);
  });

  const { createPlatform } = await modules;
  platform = await createPlatform({ config, log: whole, database, ...(built ? { dist } : {}) });
  const port = await platform.listen(config.PORT);
  writeLine(`City safety console: http://localhost:${port}`);
  if (platform.demo) {
    const { DEMO_ACCOUNTS, DEMO_PASSWORD } = await import("./base/database/seed.ts");
    const names = DEMO_ACCOUNTS.map((a) => `${a.username} ${a.name}`).join(", ");
    writeLine(`Demo accounts (password ${DEMO_PASSWORD}): ${names}`);
  }
}

main().catch(fail);
