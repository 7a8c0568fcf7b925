import { afterAll, beforeAll, expect, it } from "vitest";
import { isIdNumber, readIdNumber } from "../../../shared/domain/validate.ts";
import type { Database } from "./index.ts";
import { seed } from "./seed.ts";
import { inventEmployees, seedEmployees } from "./seed-employees.ts";
import { openTestDatabase } from "./database.harness.ts";

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
  await seed(database.db, { demo: true, administrator: null, hash: () => Promise.resolve("x") });
}, 60_000);
afterAll(() => database.close());

it("Generated people have valid id card numbers that match their gender and birthday", () => {
  const people = [...inventEmployees(5000)];
  const wrong = people.filter(
    ({ idNumber, birthday, gender }) =>
      !isIdNumber(idNumber) ||
      readIdNumber(idNumber).birthday !== birthday ||
      readIdNumber(idNumber).gender !== gender,
  );
  expect(wrong).toEqual([]);
  expect(new Set(people.map((one) => one.employeeNo)).size).toBe(5000);
  expect([...inventEmployees(3)]).toEqual(people.slice(0, 3));
});

it("Employees are added to the named company, more with each run, and the stored count follows", async () => {
  const company = "城南消防工程有限公司";
  const added = await seedEmployees(database.pool, { count: 2500, company });
  const more = await seedEmployees(database.pool, { count: 100, company });
  expect([added, more]).toEqual([2500, 100]);
  const { rows } = await database.pool.query(
    `SELECT count(*)::int AS n, (SELECT employed::int FROM employee_counts WHERE company_id = 2) AS kept
     FROM employees WHERE company_id = 2 AND dimission_at IS NULL`,
  );
  expect(rows[0]).toEqual({ n: 2603, kept: 2603 });
  await expect(seedEmployees(database.pool, { count: 1, company: "无" })).rejects.toThrow(
    "没有企业",
  );
});
