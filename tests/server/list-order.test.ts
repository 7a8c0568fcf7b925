/** Every list that can be sorted: each column in both directions, page by page, and what it refuses. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RestCall, restCalls } from "../../src/shared/protocol/rest/index.ts";
import { z } from "../../src/shared/zod.ts";
import { startTestPlatform, type TestPlatform } from "../../src/server/platform.harness.ts";

type Record_ = Readonly<Record<string, unknown>> & { readonly id: string };

/** The part of the input in which a call takes the page. */
const partOf = ({ body }: RestCall): "query" | "body" =>
  body instanceof z.ZodObject && "cursor" in body.shape ? "body" : "query";

/** The values of `sort` that a call takes. */
function sortsOf(call: RestCall): string[] {
  const asked = call[partOf(call)];
  if (!(asked instanceof z.ZodObject) || !("sort" in asked.shape)) return [];
  const sort: unknown = asked.shape["sort"];
  const inner: unknown = sort instanceof z.ZodOptional ? sort.unwrap() : null;
  if (!(inner instanceof z.ZodEnum)) throw new Error("the sort of a list is a choice");
  return inner.options.map(String);
}
const SORTED = Object.values<RestCall>(restCalls).filter((call) => sortsOf(call).length > 0);

/** What a page shows as a list: it answers pages of rows. */
const LISTS = Object.values<RestCall>(restCalls).filter((call) => {
  const { page, data } = call;
  const asked = call[partOf(call)];
  return (
    page === true &&
    asked instanceof z.ZodObject &&
    "cursor" in asked.shape &&
    data instanceof z.ZodObject &&
    "records" in data.shape
  );
});
/** Lists whose order people do not choose. */
const UNSORTED: readonly string[] = [
  "alertChannels.list",
  "alertRules.list",
  "alertSilences.list",
  "alerts.list",
  "bulletins.list",
  "bulletins.top",
  "documents.own",
  "employees.applies",
  "employees.candidates",
  "imports.invitations",
  "imports.list",
  "imports.refusals",
  "profile.sessions",
  "registration.applies",
  "roles.people",
  "sms.outbox",
  "tasks.list",
  "tasks.runs",
];

/** The part of a record that is compared; times and numbers compare as they are. */
function valueOf(record: Record_, column: string): string | number | null {
  const { answeredAt, endedAt } = record;
  const value =
    column === "duration"
      ? answeredAt === null
        ? null
        : Number(endedAt) - Number(answeredAt)
      : record[column];
  if (value === null || value === undefined) return null;
  return typeof value === "boolean" ? Number(value) : (value as string | number);
}

/** Text by code point, as the databases compare it; what is empty comes last. */
function inOrder(a: string | number | null, b: string | number | null, down: boolean): boolean {
  if (a === null || b === null) return b === null;
  const later =
    typeof a === "string" ? Buffer.compare(Buffer.from(a), Buffer.from(String(b))) : a - Number(b);
  return down ? later >= 0 : later <= 0;
}

