/** The calls of alerts, their rules and silences, and who sees what (docs/server.md#alerts). */
import { expect, it } from "vitest";
import type { z } from "zod";
import { SHIPPED_RULES } from "../../../shared/domain/alert-rules.ts";
import { CALM_MS } from "../../../shared/domain/alert-states.ts";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { covers } from "../../covers.harness.ts";
import { everyRightElsewhere, platformForTests } from "../../asking.harness.ts";
import { refusedBy, whoMay } from "../../who-may.harness.ts";
import { openCore, type TestCore } from "../fleet/fleet.harness.ts";
import { EVALUATE_MS } from "./index.ts";

const {
  alertList,
  alertOpen,
  alertGet,
  alertAcknowledge,
  alertRuleList,
  alertRuleCreate,
  alertRuleUpdate,
  alertRuleReset,
  alertRuleDelete,
  alertSilenceList,
  alertSilenceCreate,
  alertSilenceEnd,
  fleetTicket,
} = restCalls;
const MAY = whoMay({
  "alerts.list": "--++",
  "alerts.open": "--++",
  "alerts.get": "--++",
  "alerts.acknowledge": "--++",
  "alertRules.list": "--++",
  "alertRules.create": "--++",
  "alertRules.update": "--++",
  "alertRules.reset": "--++",
  "alertRules.delete": "--++",
  "alertSilences.list": "--++",
  "alertSilences.create": "--++",
  "alertSilences.end": "--++",
});

const { host, tokens } = platformForTests(["admin", "ops", "lina", "wangfang", "guest"], {
  prepare: everyRightElsewhere,
});

interface Options {
  readonly as?: string;
  readonly in?: string;
  readonly json?: unknown;
}
const ask = (method: string, path: string, options: Options = {}) =>
  host.ask(method, path, {
    token: tokens[options.as ?? "ops"] ?? "",
    supplierId: options.in ?? (options.as === "wangfang" ? "2" : "1"),
    ...(options.json === undefined ? {} : { json: options.json }),
  });
const at = (path: string, id: string): string => path.replace("{id}", id);
const fieldsOf = ({ body }: Awaited<ReturnType<typeof ask>>): string[] =>
  Object.keys((body.details?.["fields"] ?? {}) as object);
const list = async (query = "", options: Options = {}) =>
  alertList.data.parse((await ask("GET", `${alertList.path}?${query}`, options)).body.data);
const open = async (options: Options = {}) =>
  alertOpen.data.parse((await ask("GET", alertOpen.path, options)).body.data);
const get = async (id: string, options: Options = {}) =>
  alertGet.data.parse((await ask("GET", at(alertGet.path, id), options)).body.data);
const rules = async (options: Options = {}) =>
  alertRuleList.data.parse((await ask("GET", `${alertRuleList.path}?limit=100`, options)).body.data)
    .records;
const rule = async (id: string) => (await rules()).find((one) => one.id === id);
const RULE: z.input<typeof alertRuleCreate.body> = {
  name: "导入停了",
  on: true,
  level: "notice",
  reach: "company",
  kind: "threshold",
  metric: "imported",
  measure: "sum",
  per: null,
  above: true,
  value: 5,
  window: 60,
  before: 0,
  lasting: 0,
  least: 0,
};
const createRule = async (over: Partial<typeof RULE> = {}) =>
  alertRuleCreate.data.parse(
    (await ask("POST", alertRuleCreate.path, { json: { ...RULE, ...over } })).body.data,
  );
const silence = (json: object, options: Options = {}) =>
  ask("POST", alertSilenceCreate.path, {
    ...options,
    json: {
      rule: null,
      subject: "",
      until: new Date(host.clock.now() + 3_600_000).toISOString(),
      reason: "维护",
      ...json,
    },
  });

