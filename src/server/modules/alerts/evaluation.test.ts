/** Several processes evaluate as one, also while the database is away (docs/server.md#alerts). */
import { type SQL, sql } from "drizzle-orm";
import pino from "pino";
import { Registry } from "prom-client";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createLocalBus } from "../../base/cluster/bus.ts";
import { DATA_CHANGES, type DataChanges } from "../../base/cluster/data-changes.ts";
import { FLEET_STEP } from "../../base/cluster/fleet-step.ts";
import { readConfig } from "../../base/config.ts";
import type { Database } from "../../base/database/index.ts";
import { openTestDatabase } from "../../base/database/database.harness.ts";
import { createTenants } from "../../base/database/tenant.ts";
import { createTasks } from "../../base/tasks/index.ts";
import type { Bus, ServerDeps, ServerModule } from "../../base/module.ts";
import { createManualClock, createTestDirectory, type ManualClock } from "../../host.harness.ts";
import type { MediaNode, NodeEvent } from "../media-node/contracts.ts";
import { BEGIN, levels, NO_COMPANY, STEP_MS, stepOf } from "./alerts.harness.ts";
import type { AlertNews } from "./contracts.ts";
import { createAlertsModule, EVALUATE_MS } from "./index.ts";
import { LEADS_MS } from "./life.ts";
import { ALIVE, GOODBYE, OPEN } from "./messages.ts";

const log = pino({ level: "silent" });
let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
}, 60_000);
afterAll(() => database.close());

let clock: ManualClock;
let bus: Bus;
beforeEach(async () => {
  clock = createManualClock(BEGIN);
  bus = createLocalBus(log);
  await database.pool.query(
    "DELETE FROM alerts; DELETE FROM alert_processes; DELETE FROM alert_rules",
  );
});

interface TestNode extends Pick<MediaNode, "name" | "kind" | "onEvent"> {
  up: boolean;
  emit(event: NodeEvent): void;
}
function testNode(): TestNode {
  const handlers = new Set<(event: NodeEvent) => void>();
  return {
    name: "embedded",
    kind: "embedded",
    up: true,
    onEvent(handler) {
      handlers.add(handler);
      return () => void handlers.delete(handler);
    },
    emit(event) {
      this.up = event.t !== "down";
      for (const handler of handlers) handler(event);
    },
  };
}

interface TestProcess {
  readonly module: ServerModule;
  readonly news: AlertNews[];
  readonly node: TestNode;
  /** Stops without a word. */
  kill(): void;
  /** The database does not answer this process. */
  away: boolean;
}
async function processOf(port: number): Promise<TestProcess> {
  const news: AlertNews[] = [];
  const node = testNode();
  let killed = false;
  const own: TestProcess = {
    module: { name: "" },
    news,
    node,
    kill: () => {
      killed = true;
    },
    away: false,
  };
  const reach = <T>(work: () => Promise<T>): Promise<T> =>
    own.away ? Promise.reject(new Error("the database is away")) : work();
  const db = {
    execute: (query: SQL) => reach(async () => database.db.execute(query)),
    transaction: (work: never) => reach(() => database.db.transaction(work)),
  };
  const base = {
    config: readConfig({
      APP_SECRET: "s".repeat(40),
      PROCESS_URL: `http://10.0.0.1:${port}`,
      DATABASE_URL: "postgres://me:secret@db.example:5432/console",
      REDIS_URL: "redis://unused",
    }),
    db: db as never,
    tenants: createTenants(database.pool),
    log,
    clock: {
      now: clock.now,
      setTimeout: (run: () => void, ms: number) =>
        clock.setTimeout(() => {
          if (!killed) run();
        }, ms),
    },
    metrics: new Registry(),
    bus: {
      publish: (topic: string, message: unknown) =>
        killed ? Promise.resolve() : bus.publish(topic, message),
      subscribe: (topic: string, handler: (message: unknown) => void) =>
        bus.subscribe(topic, (message) => {
          if (!killed) handler(message);
        }),
      close: () => Promise.resolve(),
    },
    directory: createTestDirectory({}),
  };
  const deps: ServerDeps = { ...base, tasks: createTasks(base) };
  const module = createAlertsModule(deps, {
    nodes: [node],
    sending: {
      send: (one) => void news.push(one),
      start: () => Promise.resolve(),
      stop: () => Promise.resolve(),
    },
  });
  await module.start?.();
  // The first one that starts is the oldest.
  clock.advance(10);
  return Object.assign(own, { module });
}

