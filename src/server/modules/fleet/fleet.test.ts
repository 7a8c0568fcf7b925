import { afterAll, beforeAll, expect, it } from "vitest";
import { sql } from "drizzle-orm";
import { FLEET_RESULT } from "../../../shared/protocol/fleet.ts";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { covers } from "../../covers.harness.ts";
import { openSocket } from "../../host.harness.ts";
import { startTestPlatform, type TestPlatform } from "../../platform.harness.ts";
import { refusedBy, whoMay } from "../../who-may.harness.ts";
import { durations, openCore, packed, type TestCore } from "./fleet.harness.ts";
import { LISTED_MS } from "./live.ts";

const { fleetTicket, fleetList, fleetFigures, fleetCore, fleetSeries, fleetParts, fleetCharts } =
  restCalls;
const MAY = whoMay({
  "fleet.ticket": "++++",
  "fleet.list": "--++",
  "fleet.figures": "--++",
  "fleet.core": "--++",
  "fleet.series": "--++",
  "fleet.parts": "--++",
  "fleet.charts": "--++",
});
const STEP_MS = 10_000;

let host: TestPlatform;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  host = await startTestPlatform();
  // Wang Fang holds every right in a company that does not run the platform.
  await host.platform.database.pool.query(
    "UPDATE roles SET permissions = '{*:*:*}' WHERE company_id = 2 AND code = 'staff'",
  );
  for (const name of ["admin", "ops", "lina", "zhangwei", "wangfang", "guest"]) {
    tokens[name] = (await host.login(name)).access_token;
  }
}, 60_000);
afterAll(() => host.close());

const ask = (path: string, as = "ops", supplierId = "1") =>
  host.ask("GET", path, { token: tokens[as] ?? "", supplierId });
const ticketOf = async (name: string): Promise<string> => {
  const { body } = await host.ask("GET", fleetTicket.path, { token: tokens[name] ?? "" });
  return fleetTicket.data.parse(body.data).url ?? "";
};
const coreOf = async (name: string, core: string, build = "b1"): Promise<TestCore> =>
  openCore(`${host.origin}${await ticketOf(name)}`, { core, build });
const list = async (query = "", as = "ops", supplierId = "1") =>
  fleetList.data.parse((await ask(fleetList.path + query, as, supplierId)).body.data);
const ids = async (query = "", as = "ops", supplierId = "1") =>
  (await list(query, as, supplierId)).records.map(({ id }) => id).toSorted();
const lookAt = (id: string, as = "ops", supplierId = "1") =>
  ask(fleetCore.path.replace("{id}", id), as, supplierId);
const series = async (metric: string, query = "", as = "ops", supplierId = "1") => {
  const now = host.clock.now();
  const times = `from=${new Date(now - 3_600_000).toISOString()}&to=${new Date(now + 3_600_000).toISOString()}`;
  const path = `${fleetSeries.path}?metric=${metric}&${times}${query}`;
  return fleetSeries.data.parse((await ask(path, as, supplierId)).body.data);
};
const looked = async () =>
  (
    await host.db.execute(
      sql`SELECT company_id::text AS company, after->>'core' AS core FROM audit_records
        WHERE action = 'view' AND entity = 'core' ORDER BY id`,
    )
  ).rows;
const parts = async (of: string, query = "", as = "ops", supplierId = "1") => {
  const now = host.clock.now();
  const times = `from=${new Date(now - 3_600_000).toISOString()}&to=${new Date(now + 3_600_000).toISOString()}`;
  const path = `${fleetParts.path}?of=${of}&${times}${query}`;
  return fleetParts.data.parse((await ask(path, as, supplierId)).body.data);
};
const charts = async (wanted: string, query = "", as = "ops", supplierId = "1") => {
  const now = host.clock.now();
  const times = `from=${new Date(now - 3_600_000).toISOString()}&to=${new Date(now + 3_600_000).toISOString()}`;
  const path = `${fleetCharts.path}?${wanted}&${times}${query}`;
  return fleetCharts.data.parse((await ask(path, as, supplierId)).body.data);
};
const stored = async (): Promise<number> =>
  Number((await host.db.execute(sql`SELECT count(*) AS n FROM fleet_rollups`)).rows[0]?.["n"]);

