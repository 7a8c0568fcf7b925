/** A field that is added to the catalogue, with its column, works everywhere. */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { employeeFields, employeeLabels } from "../../../shared/domain/employee-fields.ts";
import { IMPORT_FIELDS } from "../../../shared/domain/import-fields.ts";
import { type EmployeeDetail, restCalls } from "../../../shared/protocol/rest/index.ts";
import { openTestDatabase } from "../../base/database/database.harness.ts";
import type { Database } from "../../base/database/index.ts";
import { readXlsx } from "../../base/xlsx/xlsx.harness.ts";
import { startTestPlatform, type TestPlatform } from "../../platform.harness.ts";
import { createJob, keyOf, person, sendChunk, toChunk } from "../imports/chunks.harness.ts";

vi.mock("../../../shared/domain/employee-fields.ts", async (original) => {
  const real = await original<typeof import("../../../shared/domain/employee-fields.ts")>();
  // The line that a developer adds.
  const line = {
    key: "nickname",
    column: "nick_name",
    zh: "昵称",
    en: "Nickname",
    rule: { type: "text", max: 20 },
    synonyms: "绰号 nickname",
  };
  const all = [...real.employeeFields, line];
  return {
    ...real,
    EMPLOYEE_FIELDS: all,
    employeeFields: all,
    employeeLabels: (language: "zh" | "en") => ({
      ...real.employeeLabels(language),
      [line.key]: line[language],
    }),
  };
});

let database: Database;
let host: TestPlatform;
let token: string;
beforeAll(async () => {
  database = await openTestDatabase();
  // What its migration does.
  await database.pool.query("ALTER TABLE employees ADD COLUMN nick_name text");
  host = await startTestPlatform({ database });
  token = (await host.login("admin")).access_token;
}, 60_000);
afterAll(async () => {
  await host.close();
  await database.close();
});

const ask = (call: { method: string; path: string }, json: unknown) =>
  host.ask(call.method, call.path, { token, supplierId: "1", json });
const found = async (op: string, value: string) => {
  const filter = { logic: "and", rules: [{ field: "nickname", op, value }] };
  const answer = await ask(restCalls.advancedFiltering, { filter });
  return (answer.body.data as { records: EmployeeDetail[] }).records.map(({ name }) => name);
};

it("One line and a migration add a field to forms, imports, filters and exports", async () => {
  const made = await ask(restCalls.employeeCreate, { name: "测试", nickname: "小测" });
  expect(made.body.data).toMatchObject({ name: "测试", nickname: "小测" });
  const long = await ask(restCalls.employeeCreate, { name: "测试", nickname: "测".repeat(21) });
  expect(Object.keys(long.body.details?.["fields"] as object)).toEqual(["nickname"]);

  const sender = { platform: host, token, supplierId: "1" };
  const fields = ["name", "idNumber", "nickname"];
  const rows = [
    { ...person(1), nickname: "一号" },
    { ...person(2), nickname: "测".repeat(21) },
  ];
  const job = await createJob(sender, keyOf(1), 2, { fields });
  const sent = await sendChunk(sender, job.data.id, 0, toChunk(rows, fields));
  expect([sent.data.created, sent.data.refusals.map(({ field }) => field)]).toEqual([
    1,
    ["nickname"],
  ]);

  expect(await found("contains", "测")).toEqual(["测试"]);
  expect(await found("eq", "一号")).toEqual([person(1)["name"]]);

  const path = restCalls.employeeExport.path.replace("{a}", "employed").replace("{b}", "x");
  const file = await fetch(host.origin + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "supplier-id": "1",
      "content-type": "application/json",
    },
    body: "{}",
  });
  const [titles = [], ...lines] = readXlsx(Buffer.from(await file.arrayBuffer()));
  const at = titles.indexOf("昵称");
  expect(lines.map((line) => line[at]).filter(Boolean)).toEqual(["小测", "一号"]);

  expect(IMPORT_FIELDS.find(({ key }) => key === "nickname")?.synonyms).toContain("绰号");
  expect(employeeLabels("en")).toMatchObject({ nickname: "Nickname" });
});

it("A field without its column has no place in the table", async () => {
  const { rows } = await database.pool.query(
    "SELECT column_name FROM information_schema.columns WHERE table_name = 'employees'",
  );
  const columns = new Set(rows.map((row: { column_name: string }) => row.column_name));
  expect(employeeFields.map(({ column }) => column).filter((name) => !columns.has(name))).toEqual(
    [],
  );
});
