/** Tests how many phone numbers of a company may be read per hour, and what is recorded about it. */
import { beforeAll, expect, it } from "vitest";
import { platformForTests } from "../../asking.harness.ts";
import { EXPORTS_AN_HOUR, PHONES_A_RECORD, PHONES_AN_HOUR } from "./phone-reads.ts";

const { host, tokens: token } = platformForTests(["lina", "zhangwei", "admin", "guest"], {
  env: { ACCESS_TOKEN_TTL: "86400" },
});
beforeAll(async () => {
  await host.platform.database.pool.query(
    `INSERT INTO employees (company_id, name, phone)
     SELECT 1, '员工' || i, (13900000000 + i)::text FROM generate_series(1, 3000) i`,
  );
});

const LIMIT = 200;
const list = (who: string, cursor: number, more = "") =>
  host.ask(
    "GET",
    `/scm-supplier/api/sec/employees${more === "" ? "/list" : ""}?cursor=${cursor}&limit=${LIMIT}${more}`,
    { token: token[who] ?? "", supplierId: "1" },
  );
const records = async (who: string, action: string) => {
  const { rows } = await host.platform.database.pool.query<{ after: Record<string, unknown> }>(
    `SELECT r.after FROM audit_records r JOIN accounts a ON a.id = r.actor_id
     WHERE a.username = $1 AND r.action = $2 ORDER BY r.id`,
    [who, action],
  );
  return rows.map((row) => row.after);
};

it("A colleague may read a limited number per hour over all calls, and every five hundred are recorded", async () => {
  let read = 0;
  for (let cursor = 1; ; cursor += 1) {
    const answer = await list("lina", cursor, cursor % 2 === 0 ? "&supplierId=1" : "");
    if (answer.status !== 200) {
      expect([answer.status, answer.body.error]).toEqual([429, "request.rate-limited"]);
      expect(Number(answer.headers.get("retry-after"))).toBeLessThanOrEqual(360);
      break;
    }
    read += (answer.body.data as { records: unknown[] }).records.length;
  }
  expect(read).toBeGreaterThan(PHONES_AN_HOUR - LIMIT);
  expect(read).toBeLessThanOrEqual(PHONES_AN_HOUR);
  const written = await records("lina", "read");
  expect(written.length).toBe(Math.floor(read / (3 * LIMIT)));
  for (const one of written) {
    expect(one).toMatchObject({ limited: true });
    expect(one["phones"]).toBeGreaterThanOrEqual(PHONES_A_RECORD);
  }
  // Another colleague may read, and so may the same one an hour later.
  expect((await list("zhangwei", 1)).status).toBe(200);
  host.clock.advance(3_600_000);
  expect((await list("lina", 14)).status).toBe(200);
});

it("What a list asks again after changes does not count, and is answered beyond the limit", async () => {
  host.clock.advance(3_600_000);
  const counted = (await records("lina", "read")).length;
  // None of these was asked in the test above.
  const more = "&supplierId=1&searchCount=false";
  const firstNames = async () => {
    const answer = await list("lina", 1, more);
    expect(answer.status).toBe(200);
    return (answer.body.data as { records: { name: string }[] }).records.map(({ name }) => name);
  };
  for (let n = 0; n < 30; n += 1) {
    await host.platform.database.pool.query(
      "UPDATE employees SET name = $1 WHERE company_id = 1 AND phone = '13900000001'",
      [`改名${n}`],
    );
    expect(await firstNames()).toContain(`改名${n}`);
  }
  const pages = PHONES_AN_HOUR / LIMIT;
  for (let cursor = 2; cursor <= pages; cursor += 1) {
    expect((await list("lina", cursor, more)).status).toBe(200);
  }
  expect((await list("lina", pages + 1, more)).status).toBe(429);
  expect(await firstNames()).toHaveLength(LIMIT);
  const written = (await records("lina", "read")).slice(counted);
  const phones = written.reduce((sum, one) => sum + Number(one["phones"]), 0);
  expect(phones).toBeGreaterThanOrEqual(PHONES_AN_HOUR - PHONES_A_RECORD);
  expect(phones).toBeLessThanOrEqual(PHONES_AN_HOUR);
});

it("Parallel pages cannot exceed the limit together", async () => {
  const answers = await Promise.all(Array.from({ length: 15 }, (_, i) => list("zhangwei", i + 2)));
  const passed = answers.filter(({ status }) => status === 200).length;
  expect(passed * LIMIT).toBeLessThanOrEqual(PHONES_AN_HOUR);
  expect(answers.filter(({ status }) => status === 429).length).toBe(15 - passed);
});

it("An account that may read the employees has no limit and is recorded", async () => {
  for (let cursor = 1; cursor <= 15; cursor += 1) {
    const answer = await host.ask("POST", "/scm-supplier/api/sec/employees/advancedfilteringNew", {
      token: token["admin"] ?? "",
      supplierId: "1",
      json: { cursor, limit: LIMIT },
    });
    expect(answer.status).toBe(200);
  }
  expect((await records("admin", "read")).length).toBeGreaterThanOrEqual(4);
});

it("Exports are limited and recorded", async () => {
  const statuses: number[] = [];
  for (let i = 0; i <= EXPORTS_AN_HOUR; i += 1) {
    const response = await fetch(
      `${host.origin}/scm-supplier/api/sec/getExcelByJson2/employed/staff`,
      {
        method: "POST",
        headers: {
          authorization: `Bearer ${token["admin"]}`,
          "supplier-id": "1",
          "content-type": "application/json",
        },
        body: JSON.stringify({ columns: [{ field: "name" }, { field: "phone" }], keyword: "管理" }),
      },
    );
    await response.arrayBuffer();
    statuses.push(response.status);
  }
  expect(statuses).toEqual([...Array.from({ length: EXPORTS_AN_HOUR }, () => 200), 429]);
  const written = await records("admin", "export");
  expect(written).toHaveLength(EXPORTS_AN_HOUR);
  expect(written[0]).toMatchObject({ list: "employed", filtered: true });
  expect(written[0]?.["columns"]).toHaveLength(2);
});

it("A guest may read only the own row", async () => {
  expect((await list("guest", 1)).status).toBe(403);
  expect((await list("guest", 1, "&supplierId=1")).status).toBe(403);
  const { data } = (await host.ask("GET", "/uaa/api/account", { token: token["guest"] ?? "" }))
    .body;
  const own = await list("guest", 1, `&supplierId=1&accountId=${(data as { id: string }).id}`);
  expect([own.status, (own.body.data as { total: number }).total]).toEqual([200, 1]);
});
