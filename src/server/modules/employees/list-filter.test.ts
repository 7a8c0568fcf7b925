import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mutate, pick, seededRandom } from "../../../shared/mutate.harness.ts";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { startTestPlatform, type TestPlatform } from "../../platform.harness.ts";

const { employeeList } = restCalls;
const TABLES = ["employees", "accounts", "companies", "audit_records"];
const INJECTIONS = [
  "' OR '1'='1",
  "'; DROP TABLE employees; --",
  '" OR 1=1 --',
  "%' OR name LIKE '%",
  "\\'; SELECT pg_sleep(10); --",
  "$1); DELETE FROM employees; --",
  "\u2019 OR 1=1",
  "a' UNION SELECT password FROM accounts --",
  "{}[]()::text",
];

describe("The advanced filter of the employee list", () => {
  let host: TestPlatform;
  const tokens: Record<string, string> = {};
  const send = (filter: string, more: Readonly<Record<string, string>> = {}, as = "admin") =>
    host.ask("GET", `${employeeList.path}?${new URLSearchParams({ filter, ...more })}`, {
      token: tokens[as] ?? "",
      supplierId: "1",
    });
  const found = async (filter: unknown, more: Readonly<Record<string, string>> = {}) => {
    const { status, body } = await send(JSON.stringify(filter), { limit: "1000", ...more });
    expect([status, body.msg]).toEqual([200, "操作成功"]);
    return employeeList.data.parse(body.data);
  };
  const fingerprint = async (): Promise<string> => {
    const counts = TABLES.map((name) => `(SELECT count(*) FROM ${name})`).join(", ");
    const { rows } = await host.platform.database.pool.query(
      `SELECT ${counts}, (SELECT md5(string_agg(e::text, '' ORDER BY id)) FROM employees e)`,
    );
    return JSON.stringify(rows);
  };
  beforeAll(async () => {
    host = await startTestPlatform();
    for (const name of ["admin", "lina"]) tokens[name] = (await host.login(name)).access_token;
    await host.platform.database.pool.query(
      `INSERT INTO employees (company_id, name, department, hire_date, remark)
       SELECT c, '筛选' || n, CASE WHEN n % 2 = 0 THEN '甲部' ELSE '乙部' END, date '2024-01-01' + n, '秘密' || c || '-' || n
       FROM generate_series(1, 2) c, generate_series(1, 6) n`,
    );
  }, 120_000);
  afterAll(() => host.close());

  it("joins groups by and and or, with keyword and order, in the company alone", async () => {
    const filter = {
      logic: "and",
      rules: [
        { field: "name", op: "startsWith", value: "筛选" },
        {
          logic: "or",
          rules: [
            { field: "department", op: "eq", value: "甲部" },
            { field: "hireDate", op: "le", value: "2024-01-02" },
          ],
        },
      ],
    };
    const { records, total } = await found(filter, { sort: "-name" });
    expect([total, records.map(({ name }) => name)]).toEqual([
      4,
      ["筛选6", "筛选4", "筛选2", "筛选1"],
    ]);
    expect(records.every(({ supplierId }) => supplierId === "1")).toBe(true);
    expect((await found(filter, { keyword: "筛选4" })).records.map(({ name }) => name)).toEqual([
      "筛选4",
    ]);
  });

  it("is refused to a person who may not read all data, since it finds what the list does not show", async () => {
    const rule = { field: "remark", op: "startsWith", value: "秘密" };
    const filter = JSON.stringify({ logic: "and", rules: [rule] });
    expect((await send(filter)).status).toBe(200);
    expect((await send(filter, {}, "lina")).status).toBe(403);
  });

  it("is refused with a name of the field when it is no filter", async () => {
    const bad = [
      "{",
      "[]",
      "null",
      '{"logic":"xor","rules":[]}',
      '{"logic":"and","rules":[{"field":"name","op":"like","value":"x"}]}',
      '{"logic":"and","rules":[{"field":"name\'; --","op":"eq","value":"x"}]}',
      `{"logic":"and","rules":[${"0,".repeat(2000)}0]}`,
    ];
    for (const filter of bad) {
      const { status, body } = await send(filter);
      const fields = Object.keys((body.details?.["fields"] ?? {}) as object);
      expect([filter, status, fields.every((key) => key.startsWith("filter"))]).toEqual([
        filter,
        400,
        true,
      ]);
      expect(fields.length).toBeGreaterThan(0);
    }
    const unknown = { logic: "and", rules: [{ field: "password", op: "eq", value: "x" }] };
    expect((await send(JSON.stringify(unknown))).body.details).toEqual({
      fields: { "filter.rules.0.field": "没有这个字段" },
    });
  });

  it("takes every text as a value: attempts at injection find nobody and change nothing", async () => {
    const before = await fingerprint();
    for (const value of INJECTIONS) {
      for (const op of ["eq", "contains", "startsWith"]) {
        const { total } = await found({ logic: "and", rules: [{ field: "name", op, value }] });
        expect([value, op, total]).toEqual([value, op, 0]);
      }
      const listed = await found({
        logic: "or",
        rules: [{ field: "name", op: "in", value: [value, "筛选1"] }],
      });
      expect([value, listed.total]).toEqual([value, 1]);
    }
    expect(await fingerprint()).toBe(before);
  });

  it("survives random filters: found or refused, nothing else", async () => {
    const random = seededRandom(7);
    const before = await fingerprint();
    const sample = {
      logic: "and",
      rules: [
        { field: "name", op: "contains", value: "筛" },
        {
          logic: "or",
          rules: [{ field: "hireDate", op: "between", value: ["2024-01-01", "2025-01-01"] }],
        },
      ],
    };
    const seen = new Set<number>();
    for (let round = 0; round < 120; round += 1) {
      const text =
        round % 2 === 0
          ? mutate(random, sample)
          : JSON.stringify({
              logic: pick(random, ["and", "or"]),
              rules: [
                {
                  field: pick(random, [
                    "name",
                    "hireDate",
                    "gender",
                    "status",
                    "custom.x",
                    "birthday",
                  ]),
                  op: pick(random, ["eq", "gt", "in", "between", "isEmpty", "contains"]),
                  value: pick<unknown>(random, [
                    pick(random, INJECTIONS),
                    5,
                    ["a", "b"],
                    [],
                    "2024-02-30",
                  ]),
                },
              ],
            });
      const { status } = await send(text.slice(0, 4000));
      seen.add(status);
      expect([text, [200, 400].includes(status)]).toEqual([text, true]);
    }
    expect([...seen].toSorted()).toEqual([200, 400]);
    expect(await fingerprint()).toBe(before);
  });
});
