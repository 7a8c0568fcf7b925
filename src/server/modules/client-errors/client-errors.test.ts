import { expect, it } from "vitest";
import { covers } from "../../covers.harness.ts";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { refusedBy, whoMay } from "../../who-may.harness.ts";
import { platformForTests } from "../../asking.harness.ts";
import { KEPT_MS } from "./index.ts";

const { errorList, errorReport } = restCalls;
const MAY = whoMay({ "errors.list": "--+-", "errors.report": "++++" });

const { host, tokens } = platformForTests([
  "admin",
  "lina",
  "zhangwei",
  "wangfang",
  "ops",
  "guest",
]);

const error = (over: Record<string, unknown> = {}) => ({
  key: crypto.randomUUID(),
  source: "page",
  message: "TypeError: x is undefined",
  stack: "save (/assets/a.js:1:2)",
  path: "/system/config",
  build: "b1",
  count: 1,
  age: 0,
  ...over,
});
const report = (errors: unknown, as = "lina", supplierId = "1") =>
  host.ask("POST", errorReport.path, { token: tokens[as] ?? "", supplierId, json: { errors } });
const list = async (query = "", supplierId = "1", as = "admin") =>
  errorList.data.parse(
    (await host.ask("GET", errorList.path + query, { token: tokens[as] ?? "", supplierId })).body
      .data,
  );

it(covers([errorReport, errorList], "success", "newest first, filters, once a key"), async () => {
  const [older, newer] = [error({ age: 60_000, source: "core", count: 3 }), error({ path: "/ai" })];
  expect((await report([older])).status).toBe(200);
  expect((await report([newer, older])).status).toBe(200);
  const { records, total } = await list();
  expect(total).toBe(2);
  expect(records).toMatchObject([
    { path: "/ai", source: "page", count: 1, actorName: "李娜", build: "b1" },
    { path: "/system/config", source: "core", count: 3, stack: "save (/assets/a.js:1:2)" },
  ]);
  const [last = 0, first = 0] = records.map(({ createTime }) => Date.parse(createTime));
  expect(last - first).toBeGreaterThanOrEqual(60_000);
  expect((await list("?source=core")).total).toBe(1);
  expect((await list("?keyword=AI")).total).toBe(1);
  expect((await list(`?keyword=${encodeURIComponent("李娜")}`)).total).toBe(2);
  expect((await list("?keyword=%25")).total).toBe(0);
  expect((await list(`?from=${new Date(last).toISOString()}`)).total).toBe(1);
  expect((await list("?cursor=2&limit=1&searchCount=false")).records).toHaveLength(1);
  // A guest's console may fail too.
  expect((await report([error()], "guest")).status).toBe(200);
});

it(covers([errorReport, errorList], "invalid"), async () => {
  for (const wrong of [
    { message: "" },
    { message: "x".repeat(501) },
    { stack: "x".repeat(8001) },
    { path: "/\0" },
    { key: "1" },
    { count: 0 },
    { age: -1 },
    { source: "else" },
  ]) {
    const { status, body } = await report([error(wrong)]);
    const field = `errors.0.${Object.keys(wrong)[0] ?? ""}`;
    expect([status, Object.keys((body.details as { fields: object }).fields)]).toEqual([
      400,
      [field],
    ]);
  }
  expect((await report([])).status).toBe(400);
  expect((await report(Array.from({ length: 21 }, () => error()))).status).toBe(400);
  const { status } = await host.ask("GET", `${errorList.path}?source=x`, {
    token: tokens["admin"] ?? "",
    supplierId: "1",
  });
  expect(status).toBe(400);
});

it(covers([errorReport, errorList], "foreign"), async () => {
  await report([error({ path: "/theirs" })], "wangfang", "2");
  expect((await list("?keyword=/theirs")).total).toBe(0);
  expect((await list("?keyword=/theirs", "2")).total).toBe(1);
  expect((await report([error()], "lina", "2")).status).toBe(403);
});

it(covers([errorReport, errorList], "refused"), async () => {
  for (const call of [errorReport, errorList]) {
    expect((await host.ask(call.method, call.path)).status).toBe(401);
    for (const as of refusedBy(MAY[call.id])) {
      const { status } = await host.ask(call.method, call.path, {
        token: tokens[as] ?? "",
        supplierId: "1",
      });
      expect([as, status]).toEqual([as, 403]);
    }
  }
});

it("A person reports at most 100 errors an hour, also with reports at once", async () => {
  const many = () => Array.from({ length: 20 }, () => error());
  const answers = await Promise.all(Array.from({ length: 7 }, () => report(many(), "zhangwei")));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([
    200, 200, 200, 200, 200, 429, 429,
  ]);
  const late = answers.find(({ status }) => status === 429);
  expect(Number(late?.headers.get("retry-after"))).toBeGreaterThan(3_500);
  expect((await report([error()], "lina")).status).toBe(200);
});

it("Errors are removed after thirty days", async () => {
  const { pool } = host.platform.database;
  const before = (await list()).total;
  await pool.query(
    "UPDATE client_errors SET received_at = $1 WHERE id = (SELECT min(id) FROM client_errors)",
    [new Date(host.clock.now() - KEPT_MS - 1_000)],
  );
  host.clock.advance(24 * 3_600_000);
  await expect
    .poll(async () => (await pool.query("SELECT FROM client_errors WHERE company_id = 1")).rowCount)
    .toBe(before - 1);
});
