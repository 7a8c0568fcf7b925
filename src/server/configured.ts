/** What the configuration chooses for the platform: the bus, the homes of conferences, who sends SMS, and what an empty database begins with. */
import { createHash } from "node:crypto";
import type { Logger } from "pino";
import { createLocalBus } from "./base/cluster/bus.ts";
import { createHomes } from "./base/cluster/homes.ts";
import { ALONE, type Homes } from "./base/cluster/index.ts";
import { createRedisBus } from "./base/cluster/redis-bus.ts";
import { processUrl } from "./base/cluster/url.ts";
import type { ServerConfig } from "./base/config.ts";
import type { Database } from "./base/database/index.ts";
import { demoDataOf, seed } from "./base/database/seed.ts";
import type { Bus, Clock } from "./base/module.ts";
import type { Passwords } from "./modules/accounts/passwords.ts";
import { addDemoData } from "./modules/demo/fill.ts";
import { createAliyunSink } from "./modules/sms/aliyun.ts";
import type { SmsSink } from "./modules/sms/index.ts";
import { createWebhookSink } from "./modules/sms/webhook.ts";

/** @returns the service that the configuration names; null: none */
export function smsService(config: ServerConfig): SmsSink | null {
  const {
    SMS_WEBHOOK_URL: url,
    SMS_WEBHOOK_SECRET: secret,
    SMS_TEMPLATE: template,
    SMS_INVITE_TEMPLATE: inviteTemplate,
  } = config;
  if (url !== undefined) return createWebhookSink({ url, secret, template, inviteTemplate });
  const {
    SMS_ALIYUN_KEY_ID: keyId,
    SMS_ALIYUN_KEY_SECRET: keySecret,
    SMS_ALIYUN_SIGN_NAME: signName,
    SMS_ALIYUN_TEMPLATE_CODE: templateCode,
    SMS_ALIYUN_INVITE_TEMPLATE_CODE: inviteTemplateCode,
    SMS_ALIYUN_MOBILE_GONE_TEMPLATE_CODE: mobileGoneTemplateCode,
    SMS_ALIYUN_ENDPOINT: endpoint,
  } = config;
  return keyId === undefined ||
    keySecret === undefined ||
    signName === undefined ||
    templateCode === undefined
    ? null
    : createAliyunSink({
        keyId,
        keySecret,
        signName,
        templateCode,
        inviteTemplateCode,
        mobileGoneTemplateCode,
        endpoint,
      });
}

/** Uses Redis when it is configured, so that other processes on the same database receive the messages. */
export function openBus(config: ServerConfig, log: Logger): Promise<Bus> | Bus {
  if (config.REDIS_URL === undefined) return createLocalBus(log);
  const scope = createHash("sha256")
    .update(config.DATABASE_URL ?? config.APP_SECRET)
    .digest("hex")
    .slice(0, 16);
  return createRedisBus({ url: config.REDIS_URL, scope, log });
}

/**
 * With Redis there may be other processes, and each conference needs one of them as its home.
 *
 * @throws Error when the URL by which the other processes reach this one is unknown
 */
export function openHomes(
  config: ServerConfig,
  database: Database,
  clock: Clock,
  log: Logger,
): Homes {
  if (config.REDIS_URL === undefined || database.embedded) return ALONE;
  return createHomes({ pool: database.pool, clock, log, url: processUrl(config) });
}

/** @returns whether the database is one with demo data */
export async function fill(
  config: ServerConfig,
  database: Database,
  log: Logger,
  clock: Pick<Clock, "now">,
  passwords: Pick<Passwords, "hash">,
): Promise<boolean> {
  const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = config;
  const demo = demoDataOf(config, database);
  const done = await seed(database.db, {
    demo: demo !== "none",
    administrator: username === undefined || password === undefined ? null : { username, password },
    hash: passwords.hash,
  });
  if (done === "demo" && demo === "full") {
    await addDemoData(database.db, { now: clock.now(), appKey: config.EASEMOB_APP_KEY });
  }
  if (done === "nobody") {
    log.warn("the database has no account: set ADMIN_USERNAME and ADMIN_PASSWORD and start again");
  }
  return demo !== "none";
}