/** Lets evaluations run until it holds. @returns the ms that passed */
async function until(holds: () => boolean | Promise<boolean>): Promise<number> {
  const began = clock.now();
  await expect
    .poll(
      async () => {
        if (await holds()) return true;
        clock.advance(1_000);
        return false;
      },
      { interval: 5 },
    )
    .toBe(true);
  return clock.now() - began;
}
const newsOf = ({ news }: TestProcess): string[] =>
  news.map(({ event, alert }) => `${event} ${alert.rule} ${alert.subject.name}`);
/** Lets so much time pass, slowly enough for every evaluation. */
async function pass(ms: number): Promise<void> {
  const end = clock.now() + ms;
  await until(() => clock.now() >= end);
}
const rowsOf = async () =>
  (
    await database.db.execute<{ rule: string; ended: boolean }>(
      sql`SELECT rule, ended_at IS NOT NULL AS ended FROM alerts ORDER BY id`,
    )
  ).rows;

it("A process that is killed is missed within 30 s by the next leader, once; and ended when it was noticed", async () => {
  const [one, two] = [await processOf(1), await processOf(2)];
  await pass(3 * EVALUATE_MS);
  one.kill();
  expect(await until(() => two.news.length > 0)).toBeLessThanOrEqual(30_000);
  expect(newsOf(two)).toEqual(["began process-gone 10.0.0.1:1"]);
  // It comes back under its name.
  const back = await processOf(1);
  await until(() => two.news.length > 1);
  expect(newsOf(two).slice(1)).toEqual(["ended process-gone 10.0.0.1:1"]);
  await expect.poll(rowsOf).toEqual([{ rule: "process-gone", ended: true }]);
  for (const { module } of [two, back]) await module.stop?.();
});

it("A process that stops properly is not missed, and leaves no row", async () => {
  const [one, two] = [await processOf(1), await processOf(2)];
  await pass(3 * EVALUATE_MS);
  await one.module.stop?.();
  await pass(2 * LEADS_MS);
  expect([one.news, two.news]).toEqual([[], []]);
  await two.module.stop?.();
  expect((await database.pool.query("SELECT FROM alert_processes")).rows).toEqual([]);
});

it("A single server that was killed is missed at its next start", async () => {
  const one = await processOf(1);
  await until(
    async () => (await database.pool.query("SELECT FROM alert_processes")).rows.length > 0,
  );
  one.kill();
  clock.advance(200_000);
  const next = await processOf(1);
  expect(await until(() => next.news.length > 0)).toBeLessThanOrEqual(30_000);
  expect(newsOf(next)).toEqual(["began process-gone 10.0.0.1:1"]);
  await next.module.stop?.();
});

it("A new leader goes on with the open alerts: nobody hears of them twice", async () => {
  const [one, two] = [await processOf(1), await processOf(2)];
  await pass(2 * EVALUATE_MS);
  one.node.emit({ t: "down" });
  expect(await until(() => one.news.length > 0)).toBeLessThanOrEqual(30_000);
  expect(newsOf(one)).toEqual(["began media-node-gone embedded@10.0.0.1:1"]);
  const heavy = async () => {
    const l = levels({ "server.memory": 5000 });
    await bus.publish(FLEET_STEP, stepOf(clock.now() - STEP_MS, { [NO_COMPANY]: { l } }));
    clock.advance(STEP_MS / 2);
  };
  await database.pool.query(
    `INSERT INTO alert_rules (id, settings, shipped) VALUES ('memory', '{"lasting": 0}', true)`,
  );
  await until(async () => {
    await heavy();
    return one.news.length > 1;
  });
  expect(newsOf(one)[1]).toBe("began memory server.memory");
  one.kill();
  await until(async () => {
    await heavy();
    return two.news.some(({ alert }) => alert.rule === "process-gone");
  });
  // The node ended with its process; the memory is still too much.
  expect(newsOf(two)).not.toContain("began memory server.memory");
  await until(() => newsOf(two).includes("ended media-node-gone embedded@10.0.0.1:1"));
  await until(() => newsOf(two).includes("ended memory server.memory"));
  const ended = two.news.find(({ alert }) => alert.rule === "memory");
  expect(ended?.alert.key).toBe(one.news[1]?.alert.key);
  await two.module.stop?.();
});

