/** The references of employees (0045_employee_references.sql), checked per statement, keep what foreign keys kept. */
import type { Pool, PoolClient } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestDatabase } from "../../base/database/database.harness.ts";
import type { Database } from "../../base/database/index.ts";

let database: Database;
let pool: Pool;
beforeAll(async () => {
  database = await openTestDatabase();
  pool = database.pool;
}, 60_000);
afterAll(() => database.close());

const UNKNOWN = "987654321";
const idOf = async (text: string, values: readonly unknown[] = []): Promise<string> =>
  (await pool.query<{ id: string }>(`${text} RETURNING id::text AS id`, [...values])).rows[0]!.id;
const company = (): Promise<string> => idOf("INSERT INTO companies (name) VALUES ('甲')");
const department = (companyId: string): Promise<string> =>
  idOf("INSERT INTO departments (company_id, name) VALUES ($1, '部')", [companyId]);
let accounts = 0;
const account = (): Promise<string> => {
  accounts += 1;
  const name = `a${accounts}`;
  return idOf(
    "INSERT INTO accounts (username, password_hash, nickname, chat_user_name) VALUES ($1, 'x', 'x', $1)",
    [name],
  );
};
const employee = (...values: (string | null)[]): Promise<string> =>
  idOf(
    "INSERT INTO employees (company_id, account_id, department_id, name) VALUES ($1, $2, $3, '张三')",
    values,
  );
const codeOf = (query: Promise<unknown>): Promise<unknown> =>
  query.then(
    () => null,
    (error: unknown) => {
      const { code, constraint } = error as { code: string; constraint?: string };
      return constraint === undefined ? code : `${code} ${constraint}`;
    },
  );
const employeesOf = async (companyId: string) =>
  (
    await pool.query<{ account: string | null; department: string | null }>(
      `SELECT account_id::text AS account, department_id::text AS department FROM employees
       WHERE company_id = $1 ORDER BY id`,
      [companyId],
    )
  ).rows;

it("An insert with an unknown company, account or department is refused", async () => {
  const at = await company();
  const refused = (name: string): string => `23503 employees_${name}_fkey`;
  expect(await codeOf(employee(UNKNOWN, null, null))).toBe(refused("company_id"));
  expect(await codeOf(employee(at, UNKNOWN, null))).toBe(refused("account_id"));
  expect(await codeOf(employee(at, null, UNKNOWN))).toBe(refused("department_id"));
  const mixed = pool.query(
    "INSERT INTO employees (company_id, department_id, name) SELECT $1, d, 'x' FROM unnest($2::bigint[]) AS d",
    [at, [await department(at), UNKNOWN]],
  );
  expect(await codeOf(mixed)).toBe(refused("department_id"));
  expect(await employeesOf(at)).toEqual([]);
});

it("An update to an unknown company, account or department is refused, another update is not", async () => {
  const at = await company();
  const id = await employee(at, await account(), await department(at));
  for (const name of ["company_id", "account_id", "department_id"]) {
    const change = pool.query(`UPDATE employees SET ${name} = $2 WHERE id = $1`, [id, UNKNOWN]);
    expect(await codeOf(change)).toBe(`23503 employees_${name}_fkey`);
  }
  const moved = [id, await company(), await account()];
  await pool.query(
    "UPDATE employees SET company_id = $2, account_id = $3, department_id = NULL, name = 'y' WHERE id = $1",
    moved,
  );
  expect(await employeesOf(moved[1]!)).toEqual([{ account: moved[2], department: null }]);
});

it("The deletion of a company deletes its employees, that of an account or department empties the column", async () => {
  const [at, other] = [await company(), await company()];
  const [who, where] = [await account(), await department(at)];
  await employee(at, who, where);
  await employee(other, null, null);
  await pool.query("DELETE FROM departments WHERE id = $1", [where]);
  expect(await employeesOf(at)).toEqual([{ account: who, department: null }]);
  await pool.query("DELETE FROM accounts WHERE id = $1", [who]);
  expect(await employeesOf(at)).toEqual([{ account: null, department: null }]);
  await pool.query("DELETE FROM companies WHERE id = $1", [at]);
  expect(await employeesOf(at)).toEqual([]);
  expect(await employeesOf(other)).toHaveLength(1);
});

it("An id that employees refer to cannot change, and its table cannot be emptied", async () => {
  const at = await company();
  const where = await department(at);
  await employee(at, await account(), where);
  const change = pool.query("UPDATE departments SET id = id + 1000000 WHERE id = $1", [where]);
  expect(await codeOf(change)).toBe("23503");
  // Invitations refer to departments by a foreign key, which refuses first.
  expect(await codeOf(pool.query("TRUNCATE departments"))).toBe("0A000");
  expect(await employeesOf(at)).toMatchObject([{ department: where }]);
  const spare = await department(await company());
  await pool.query("UPDATE departments SET id = id + 1000000 WHERE id = $1", [spare]);
});

it("A parent is not deleted at an isolation level that could miss new employees", async () => {
  const at = await company();
  const client = await pool.connect();
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
    expect(await codeOf(client.query("DELETE FROM companies WHERE id = $1", [at]))).toBe("0A000");
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
});

/** Runs work on two connections, which only a PostgreSQL server offers. */
async function withTwo(work: (one: PoolClient, other: PoolClient) => Promise<void>): Promise<void> {
  const [one, other] = [await pool.connect(), await pool.connect()];
  try {
    await work(one, other);
  } finally {
    for (const client of [one, other]) {
      await client.query("ROLLBACK");
      client.release();
    }
  }
}
/** Resolves when a query of the database waits for a lock. */
async function lockIsAwaited(): Promise<void> {
  await expect
    .poll(
      async () =>
        (
          await pool.query(
            "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
          )
        ).rowCount,
    )
    .toBeGreaterThan(0);
}

const onServer = it.runIf((process.env["TEST_DATABASE_URL"] ?? "") !== "");

onServer("A deletion waits for an insert under way, and then sees its employees", async () => {
  const at = await company();
  const where = await department(at);
  await withTwo(async (one, other) => {
    await one.query("BEGIN");
    await one.query(
      "INSERT INTO employees (company_id, department_id, name) VALUES ($1, $2, 'x')",
      [at, where],
    );
    const emptied = other.query("DELETE FROM departments WHERE id = $1", [where]);
    await lockIsAwaited();
    await one.query("COMMIT");
    await emptied;
    expect(await employeesOf(at)).toEqual([{ account: null, department: null }]);
    await one.query("BEGIN");
    await one.query("INSERT INTO employees (company_id, name) VALUES ($1, 'y')", [at]);
    const deleted = other.query("DELETE FROM companies WHERE id = $1", [at]);
    await lockIsAwaited();
    await one.query("COMMIT");
    await deleted;
    expect(await employeesOf(at)).toEqual([]);
  });
});

onServer(
  "An insert waits for a deletion under way, and is refused once it is committed",
  async () => {
    const at = await company();
    await withTwo(async (one, other) => {
      await one.query("BEGIN");
      await one.query("DELETE FROM companies WHERE id = $1", [at]);
      const insert = codeOf(
        other.query("INSERT INTO employees (company_id, name) VALUES ($1, 'x')", [at]),
      );
      await lockIsAwaited();
      await one.query("COMMIT");
      expect(await insert).toBe("23503 employees_company_id_fkey");
    });
  },
);