it(
  covers([fleetTicket, fleetList, fleetFigures], "success", "each company has its own"),
  async () => {
    const lina = await coreOf("lina", "core-lina");
    const wang = await coreOf("wangfang", "core-wang", "b2");
    expect(
      await lina.report({
        n: 1,
        tabs: { open: 3, visible: 1 },
        queues: { outbox: 2 },
        commands: { "chat.send": { ms: durations([4, 98], [800, 2]), failed: 1 } },
        sockets: { chat: { state: "open", lost: { network: 2 } } },
        errors: { "core.deadline": 1 },
      }),
    ).toEqual({ n: 1, result: FLEET_RESULT.ok });
    await wang.report({ n: 1, company: "2", tabs: { open: 1, visible: 1 }, restarts: 1 });

    const [core] = (await list()).records;
    expect(core).toMatchObject({
      id: "core-lina",
      name: "李娜",
      companyId: "1",
      build: "b1",
      browser: "Google Chrome 140",
      tabs: 3,
      visible: 1,
      outbox: 2,
      errors: 1,
      lost: 2,
      restarted: false,
    });
    expect(core?.companyName).toBe("华安物业服务有限公司");
    expect(core?.p99).toBeGreaterThan(720);
    expect(core?.p99).toBeLessThan(880);
    // The operator of a company sees its cores alone, that of the platform all of them.
    expect(await ids()).toEqual(["core-lina"]);
    expect(await ids("", "wangfang", "2")).toEqual(["core-wang"]);
    expect(await ids("?scope=all")).toEqual(["core-lina", "core-wang"]);
    expect((await ask(`${fleetList.path}?scope=all`, "wangfang", "2")).status).toBe(404);
    expect(await ids("?scope=all&build=b2")).toEqual(["core-wang"]);
    expect(await ids("?scope=all&company=2")).toEqual(["core-wang"]);
    expect(await ids("?company=1", "wangfang", "2")).toEqual([]);
    expect(await ids(`?scope=all&keyword=${encodeURIComponent("李娜")}`)).toEqual(["core-lina"]);
    // What a number counts is found by it.
    expect(await ids("?scope=all&error=core.deadline")).toEqual(["core-lina"]);
    expect(await ids("?scope=all&error=core.gone")).toEqual([]);
    expect(await ids("?scope=all&socket=chat")).toEqual(["core-lina"]);
    expect(await ids("?scope=all&socket=quality")).toEqual([]);
    for (const having of ["outbox", "errors", "lost"]) {
      expect(await ids(`?scope=all&having=${having}`)).toEqual(["core-lina"]);
    }
    expect(await ids("?scope=all&having=restarted")).toEqual(["core-wang"]);
    const figures = fleetFigures.data.parse(
      (await ask(`${fleetFigures.path}?scope=all`)).body.data,
    );
    expect(figures).toEqual({
      all: true,
      cores: 2,
      people: 2,
      tabs: 4,
      visible: 2,
      outbox: 2,
      builds: [
        { name: "b1", cores: 1 },
        { name: "b2", cores: 1 },
      ],
      browsers: [{ name: "Google Chrome 140", cores: 2 }],
      companies: [
        { id: "1", name: "华安物业服务有限公司", cores: 1 },
        { id: "2", name: "城南消防工程有限公司", cores: 1 },
      ],
    });
  },
);