const coreOf = async (name: string, core: string): Promise<TestCore> => {
  const { body } = await host.ask("GET", fleetTicket.path, { token: tokens[name] ?? "" });
  const { url } = fleetTicket.data.parse(body.data);
  return openCore(`${host.origin}${url ?? ""}`, { core });
};
/** Lets evaluations run until it holds. */
const afterSome = async (holds: () => Promise<boolean>): Promise<void> => {
  await expect
    .poll(async () => {
      host.clock.advance(EVALUATE_MS);
      return holds();
    })
    .toBe(true);
};
/** The core of a person follows one that died. @returns the alert that says so */
async function restartedCore(name: string, core: string, company: string) {
  const here = await coreOf(name, core);
  await here.report({ n: 1, company, restarts: 1 });
  const rows = async () =>
    (await list("scope=all&limit=100&state=open")).records.filter(
      (alert) => alert.rule === "core-restarts" && alert.companyId === company,
    );
  await afterSome(async () => (await rows()).length === 1);
  const [alert] = await rows();
  if (alert === undefined) throw new Error("no alert");
  return alert;
}
const endAll = () => afterSome(async () => (await open()).alerts.length === 0);

it(covers([alertList, alertOpen, alertGet, alertAcknowledge], ["success", "foreign"]), async () => {
  const ours = await restartedCore("lina", "core-lina", "1");
  const theirs = await restartedCore("wangfang", "core-wang", "2");
  expect(theirs).toMatchObject({
    rule: "core-restarts",
    ruleName: "",
    level: "notice",
    companyName: "城南消防工程有限公司",
    subject: { kind: "metric", name: "restarts" },
    cores: [{ id: "core-wang", name: "王芳" }],
    value: 1,
    worst: 1,
    limit: 0.5,
    endTime: null,
    acknowledged: null,
    silenced: false,
  });
  expect(await open()).toMatchObject({
    all: true,
    notice: 2,
    warning: 0,
    critical: 0,
    alerts: [{ id: theirs.id }, { id: ours.id }],
  });
  expect(await open({ as: "wangfang" })).toMatchObject({
    all: false,
    notice: 1,
    alerts: [{ id: theirs.id }],
  });
  const idsOf = async (query: string, options?: Options) =>
    (await list(query, options)).records.map(({ id }) => id);
  expect(await idsOf("")).toEqual([ours.id]);
  expect(await idsOf("", { as: "wangfang" })).toEqual([theirs.id]);
  expect(await idsOf(`scope=all&keyword=${encodeURIComponent("王芳")}`)).toEqual([theirs.id]);
  expect(await idsOf("scope=all&level=critical")).toEqual([]);
  expect(await idsOf("scope=all&rule=core-restarts&state=ended")).toEqual([]);
  expect(await idsOf(`scope=all&to=${ours.startTime}`)).toEqual([]);
  // Another company's operators ask for all in vain, and see nothing of ours.
  const all = await ask("GET", `${alertList.path}?scope=all`, { as: "wangfang" });
  expect(all.status).toBe(404);
  for (const [method, path] of [
    ["GET", alertGet.path],
    ["POST", alertAcknowledge.path],
  ] as const) {
    const json = method === "POST" ? { json: { note: "x" } } : {};
    const foreign = await ask(method, at(path, ours.id), { as: "wangfang", ...json });
    expect(foreign.status).toBe(404);
    expect((await ask(method, at(path, "none"), json)).status).toBe(404);
  }

  await host.platform.database.pool.query(
    `WITH c AS (INSERT INTO alert_channels (company_id, name, type, target, format, least_level, language, "on")
         VALUES (1, '值班群', 'webhook', 'https://example.org', 'json', 'notice', 'zh', true) RETURNING id)
       INSERT INTO alert_deliveries (alert_key, channel_id, event, at, success, tries)
         SELECT a.key, c.id, 'began', now(), true, 1 FROM alerts a, c WHERE a.id = $1`,
    [theirs.id],
  );
  expect(await get(theirs.id)).toMatchObject({
    id: theirs.id,
    now: { id: "core-restarts", open: 2 },
    deliveries: [{ channelName: "值班群", event: "began", success: true, tries: 1, error: "" }],
  });
  // The channels of the platform's company are its own.
  expect(await get(theirs.id, { as: "wangfang" })).toMatchObject({
    now: { open: 1 },
    deliveries: [],
  });
  const care = await ask("POST", at(alertAcknowledge.path, theirs.id), {
    json: { note: "已联系" },
  });
  expect(alertAcknowledge.data.parse(care.body.data).acknowledged).toMatchObject({
    name: "运维值班",
    note: "已联系",
  });
  await expect
    .poll(async () => (await open({ as: "wangfang" })).alerts[0]?.acknowledged?.note)
    .toBe("已联系");
  await ask("POST", at(alertAcknowledge.path, theirs.id), {
    as: "wangfang",
    json: { note: "处理中" },
  });
  expect((await get(theirs.id)).acknowledged).toMatchObject({ name: "王芳", note: "处理中" });
  const { rows } = await host.platform.database.pool.query<{ company: string; note: string }>(
    "SELECT company_id::text AS company, after->>'note' AS note FROM audit_records WHERE entity = 'alert' ORDER BY id",
  );
  expect(rows).toEqual([
    { company: "1", note: "已联系" },
    { company: "2", note: "处理中" },
  ]);
  expect(await host.platform.metrics.metrics()).toContain('alerts_open{level="notice"} 2');

  // What no longer holds ends by itself, a while later.
  const began = host.clock.now();
  await endAll();
  expect(host.clock.now() - began).toBeGreaterThanOrEqual(CALM_MS);
  await expect.poll(async () => (await get(ours.id)).endTime).not.toBe(null);
  expect((await list("scope=all&state=open")).records).toEqual([]);
});