describe("The order of a list", () => {
  let host: TestPlatform;
  let token = "";
  const ask = async (call: RestCall, asked: Readonly<Record<string, string>>) => {
    const inBody = partOf(call) === "body";
    const path = inBody ? call.path : `${call.path}?${new URLSearchParams(asked)}`;
    const by = { token, supplierId: "1", ...(inBody ? { json: asked } : {}) };
    return host.ask(call.method, path, by);
  };
  const rowsOf = async (call: RestCall, query: Readonly<Record<string, string>>) => {
    const { status, body } = await ask(call, query);
    expect([call.id, query, status]).toEqual([call.id, query, 200]);
    return (body.data as { records: Record_[]; total: number }) ?? { records: [], total: 0 };
  };

  beforeAll(async () => {
    host = await startTestPlatform();
    for (const name of ["zhangwei", "lina", "admin"]) {
      token = (await host.login(name)).access_token;
    }
    const { pool } = host.platform.database;
    await pool.query(
      `INSERT INTO employees (company_id, name, employee_no, department, "position", dimission_at)
       SELECT 1, '员工' || (n % 4), 'N' || n, nullif('部门' || (n % 3), '部门0'), nullif('岗' || (n % 2), '岗0'),
         CASE WHEN n > 20 THEN now() - n * interval '1 day' END
       FROM generate_series(1, 30) n`,
    );
    await pool.query(
      `INSERT INTO call_records (account_id, call_id, channel, type, media, direction, peer, peer_name, result, own, started_at, answered_at, ended_at)
       SELECT a.id, 'c' || n, '', 1, 'voice', 'out', 'lina', '人' || (n % 3),
         CASE WHEN n % 2 = 0 THEN 'answered' ELSE 'missed' END, true, now() - n * interval '1 hour',
         CASE WHEN n % 2 = 0 THEN now() - n * interval '1 hour' END, now() - n * interval '59 minutes'
       FROM accounts a, generate_series(1, 9) n WHERE a.username = 'admin'`,
    );
    await pool.query(
      `INSERT INTO audit_records (company_id, actor_id, action, entity, entity_id)
       SELECT 1, a.id, (ARRAY['create', 'update', 'delete'])[1 + n % 3], (ARRAY['role', 'config'])[1 + n % 2], n::text
       FROM accounts a, generate_series(1, 9) n WHERE a.username IN ('admin', 'lina')`,
    );
    await pool.query(
      `INSERT INTO client_errors (company_id, account_id, key, source, message, stack, path, build, user_agent, count, occurred_at, received_at)
       SELECT 1, a.id, gen_random_uuid(), (ARRAY['page', 'core'])[1 + n % 2], 'Error ' || (n % 4), '', '/' || (n % 3), 'b' || (n % 2), '', 1 + n % 5,
         now() - n * interval '1 minute', now()
       FROM accounts a, generate_series(1, 9) n WHERE a.username IN ('admin', 'lina')`,
    );
  }, 120_000);
  afterAll(() => host.close());

  it("can be chosen for every list of the console, but for a few", () => {
    const sorted = new Set(SORTED.map(({ id }) => id));
    expect(
      LISTS.filter(({ id }) => !sorted.has(id))
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(UNSORTED);
    expect(sorted.size).toBeGreaterThan(10);
  });

  for (const call of SORTED) {
    it(`${call.id}: follows the column in both directions, and pages show each row once`, async () => {
      for (const sort of sortsOf(call)) {
        const all = await rowsOf(call, { sort, limit: "1000" });
        const down = sort.startsWith("-");
        const values = all.records.map((record) => valueOf(record, sort.replace(/^-/, "")));
        const wrong = values.findIndex(
          (value, i) => i > 0 && !inOrder(values[i - 1] ?? null, value, down),
        );
        expect([sort, wrong, values.slice(Math.max(0, wrong - 1), wrong + 1)]).toEqual([
          sort,
          -1,
          [],
        ]);
        const paged: string[] = [];
        const limit = Math.max(1, Math.ceil(all.total / 4));
        for (let cursor = 1; paged.length < all.total; cursor += 1) {
          const { records } = await rowsOf(call, { sort, limit: `${limit}`, cursor: `${cursor}` });
          if (records.length === 0) break;
          paged.push(...records.map(({ id }) => id));
        }
        expect([sort, paged]).toEqual([sort, all.records.map(({ id }) => id)]);
      }
    });

    it(`${call.id}: is refused for a column that is not in its list`, async () => {
      for (const sort of [
        "",
        "id",
        "-",
        "name; DROP TABLE employees",
        "name desc",
        "__proto__",
        "constructor",
      ]) {
        const { status, body } = await ask(call, { sort });
        expect([sort, status, Object.keys((body.details?.["fields"] ?? {}) as object)]).toEqual([
          sort,
          400,
          ["sort"],
        ]);
      }
    });
  }

  it("holds together with a keyword", async () => {
    const { records, total } = await rowsOf(restCalls.employeeList, {
      sort: "-department",
      keyword: "员工1",
    });
    expect(total).toBe(5);
    expect(records.map((record) => record["name"])).toEqual(records.map(() => "员工1"));
    const departments = records.map((record) => record["department"]);
    expect(departments).toEqual(["部门2", "部门2", "部门1", "部门1", null]);
  });
});
