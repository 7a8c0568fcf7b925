/**
 * Two server processes on one PostgreSQL and one Redis: whatever is killed, an alert names it within 30 s (docs/server.md#alerts). They
 * are killed one after the other, the database last. A webhook of the platform's company gets each alert too.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { programPath } from "../../scripts/lib/debian.mjs";
import { startPostgres } from "../../scripts/lib/services.mjs";
import { type Alert, alertCalls } from "../../src/shared/protocol/rest/alerts.ts";
import { systemMapCalls } from "../../src/shared/protocol/rest/system-map.ts";
import { ticketPath } from "../../src/shared/protocol/rest/rtc.ts";
import { mediaProcess } from "../support/memory.ts";
import { reportingCore, type ReportingCore } from "../support/reporting-core.ts";
import { type Ask, callerOf } from "../support/rest-caller.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { timesCount } from "../support/time-limits.ts";
import { startWebhook, type Webhook } from "../support/webhook.ts";

/** ms. Where times are not asserted, other work may take the processors. */
const LIMIT_MS = timesCount ? 30_000 : 60_000;
const { TEST_REDIS_URL: redisUrl = "" } = process.env;

const stops: (() => unknown)[] = [];
const servers: TestServer[] = [];
const cores: ReportingCore[] = [];
const times: Record<string, number> = {};
let webhook: Webhook;

beforeAll(async () => {
  webhook = await startWebhook();
  const databaseUrl = await startPostgres(programPath("postgresql") ?? "", stops);
  const env = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    DEMO_DATA: "small",
    APP_SECRET: "kills".repeat(8),
    HOST: "127.0.0.1",
    ACCESS_TOKEN_TTL: "86400",
    ALERT_HOSTS: "127.0.0.1",
  };
  for (const _ of ["older", "younger"]) servers.push(await startServer(env));
  const ask = await callerOf(younger().url, "ops");
  await ask("POST", alertCalls.alertChannelCreate.path, {
    name: "值班",
    type: "webhook",
    target: webhook.url,
    format: "json",
    leastLevel: "notice",
    language: "zh",
    on: true,
  });
}, 240_000);
afterAll(async () => {
  console.log(`ms from the kill to the alert: ${JSON.stringify(times)}`);
  for (const core of cores) core.close();
  for (const server of servers) await server.dispose();
  for (const stop of stops.toReversed()) stop();
  webhook.close();
});

const [older, younger] = [0, 1].map((place) => (): TestServer => {
  const server = servers[place];
  if (server === undefined) throw new Error("no server");
  return server;
}) as [() => TestServer, () => TestServer];

const openAlerts = async (ask: Ask): Promise<readonly Alert[]> =>
  alertCalls.alertOpen.data.parse((await ask("GET", alertCalls.alertOpen.path)).data).alerts;

/** Waits until the webhook got the beginning of an alert of the rule about this. */
const expectSent = (rule: string, subject: string): Promise<void> =>
  expect
    .poll(
      () =>
        webhook.messages.some(
          ({ event, alert }) =>
            event === "began" && alert?.rule === rule && alert.subject.name.includes(subject),
        ),
      { timeout: LIMIT_MS, interval: 100 },
    )
    .toBe(true);

/** Waits for the alert, also at the webhook, and keeps how long it took. */
async function alertOf(
  ask: Ask,
  what: string,
  fits: (alert: Alert) => boolean,
): Promise<Alert | undefined> {
  const began = performance.now();
  let found: Alert | undefined;
  await expect
    .poll(async () => (found = (await openAlerts(ask)).find(fits)) !== undefined, {
      timeout: LIMIT_MS,
      interval: 100,
    })
    .toBe(true);
  await expectSent(found?.rule ?? "", found?.subject.name ?? "");
  times[what] = Math.round(performance.now() - began);
  expect(times[what], what).toBeLessThan(LIMIT_MS);
  return found;
}