it(
  covers([fleetCore, fleetSeries, fleetParts], "success", "the look is in the operation log"),
  async () => {
    const { status, body } = await lookAt("core-lina");
    expect(status).toBe(200);
    const { report } = fleetCore.data.parse(body.data);
    expect(report).toMatchObject({
      n: 1,
      tabs: { open: 3 },
      commands: { "chat.send": { failed: 1 } },
    });
    expect((await lookAt("core-wang")).status).toBe(200);
    const rows = await looked();
    const records = [
      { company: "1", core: "core-lina" },
      { company: "2", core: "core-wang" },
      { company: "1", core: "core-wang" },
    ];
    expect(rows).toEqual(records);
    // A page reads it again and again; the operator of the company is another person.
    await lookAt("core-lina");
    await lookAt("core-wang", "wangfang", "2");
    expect(await looked()).toEqual([...records, { company: "2", core: "core-wang" }]);

    const before = await stored();
    host.clock.advance(STEP_MS);
    await expect.poll(stored).toBeGreaterThan(before);
    await expect
      .poll(async () => (await series("command.chat.send")).total)
      .toMatchObject({ value: 100 });
    const { kind, seconds, points, total } = await series("command.chat.send");
    expect({ kind, seconds, points: points.length }).toEqual({
      kind: "latency",
      seconds: 10,
      points: 1,
    });
    expect(total.p50).toBeLessThan(5);
    expect(total.p99).toBeGreaterThan(720);
    expect((await series("errors.core.deadline@b1")).total.value).toBe(1);
    expect((await series("socket.chat.lost.network")).total.value).toBe(2);
    expect((await series("tabs")).points).toMatchObject([{ value: 3, most: 3 }]);
    expect((await series("restarts")).total.value).toBe(0);
    expect((await series("restarts", "&scope=all")).total.value).toBe(1);
    expect((await series("restarts", "", "wangfang", "2")).total.value).toBe(1);

    expect((await parts("lost")).parts).toMatchObject([
      { name: "chat", value: 2, details: [{ name: "network", value: 2 }], points: [{ value: 2 }] },
    ]);
    expect((await parts("errors")).parts).toMatchObject([
      { name: "core.deadline", value: 1, details: [{ name: "b1", value: 1 }] },
    ]);
    const commands = await parts("commands");
    expect(commands).toMatchObject({ kind: "latency", parts: [{ name: "chat.send", value: 100 }] });
    expect(commands.parts[0]?.p99).toBeGreaterThan(720);
    expect((await parts("opened")).parts).toEqual([]);
    expect((await parts("errors", "", "wangfang", "2")).parts).toEqual([]);
    expect((await parts("errors", "&scope=all")).parts).toHaveLength(1);
  },
);

it(covers(fleetCharts, "success", "one answer has what series and parts have"), async () => {
  const metrics = ["command.chat.send", "tabs", "restarts", "server.memory"];
  const wanted = `metrics=${metrics.join(",")}&parts=lost,errors,commands`;
  const all = await charts(wanted);
  expect(all.series.map(({ metric, kind }) => [metric, kind])).toEqual([
    ["command.chat.send", "latency"],
    ["tabs", "level"],
    ["restarts", "counter"],
    ["server.memory", "level"],
  ]);
  const known = (column: readonly (number | null)[] = []) =>
    column.filter((value) => value !== null);
  for (const { metric, value, p99, total } of all.series) {
    const one = await series(metric);
    expect([all.seconds, total]).toEqual([one.seconds, one.total]);
    expect(known(value)).toEqual(one.points.map((point) => point.value));
    expect(known(p99)).toEqual(one.points.flatMap((point) => point.p99 ?? []));
    expect(value).toHaveLength(all.steps);
    for (const point of one.points) {
      const place = (Date.parse(point.time) - all.first) / (1000 * all.seconds);
      expect(value[place]).toBe(point.value);
    }
  }
  for (const { of, parts: found } of all.parts) {
    const one = (await parts(of)).parts;
    const total = (part: Omit<(typeof one)[number], "points">) => {
      const { name, value, p50, p99, details } = part;
      return { name, value, p50, p99, details };
    };
    expect(found.map(total)).toEqual(one.map(total));
    if (of === "commands") expect(found.every(({ column }) => column.length === 0)).toBe(true);
    else
      expect(found.map(({ column }) => known(column))).toEqual(
        one.map(({ points }) => points.map(({ value }) => value)),
      );
  }
  // Figures of the server belong to no company, and lie beside those of all companies together.
  const platform = await charts("metrics=tabs,server.memory,restarts", "&scope=all");
  const [tabs, memory, restarts] = platform.series;
  expect(known(tabs?.value).length).toBeGreaterThan(0);
  expect(known(memory?.value).length).toBeGreaterThan(0);
  expect(restarts?.total.value).toBe(1);
});

