import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import { audit, auditPlatform } from "../audit/index.ts";
import type { Database } from "./index.ts";
import {
  accountRoles,
  accounts,
  companies,
  employees,
  menus,
  roleMenus,
  roles,
} from "./schema/base.ts";
import { auditRecords } from "./schema/audit.ts";
import { type CompanyScope, createTenants, type Tenants } from "./tenant.ts";
import { openTestDatabase } from "./database.harness.ts";

describe("Isolation of companies", () => {
  let database: Database;
  let tenants: Tenants;
  const id = { a: "", b: "", roleA: "", roleB: "", menu: "", account: "", employeeB: "" };
  const first = <R>(rows: readonly R[]): R => {
    const [row] = rows;
    if (row === undefined) throw new Error("no row");
    return row;
  };
  const inA = <R>(work: (scope: CompanyScope) => Promise<R>): Promise<R> =>
    tenants.run(id.a, { accountId: id.account }, work);

  beforeAll(async () => {
    database = await openTestDatabase();
    tenants = createTenants(database.pool);
    const { db } = database;
    id.a = first(await db.insert(companies).values({ name: "甲" }).returning()).id;
    id.b = first(await db.insert(companies).values({ name: "乙" }).returning()).id;
    const account = { username: "x", passwordHash: "the hash", nickname: "x", chatUserName: "x" };
    id.account = first(await db.insert(accounts).values(account).returning()).id;
    id.menu = first(await db.insert(menus).values({ code: "m", name: "m" }).returning()).id;
    const role = async (companyId: string) =>
      first(await db.insert(roles).values({ companyId, code: "staff", name: "员工" }).returning())
        .id;
    id.roleA = await role(id.a);
    id.roleB = await role(id.b);
    for (const roleId of [id.roleA, id.roleB]) {
      await db.insert(roleMenus).values({ roleId, menuId: id.menu });
      await db.insert(accountRoles).values({ roleId, accountId: id.account });
    }
    await db.insert(employees).values({ companyId: id.a, name: "甲一" });
    id.employeeB = first(
      await db.insert(employees).values({ companyId: id.b, name: "乙一" }).returning(),
    ).id;
  }, 60_000);
  afterAll(() => database.close());

  const namesOfB = async (): Promise<string[]> =>
    (await database.db.select().from(employees).where(eq(employees.companyId, id.b))).map(
      (row) => row.name,
    );

  it("The query builder reads and writes only the own company", async () => {
    await inA(async (scope) => {
      expect((await scope.rows(employees)).map((row) => row.name)).toEqual(["甲一"]);
      expect(await scope.rows(employees, eq(employees.id, id.employeeB))).toEqual([]);
      const joined = await scope
        .select({ name: employees.name, company: companies.name }, employees)
        .innerJoin(companies, eq(companies.id, employees.companyId))
        .orderBy(employees.id)
        .limit(5);
      expectTypeOf(joined).toEqualTypeOf<{ name: string; company: string }[]>();
      expect(joined).toEqual([{ name: "甲一", company: "甲" }]);
      const other = eq(employees.id, id.employeeB);
      expect(await scope.update(employees, { name: "?" }, other).returning()).toEqual([]);
      expect(await scope.remove(employees, other).returning({ id: employees.id })).toEqual([]);
      const [made] = await scope.insert(employees, { name: "甲二" }).returning();
      expect(made?.companyId).toBe(id.a);
      const moved = { name: "甲三", companyId: id.b };
      const [kept] = await scope.update(employees, moved, eq(employees.name, "甲二")).returning();
      expect(kept).toMatchObject({ name: "甲三", companyId: id.a });
      expect(await scope.remove(employees, eq(employees.name, "甲三")).returning()).toHaveLength(1);
    });
    expect(await namesOfB()).toEqual(["乙一"]);
  });

  it("Raw SQL under the tenant role sees and changes only the own company", async () => {
    await inA(async (scope) => {
      for (const table of ["employees", "roles", "companies", "account_roles", "role_menus"]) {
        const rows = await scope.sql<{ n: number }>(
          sql`SELECT count(*)::int AS n FROM ${sql.identifier(table)}`,
        );
        expect([table, rows]).toEqual([table, [{ n: 1 }]]);
      }
      expect(await scope.sql(sql`UPDATE employees SET name = '!' RETURNING id`)).toHaveLength(1);
      expect(await scope.sql(sql`DELETE FROM employees RETURNING id`)).toHaveLength(1);
      expect(await scope.sql(sql`DELETE FROM role_menus RETURNING role_id`)).toEqual([
        { role_id: id.roleA },
      ]);
      throw new Error("rolled back");
    }).catch((error: unknown) => expect(error).toMatchObject({ message: "rolled back" }));
    expect(await namesOfB()).toEqual(["乙一"]);
    expect(await database.db.select().from(employees)).toHaveLength(2);
  });

  it.each([
    [
      "a row of another company",
      (b: string) => sql`INSERT INTO employees (company_id, name) VALUES (${b}, 'x')`,
    ],
    ["a row given away", (b: string) => sql`UPDATE employees SET company_id = ${b}`],
    [
      "a role of another company",
      () =>
        sql`INSERT INTO account_roles SELECT account_id, ${id.roleB}::bigint + 0 FROM account_roles`,
    ],
    ["password hashes", () => sql`SELECT password_hash FROM accounts`],
    ["sessions", () => sql`SELECT * FROM sessions`],
    ["a company's name", () => sql`UPDATE companies SET name = 'x'`],
    ["an audit record", () => sql`DELETE FROM audit_records`],
    ["a menu", () => sql`DELETE FROM menus`],
    ["a policy", () => sql`ALTER TABLE employees DISABLE ROW LEVEL SECURITY`],
  ])("The database refuses to change %s", async (_what, query) => {
    const cause = await inA((scope) => scope.sql(query(id.b))).then(
      () => null,
      (error: unknown) => (error as { cause?: { message?: string } }).cause?.message,
    );
    expect(cause).toMatch(/permission denied|row-level security|must be owner/);
  });

  it("The tenant role sees nothing when no company is set", async () => {
    const client = await database.pool.connect();
    try {
      await client.query("BEGIN; SET LOCAL ROLE console_tenant");
      const { rows } = await client.query("SELECT * FROM employees");
      expect(rows).toEqual([]);
    } finally {
      await client.query("ROLLBACK");
      client.release();
    }
  });

  it("Neither role nor company stays set after the transaction, whether it succeeds or fails", async () => {
    const state = async (): Promise<unknown> =>
      (
        await database.pool.query(
          "SELECT current_user = session_user AS own, current_company() AS company",
        )
      ).rows;
    await inA((scope) => scope.rows(employees));
    expect(await state()).toEqual([{ own: true, company: null }]);
    await expect(inA((scope) => scope.sql(sql`SELECT nonsense`))).rejects.toThrow("Failed query");
    expect(await state()).toEqual([{ own: true, company: null }]);
  });

  it("A scope that outlives its transaction is refused", async () => {
    const escaped = await inA((scope) => Promise.resolve({ scope }));
    await expect(escaped.scope.rows(employees)).rejects.toMatchObject({
      cause: { message: "the company's transaction has ended" },
    });
  });

  it("A text that cannot be a company's id is never sent to the database", async () => {
    for (const odd of ["", "0", "1'; DROP TABLE employees; --", "9".repeat(30)]) {
      await expect(tenants.run(odd, null, () => Promise.resolve())).rejects.toMatchObject({
        code: "request.not-found",
      });
    }
  });

  it("An audit record is committed with its change, and only its company can read it", async () => {
    const change = { action: "update", entity: "employee", entityId: "1" };
    await inA((scope) =>
      audit(scope, {
        ...change,
        before: { name: "甲" },
        after: { password: "p", name: "乙\ud83d", tags: ["\0"] },
      }),
    );
    await inA(async (scope) => {
      await audit(scope, change);
      throw new Error("no");
    }).catch(() => undefined);
    await auditPlatform(database.db, null, change);
    const recordsInA = await inA((scope) => scope.rows(auditRecords));
    expect(recordsInA).toMatchObject([
      {
        companyId: id.a,
        actorId: id.account,
        before: { name: "甲" },
        after: { password: "•••", name: "乙\ufffd", tags: ["\ufffd"] },
      },
    ]);
    expect(await tenants.run(id.b, null, (scope) => scope.rows(auditRecords))).toEqual([]);
    expect(await database.db.select().from(auditRecords)).toHaveLength(2);
  });

  it("The types refuse a table without a company and a company given by hand", () => {
    // @ts-expect-error Menus belong to no company.
    const readMenus = (scope: CompanyScope) => scope.rows(menus);
    const insertInto = (scope: CompanyScope) =>
      // @ts-expect-error The scope sets the company.
      scope.insert(employees, { name: "x", companyId: "1" });
    const twice = (scope: CompanyScope) =>
      // @ts-expect-error A second where would replace the company's condition.
      scope.rows(employees).where(eq(employees.id, "1"));
    expect([readMenus, insertInto, twice]).toHaveLength(3);
  });
});