it(
  covers(
    [alertRuleList, alertRuleCreate, alertRuleUpdate, alertRuleReset, alertRuleDelete],
    ["success", "foreign"],
  ),
  async () => {
    const shipped = SHIPPED_RULES.map(({ id }) => id);
    expect((await rules()).map(({ id }) => id)).toEqual(shipped);
    const made = await createRule();
    expect(made).toMatchObject({ ...RULE, shipped: false, changed: false, open: 0, version: 1 });
    expect((await rules()).map(({ id }) => id)).toEqual([...shipped, made.id]);
    // Another company sees the rules about companies, and changes none.
    const theirs = await rules({ as: "wangfang" });
    expect(theirs.map(({ reach }) => reach)).toEqual(theirs.map(() => "company"));
    expect(theirs.map(({ id }) => id)).toContain(made.id);
    for (const [method, path, json] of [
      ["POST", alertRuleCreate.path, RULE],
      ["PUT", alertRuleUpdate.path, { id: made.id, version: 1, on: false }],
      ["POST", at(alertRuleReset.path, "memory"), undefined],
      ["DELETE", at(alertRuleDelete.path, made.id), undefined],
    ] as const) {
      const foreign = await ask(method, path, { as: "wangfang", json });
      expect([method, foreign.status]).toEqual([method, 404]);
    }

    const update = async (json: object) =>
      alertRuleUpdate.data.parse((await ask("PUT", alertRuleUpdate.path, { json })).body.data);
    expect(await update({ id: made.id, version: 1, value: 9, on: false })).toMatchObject({
      value: 9,
      on: false,
      version: 2,
    });
    expect(await update({ id: "memory", version: 1, value: 2500 })).toMatchObject({
      value: 2500,
      changed: true,
      version: 2,
    });
    expect(await rule("memory")).toMatchObject({ value: 2500, changed: true });
    const stale = await ask("PUT", alertRuleUpdate.path, {
      json: { id: "memory", version: 1, value: 1 },
    });
    expect([stale.status, stale.body.details?.["versions"]]).toMatchObject([
      409,
      { theirs: { value: 2500, version: 2 }, yours: { value: 1 } },
    ]);
    const reset = await ask("POST", at(alertRuleReset.path, "memory"));
    expect(alertRuleReset.data.parse(reset.body.data)).toMatchObject({
      value: 3000,
      changed: false,
      version: 3,
    });
    expect((await ask("DELETE", at(alertRuleDelete.path, made.id))).status).toBe(200);
    expect(await rule(made.id)).toBe(undefined);
    const { rows } = await host.platform.database.pool.query<Record<string, unknown>>(
      `SELECT action, entity_id AS id, before, after FROM audit_records WHERE entity = 'alert-rule' ORDER BY audit_records.id`,
    );
    expect(rows).toMatchObject([
      { action: "create", id: made.id, after: { name: "导入停了", metric: "imported" } },
      { action: "update", id: made.id, before: { value: 5 }, after: { value: 9, on: false } },
      { action: "update", id: "memory", before: { value: 3000 }, after: { value: 2500 } },
      { action: "update", id: "memory", after: { value: 3000 } },
      { action: "delete", id: made.id, before: { name: "导入停了" } },
    ]);
  },
);