it(
  covers(
    [fleetSeries, fleetParts, fleetCharts],
    "success",
    "an operator of the platform asks for one company, others for their own alone",
  ),
  async () => {
    const wanted = "metrics=restarts,command.chat.send&parts=errors";
    const read = async (query: string, as?: string, supplierId?: string) => {
      const { series: found, parts: of } = await charts(wanted, query, as, supplierId);
      return [...found.map(({ total }) => total.value), of[0]?.parts.length];
    };
    expect(await read("&scope=all")).toEqual([1, 100, 1]);
    expect(await read("&scope=all&company=1")).toEqual([0, 100, 1]);
    expect(await read("&scope=all&company=2")).toEqual([1, 0, 0]);
    expect((await series("restarts", "&scope=all&company=2")).total.value).toBe(1);
    expect((await parts("errors", "&scope=all&company=2")).parts).toEqual([]);
    expect(await read("&company=1", "wangfang", "2")).toEqual([1, 0, 0]);
  },
);

it("A report that comes again counts once, and one of a later number counts", async () => {
  const core = await coreOf("lina", "core-again");
  const report = { n: 1, commands: { "people.list": { ms: durations([2, 10]) } } };
  await core.report(report);
  await core.report(report);
  const back = await coreOf("lina", "core-again");
  await back.report(report);
  await back.report({ ...report, n: 2 });
  host.clock.advance(STEP_MS);
  await expect.poll(async () => (await series("command.people.list")).total.value).toBe(20);
});

const SEEN = [fleetList, fleetFigures, fleetCore, fleetSeries, fleetParts, fleetCharts] as const;
it(covers(SEEN, "foreign"), async () => {
  const figuresOf = async (path: string, as: string, supplierId: string) =>
    fleetFigures.data.parse((await ask(path, as, supplierId)).body.data);
  const theirs = await figuresOf(fleetFigures.path, "wangfang", "2");
  expect(theirs).toMatchObject({
    cores: 1,
    builds: [{ name: "b2", cores: 1 }],
    companies: [{ id: "2", cores: 1 }],
  });
  expect((await lookAt("core-lina", "wangfang", "2")).status).toBe(404);
  expect((await lookAt("core-none")).status).toBe(404);
  const times = "from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z";
  for (const path of [
    `${fleetSeries.path}?metric=tabs`,
    `${fleetParts.path}?of=lost`,
    `${fleetCharts.path}?metrics=tabs`,
  ]) {
    const answer = await ask(`${path}&${times}&scope=all&company=1`, "wangfang", "2");
    expect(answer.status).toBe(404);
  }
  expect((await list("?keyword=nobody")).total).toBe(0);
  // A report for a company of which the person is no member, and for a core of another person, count nowhere.
  const lina = await coreOf("lina", "core-foreign");
  expect((await lina.report({ n: 1, company: "2" }))["result"]).toBe(FLEET_RESULT.refused);
  const thief = await coreOf("zhangwei", "core-lina");
  expect((await thief.report({ n: 9 }))["result"]).toBe(FLEET_RESULT.badFrame);
  expect((await list()).records.find(({ id }) => id === "core-lina")?.name).toBe("李娜");
  expect((await ids("?scope=all")).includes("core-foreign")).toBe(false);
});

const ALL = [
  fleetTicket,
  fleetList,
  fleetFigures,
  fleetCore,
  fleetSeries,
  fleetParts,
  fleetCharts,
] as const;
it(covers(ALL, "refused"), async () => {
  for (const call of ALL) {
    expect((await host.ask("GET", call.path)).status).toBe(401);
    for (const as of refusedBy(MAY[call.id])) expect((await ask(call.path, as)).status).toBe(403);
  }
});