/** The state of a process or media node on the map of the system. */
async function stateOnMap(ask: Ask, name: string | undefined): Promise<string | undefined> {
  const { systemMap } = systemMapCalls;
  const { processes, nodes } = systemMap.data.parse((await ask("GET", systemMap.path)).data);
  return [...processes, ...nodes].find((one) => one.name === name)?.state;
}

/** The people are added as soon as the database answers who they are. */
const isNamed =
  (wanted: string) =>
  ({ rule, cores: named }: Alert): boolean =>
    rule === wanted && named.some(({ name }) => name !== "");

it("A core that died is named with its person", async () => {
  const ask = await callerOf(younger().url, "ops");
  const core = await reportingCore(older().url, "lina", { build: "b1" });
  cores.push(core);
  core.says({ restarts: 1 });
  const alert = await alertOf(ask, "core", isNamed("core-restarts"));
  expect(alert).toMatchObject({ companyId: "1", cores: [{ id: "core-lina", name: "李娜" }] });
  core.says({});
}, 120_000);

it("A socket that is killed again and again is named with its core", async () => {
  const ask = await callerOf(younger().url, "ops");
  cores[0]?.says({ sockets: { chat: { state: "open", lost: { network: 3 } } } });
  const alert = await alertOf(ask, "socket", isNamed("sockets-lost"));
  expect(alert).toMatchObject({
    subject: { kind: "socket", name: "chat" },
    cores: [{ id: "core-lina", name: "李娜" }],
  });
  cores[0]?.says({});
}, 120_000);

it("A media process that is killed is named, though it is started again at once", async () => {
  const ask = await callerOf(younger().url, "ops");
  const lina = await callerOf(older().url, "lina");
  await lina("POST", ticketPath("easemob"), { uid: "lina", confrType: 10, name: "会议" });
  await expect.poll(() => mediaProcess(older().pid()), { timeout: LIMIT_MS }).not.toBe(0);
  process.kill(mediaProcess(older().pid()), "SIGKILL");
  const alert = await alertOf(ask, "media node", ({ rule }) => rule === "media-node-gone");
  expect(alert?.subject).toEqual({
    kind: "media-node",
    name: `embedded@127.0.0.1:${new URL(older().url).port}`,
  });
  expect(["down", "restarted"]).toContain(await stateOnMap(ask, alert?.subject.name));
}, 120_000);

it("A server process that is killed is named, though it was the one that evaluates", async () => {
  const ask = await callerOf(younger().url, "ops");
  await older().kill("SIGKILL");
  const alert = await alertOf(ask, "server process", ({ rule }) => rule === "process-gone");
  expect(alert?.subject).toEqual({
    kind: "process",
    name: `127.0.0.1:${new URL(older().url).port}`,
  });
  await expect.poll(() => stateOnMap(ask, alert?.subject.name), { timeout: LIMIT_MS }).toBe("gone");
  expect(await stateOnMap(ask, `127.0.0.1:${new URL(younger().url).port}`)).toBe("up");
  // The alerts that the dead one had open are known to the next one, each once.
  const names = (await openAlerts(ask)).map(({ rule, subject }) => `${rule} ${subject.name}`);
  expect(new Set(names).size).toBe(names.length);
}, 120_000);

it("A database that is killed is named to the webhook, the log and the metrics, since the calls need it", async () => {
  const before = await younger().metric("alerts_open", { level: "critical" });
  const began = performance.now();
  stops.pop()?.();
  await expect
    .poll(() => younger().metric("alerts_open", { level: "critical" }), {
      timeout: LIMIT_MS,
      interval: 100,
    })
    .toBeGreaterThan(before);
  await expectSent("database-away", "127.0.0.1:");
  times["database"] = Math.round(performance.now() - began);
  expect(times["database"]).toBeLessThan(LIMIT_MS);
  const line = () =>
    younger()
      .log()
      .split("\n")
      .find((one) => one.includes("an alert began") && one.includes("database-away"));
  await expect.poll(line, { timeout: LIMIT_MS }).toContain("127.0.0.1:");
}, 120_000);