it("A rule that somebody made raises alerts, and its open ones end with it", async () => {
  const made = await createRule({ name: "有人导入", metric: "imported", value: 0 });
  const core = await coreOf("lina", "core-imports");
  await core.report({ n: 1, imported: 3 });
  await afterSome(async () => (await open()).alerts.some((alert) => alert.rule === made.id));
  expect((await open()).alerts[0]).toMatchObject({ ruleName: "有人导入", value: 3, limit: 0 });
  expect((await rule(made.id))?.open).toBe(1);
  await ask("DELETE", at(alertRuleDelete.path, made.id));
  host.clock.advance(EVALUATE_MS);
  await expect.poll(async () => (await open()).alerts).toEqual([]);
  core.socket.close();
});

it(
  covers([alertSilenceList, alertSilenceCreate, alertSilenceEnd], ["success", "foreign"]),
  async () => {
    const silences = async (options: Options = {}, query = "") =>
      alertSilenceList.data.parse(
        (await ask("GET", `${alertSilenceList.path}${query}`, options)).body.data,
      ).records;
    const made = alertSilenceCreate.data.parse(
      (await silence({ rule: "core-restarts", reason: "演练" }, { as: "wangfang" })).body.data,
    );
    expect(made).toMatchObject({
      rule: "core-restarts",
      ruleName: "",
      subject: "",
      reason: "演练",
      createBy: "王芳",
      active: true,
    });
    expect((await silences({ as: "wangfang" })).map(({ id }) => id)).toEqual([made.id]);
    expect(await silences({ as: "wangfang" }, "?keyword=none")).toEqual([]);
    expect(await silences()).toEqual([]);
    expect((await ask("DELETE", at(alertSilenceEnd.path, made.id))).status).toBe(404);
    // It holds for the alerts of that company alone.
    expect((await restartedCore("wangfang", "core-quiet", "2")).silenced).toBe(true);
    expect((await restartedCore("lina", "core-loud", "1")).silenced).toBe(false);
    await endAll();
    const end = await ask("DELETE", at(alertSilenceEnd.path, made.id), { as: "wangfang" });
    expect(end.status).toBe(200);
    expect(await silences({ as: "wangfang" })).toMatchObject([{ id: made.id, active: false }]);
    expect((await restartedCore("wangfang", "core-loud-2", "2")).silenced).toBe(false);
    await endAll();
    // That of the platform's company holds for all alerts.
    const platform = alertSilenceCreate.data.parse((await silence({})).body.data);
    expect((await restartedCore("wangfang", "core-quiet-2", "2")).silenced).toBe(true);
    await ask("DELETE", at(alertSilenceEnd.path, platform.id));
    await endAll();
    const { rows } = await host.platform.database.pool.query<Record<string, unknown>>(
      `SELECT action, company_id::text AS company FROM audit_records WHERE entity = 'alert-silence' ORDER BY id`,
    );
    expect(rows).toEqual([
      { action: "create", company: "2" },
      { action: "update", company: "2" },
      { action: "create", company: "1" },
      { action: "update", company: "1" },
    ]);
  },
);

const READS = [alertList, alertOpen, alertGet, alertRuleList, alertSilenceList] as const;
const WRITES = [
  alertAcknowledge,
  alertRuleCreate,
  alertRuleUpdate,
  alertRuleReset,
  alertRuleDelete,
  alertSilenceCreate,
  alertSilenceEnd,
] as const;
const BODIES: Readonly<Record<string, unknown>> = {
  "alerts.acknowledge": { note: "" },
  "alertRules.create": RULE,
  "alertRules.update": { id: "memory", version: 1 },
  "alertSilences.create": {
    rule: null,
    subject: "",
    until: "2030-01-01T00:00:00Z",
    reason: "x",
  },
};

it(covers(READS, "refused"), async () => {
  for (const call of READS) {
    expect((await host.ask("GET", at(call.path, "1"))).status).toBe(401);
    for (const as of refusedBy(MAY[call.id])) {
      expect((await ask("GET", at(call.path, "1"), { as })).status).toBe(403);
    }
  }
});
it(covers(WRITES, "refused"), async () => {
  for (const call of WRITES) {
    const { method, path, id } = call;
    const json = BODIES[id];
    const more = json === undefined ? {} : { json };
    expect((await host.ask(method, at(path, "1"), more)).status).toBe(401);
    for (const as of refusedBy(MAY[id])) {
      expect([id, (await ask(method, at(path, "1"), { as, ...more })).status]).toEqual([id, 403]);
    }
  }
});

