/** Configuration for the console, health and metrics. */
import { sql } from "drizzle-orm";
import { CONFIG_PATH, type ConsoleConfig } from "../../../shared/protocol/config.ts";
import { CLIENTS } from "../accounts/clients.ts";
import type { ServerConfig } from "../../base/config.ts";
import type { ServerDeps, ServerModule } from "../../base/module.ts";

/** Milliseconds that the database may take before the health check fails. */
const PING_MS = 5000;

export function consoleConfig(config: ServerConfig): ConsoleConfig {
  const agora = config.AGORA_APP_ID === undefined ? null : { appId: config.AGORA_APP_ID };
  return {
    gatewayBaseUrl: "",
    clients: CLIENTS,
    tokenCookie: "platform",
    uploadsInParts: true,
    easemob: {
      appKey: config.EASEMOB_APP_KEY,
      url: config.EASEMOB_URL,
      apiUrl: config.EASEMOB_API_URL,
      isHttpDNS: false,
      resumableUploads: config.EASEMOB_CLIENT_ID === undefined,
    },
    rtcProvider: config.RTC_PROVIDER,
    engine: agora === null ? "native" : "agora",
    callSignalling: config.CALL_SIGNALLING,
    agora,
    reports: config.FLEET_SHARE > 0,
    ...(config.CONSOLE_LOG_LEVELS === undefined ? {} : { coreLog: config.CONSOLE_LOG_LEVELS }),
  };
}

export function createOpsModule(deps: ServerDeps): ServerModule {
  const { config, db, clock, log, metrics } = deps;

  async function ping(): Promise<boolean> {
    let timer: { cancel(): void } | null = null;
    const late = new Promise<false>((resolve) => {
      timer = clock.setTimeout(() => resolve(false), PING_MS);
    });
    const asked = db.execute(sql`SELECT 1`).then(
      () => true,
      (error: unknown) => {
        log.error({ err: error }, "the database does not answer");
        return false;
      },
    );
    try {
      return await Promise.race([asked, late]);
    } finally {
      (timer as { cancel(): void } | null)?.cancel();
    }
  }

  return {
    name: "ops",
    routes(app) {
      app.get(CONFIG_PATH, (c) => {
        c.header("cache-control", "no-cache");
        return c.json(consoleConfig(config));
      });
      app.get("/healthz", async (c) => {
        const database = await ping();
        c.header("cache-control", "no-store");
        return c.json({ ok: database, database }, database ? 200 : 503);
      });
    },
    operations(app) {
      app.get("/metrics", async (c) => {
        const text = await metrics.metrics();
        return c.body(text, 200, {
          "content-type": metrics.contentType,
          "cache-control": "no-store",
        });
      });
    },
  };
}