it(covers(SEEN, "invalid"), async () => {
  const times = "from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z";
  for (const [path, field] of [
    [`${fleetList.path}?limit=0`, "limit"],
    [`${fleetFigures.path}?scope=x`, "scope"],
    [fleetCore.path.replace("{id}", "x".repeat(65)), "id"],
    [`${fleetList.path}?socket=x`, "socket"],
    [`${fleetList.path}?company=x`, "company"],
    [`${fleetSeries.path}?metric=1&${times}`, "metric"],
    [`${fleetParts.path}?of=people&${times}`, "of"],
    [`${fleetParts.path}?of=lost&from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z`, "to"],
    [`${fleetParts.path}?of=lost&company=0&${times}`, "company"],
    [`${fleetCharts.path}?metrics=tabs,,cores&${times}`, "metrics"],
    [`${fleetCharts.path}?metrics=${"a,".repeat(20)}a&${times}`, "metrics"],
    [`${fleetCharts.path}?parts=lost,people&${times}`, "parts"],
    [`${fleetCharts.path}?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z`, "to"],
    [`${fleetSeries.path}?metric=tabs&from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z`, "to"],
    [`${fleetSeries.path}?metric=tabs&from=2020-01-02T00:00:00Z&to=2026-01-01T00:00:00Z`, "to"],
  ] as const) {
    const { status, body } = await ask(path);
    expect([status, Object.keys((body.details as { fields: object }).fields)]).toEqual([
      400,
      [field],
    ]);
  }
});

it("Reports that cannot be read are refused with the field, and too many of them close the socket", async () => {
  const { socket, raw } = await coreOf("lina", "core-bad");
  const good = { n: 1, company: "1", ms: 1 };
  for (const [wrong, field] of [
    [{ commands: { "chat.steal": { ms: [] } } }, "commands"],
    [{ errors: { "no.code": 1 } }, "errors"],
    [{ fanOut: [5, 1, 0, 1] }, "fanOut"],
    [{ company: "x" }, "company"],
  ] as const) {
    const answer = await raw(packed({ ...good, ...wrong }), 1);
    expect(answer["result"]).toBe(FLEET_RESULT.badFrame);
    expect(answer["msg"]).toContain(field);
  }
  // 64 KiB of JSON at most, however small its bytes.
  await raw(packed({ ...good, more: "x".repeat(100_000) }), -1);
  expect(await socket.closed()).toBe(4400);
});

it("A core without a ticket, with a forged one, or whose login ended has no socket", async () => {
  const forged = await openSocket(`${host.origin}/fleet?ticket=x.y.z`);
  expect(await forged.closed()).toBe(4401);
  expect(await (await openSocket(`${host.origin}/fleet`)).closed()).toBe(4401);
  const leaving = await coreOf("guest", "core-guest");
  await host.ask("POST", restCalls.logout.path, { token: tokens["guest"] ?? "" });
  expect(await leaving.socket.closed()).toBe(4401);
});

it("Of a core at which somebody looks every report is kept, of others the unusual ones", async () => {
  const core = await coreOf("lina", "core-kept");
  await core.report({ n: 1, errors: { "core.deadline": 1 } });
  await core.report({ n: 2 });
  await core.report({ n: 3 });
  const recent = async (): Promise<number[]> =>
    fleetCore.data
      .parse((await lookAt("core-kept")).body.data)
      .recent.map(({ report }) => report.n);
  expect(await recent()).toEqual([3, 1]);
  await core.report({ n: 4 });
  await core.report({ n: 5 });
  expect(await recent()).toEqual([5, 4, 1]);
  core.socket.close();
});

it("The looks of a login at a core within a minute are one; a later one is another", async () => {
  const core = await coreOf("lina", "core-looks");
  await core.report({ n: 1 });
  const before = (await looked()).length;
  await lookAt("core-looks");
  host.clock.advance(30_000);
  await lookAt("core-looks");
  host.clock.advance(20_000);
  expect((await lookAt("core-looks")).status).toBe(200);
  expect(await looked()).toHaveLength(before + 1);
  await core.report({ n: 2 });
  host.clock.advance(61_000 - 15_000);
  await core.report({ n: 3 });
  host.clock.advance(15_000);
  await lookAt("core-looks");
  expect(await looked()).toHaveLength(before + 2);
  core.socket.close();
});

it("A core that is gone is no longer listed, and what nobody asked for is not kept", async () => {
  const core = await coreOf("lina", "core-gone");
  await core.report({ n: 1 });
  expect(await ids()).toContain("core-gone");
  core.socket.close();
  await core.socket.closed();
  await expect
    .poll(async () => {
      host.clock.advance(1_000);
      return (await ids()).includes("core-gone");
    })
    .toBe(false);
  host.clock.advance(LISTED_MS);
  expect(await ids()).toEqual([]);
});