it(covers(READS, "invalid"), async () => {
  for (const [path, field] of [
    [`${alertList.path}?state=x`, "state"],
    [`${alertList.path}?level=x`, "level"],
    [`${alertRuleList.path}?limit=0`, "limit"],
    [`${alertSilenceList.path}?limit=0`, "limit"],
    [at(alertGet.path, "x".repeat(65)), "id"],
  ] as const) {
    const answer = await ask("GET", path);
    expect([answer.status, fieldsOf(answer)]).toEqual([400, [field]]);
  }
  expect((await ask("GET", alertOpen.path, { in: "" })).status).toBe(400);
});

it(covers(WRITES, "invalid"), async () => {
  const wrong = async (method: string, path: string, json: unknown, fields: readonly string[]) => {
    const answer = await ask(method, path, { json });
    expect([answer.status, fieldsOf(answer)]).toEqual([400, fields]);
  };
  await wrong("POST", at(alertAcknowledge.path, "1"), { note: 1 }, ["note"]);
  for (const [over, field] of [
    [{ name: "" }, "name"],
    [{ window: 15 }, "window"],
    [{ metric: "nothing.like.this" }, "metric"],
    [{ metric: "server.none", reach: "platform" }, "metric"],
    [{ metric: "restarts", measure: "p99" }, "measure"],
    [{ metric: "commands", measure: "sum" }, "measure"],
    [{ per: "commands" }, "per"],
    [{ metric: "server.http", measure: "p99" }, "reach"],
    [{ kind: "absence", metric: "process" }, "reach"],
    [{ kind: "absence", metric: "tabs" }, "metric"],
    [{ kind: "change", before: 0, value: 2 }, "before"],
    [{ kind: "change", before: 130, value: 2 }, "before"],
    [{ kind: "change", before: 120, value: 0 }, "value"],
  ] as const) {
    await wrong("POST", alertRuleCreate.path, { ...RULE, ...over }, [field]);
  }
  const { version = 1 } = (await rule("memory")) ?? {};
  for (const [change, field] of [
    [{ metric: "server.heap" }, "metric"],
    [{ name: "内存" }, "name"],
    [{ measure: "sum" }, "measure"],
    [{ lasting: -1 }, "lasting"],
  ] as const) {
    await wrong("PUT", alertRuleUpdate.path, { id: "memory", version, ...change }, [field]);
  }
  await wrong("POST", at(alertRuleReset.path, "NO"), undefined, ["id"]);
  expect((await ask("POST", at(alertRuleReset.path, "none"))).status).toBe(404);
  await wrong("DELETE", at(alertRuleDelete.path, "NO"), undefined, ["id"]);
  expect((await ask("DELETE", at(alertRuleDelete.path, "memory"))).status).toBe(409);
  for (const [json, field] of [
    [{ reason: " " }, "reason"],
    [{ rule: "none" }, "rule"],
    [{ until: new Date(host.clock.now()).toISOString() }, "until"],
    [{ until: new Date(host.clock.now() + 31 * 86_400_000).toISOString() }, "until"],
  ] as const) {
    const answer = await silence(json);
    expect([answer.status, fieldsOf(answer)]).toEqual([400, [field]]);
  }
  await wrong("DELETE", at(alertSilenceEnd.path, "x".repeat(65)), undefined, ["id"]);
  expect((await ask("DELETE", at(alertSilenceEnd.path, "x"))).status).toBe(404);
});

it("The task removes what ended long ago", async () => {
  const count = async (): Promise<number> => (await list("scope=all&limit=1")).total;
  expect(await count()).toBeGreaterThan(0);
  const run = () => ask("POST", restCalls.taskRun.path.replace("{id}", "alerts"), { as: "admin" });
  expect((await run()).status).toBe(200);
  expect(await count()).toBeGreaterThan(0);
  host.clock.advance(91 * 86_400_000);
  for (const name of ["admin", "ops"]) tokens[name] = (await host.login(name)).access_token;
  expect((await run()).status).toBe(200);
  await expect.poll(count).toBe(0);
});