it("A database that is away raises an alert that reaches everybody without it, and is written afterwards, once", async () => {
  const one = await processOf(1);
  const two = await processOf(2);
  const heard: unknown[] = [];
  bus.subscribe(OPEN, (message) => heard.push(message));
  await pass(2 * EVALUATE_MS);
  for (const process of [one, two]) process.away = true;
  expect(await until(() => one.news.length > 0)).toBeLessThanOrEqual(30_000);
  expect(newsOf(one)).toEqual(["began database-away db.example:5432/console"]);
  await expect.poll(rowsOf).toEqual([]);
  expect(JSON.stringify(heard.at(-1))).toContain("database-away");
  // Another one during the outage.
  one.node.emit({ t: "down" });
  await until(() => one.news.length > 1);
  for (const process of [one, two]) process.away = false;
  await until(async () => (await rowsOf()).length === 2);
  one.node.emit({ t: "up" });
  await until(async () => (await rowsOf()).every(({ ended }) => ended));
  expect((await rowsOf()).map(({ rule }) => rule).toSorted()).toEqual([
    "database-away",
    "media-node-gone",
  ]);
  expect(two.news).toEqual([]);
  for (const { module } of [one, two]) await module.stop?.();
});

it("A node whose process is started again at once is noticed all the same", async () => {
  const one = await processOf(1);
  await pass(2 * EVALUATE_MS);
  one.node.emit({ t: "down" });
  one.node.emit({ t: "up" });
  expect(await until(() => one.news.length > 0)).toBeLessThanOrEqual(30_000);
  expect(newsOf(one)).toEqual(["began media-node-gone embedded@10.0.0.1:1"]);
  await until(() => one.news.length > 1);
  await one.module.stop?.();
});

it("What was open before a start is opened again, and the company's consoles hear of each change", async () => {
  const changes: DataChanges[] = [];
  bus.subscribe(DATA_CHANGES, (message) => changes.push(message as DataChanges));
  await database.pool.query(
    `INSERT INTO companies (id, name) VALUES (77, '测试公司') ON CONFLICT DO NOTHING`,
  );
  await database.pool.query(
    `INSERT INTO alerts (key, company_id, rule, rule_name, level, kind, metric, subject_kind, subject, value, worst, limit_value, started_at)
       VALUES (gen_random_uuid(), 77, 'core-restarts', '', 'notice', 'threshold', 'restarts', 'metric', 'restarts', 1, 1, 0.5, now())`,
  );
  const one = await processOf(1);
  expect(await one.module.stop?.());
  const two = await processOf(2);
  await until(() => two.news.length > 0);
  expect(newsOf(two)).toEqual(["ended core-restarts restarts"]);
  await until(async () => (await rowsOf()).every(({ ended }) => ended));
  expect(changes).toContainEqual({
    supplierId: "77",
    tags: ["alerts"],
    except: null,
    only: null,
  });
  await two.module.stop?.();
});

it("Processes that did not hear each other for a while agree on the alerts of the older one", async () => {
  const one = await processOf(1);
  await pass(2 * EVALUATE_MS);
  // A younger process that leads by itself, and that this one does not hear until now.
  one.node.emit({ t: "down" });
  await until(() => one.news.length > 0);
  const [{ alert }] = one.news as [AlertNews];
  const other = { ...alert, key: "7b6a3f0e-9d3e-4f3f-8c39-0b3c7e7a0c11" };
  await database.pool.query(
    `INSERT INTO alerts (key, rule, rule_name, level, kind, metric, subject_kind, subject, value, worst, limit_value, started_at)
       VALUES ($1, $2, '', 'critical', 'absence', 'media-node', 'media-node', $3, 1, 1, 1, now())`,
    [other.key, other.rule, other.subject.name],
  );
  const more = { goodAt: null, id: null, companyName: "", acknowledged: null };
  await bus.publish("alerts:handed", {
    from: "other",
    startedAt: clock.now(),
    alerts: [{ record: other, ...more }],
  });
  await until(async () => (await rowsOf()).filter(({ ended }) => ended).length === 1);
  expect(one.news).toHaveLength(1);
  await one.module.stop?.();
});

it("What is no message is ignored", async () => {
  const one = await processOf(1);
  for (const topic of [ALIVE, GOODBYE, OPEN, FLEET_STEP]) await bus.publish(topic, { id: 5 });
  await pass(2 * EVALUATE_MS);
  expect(one.news).toEqual([]);
  await one.module.stop?.();
});
