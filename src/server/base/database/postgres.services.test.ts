/** Behaviour specific to PostgreSQL, tested in a separate database. */
import { randomBytes } from "node:crypto";
import { Pool } from "pg";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAccess } from "../../modules/accounts/access.ts";
import { createAccountStore } from "../../modules/accounts/store.ts";
import { systemClock } from "../clock.ts";
import { createLocalBus } from "../cluster/bus.ts";
import { type Database, openDatabase } from "./index.ts";
import { migrate, readMigrations } from "./migrate.ts";
import { companies, employees } from "./schema/base.ts";
import { seed } from "./seed.ts";
import { createTenants } from "./tenant.ts";

const { TEST_DATABASE_URL: url = "" } = process.env;

describe("On PostgreSQL", () => {
  const name = `console_test_${randomBytes(6).toString("hex")}`;
  const own = Object.assign(new URL(url), { pathname: `/${name}` }).href;
  const opened: Database[] = [];
  let admin: Pool;
  beforeAll(async () => {
    admin = new Pool({ connectionString: url, max: 1 });
    await admin.query(`CREATE DATABASE ${name}`);
  });
  afterAll(async () => {
    for (const database of opened) await database.close();
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.end();
  });

  it("two servers that start simultaneously migrate and fill the database once", async () => {
    const open = () => openDatabase({ DATABASE_URL: own, DATA_DIR: "/nonexistent" });
    opened.push(...(await Promise.all([open(), open()])));
    const done = await Promise.all(
      opened.map(({ db }) =>
        seed(db, {
          demo: false,
          administrator: { username: "Root", password: "of-the-house" },
          hash: (password) => Promise.resolve(`hash of ${password}`),
        }),
      ),
    );
    expect(done.sort()).toEqual(["administrator", "kept"]);
    expect(opened.map((d) => d.embedded)).toEqual([false, false]);
  });

  it("a statement over its timeout is cancelled, the pool continues, and migrations have no timeout", async () => {
    const database = await openDatabase({
      DATABASE_URL: own,
      DATA_DIR: "/nonexistent",
      STATEMENT_TIMEOUT: 1,
    });
    try {
      const { pool } = database;
      await expect(pool.query("SELECT pg_sleep(30)")).rejects.toMatchObject({ code: "57014" });
      const { rows } = await pool.query("SHOW statement_timeout");
      expect(rows).toEqual([{ statement_timeout: "1s" }]);
      const late = {
        version: "20300101_0000_late",
        name: "20300101_0000_late.sql",
        sql: "SELECT pg_sleep(1.3)",
        checksum: "x",
      };
      expect(await migrate(pool, [...readMigrations(), late])).toEqual([late.name]);
      await pool.query("DELETE FROM schema_migrations WHERE name = $1", [late.name]);
    } finally {
      await database.close();
    }
  });

  it("the queries of accounts give the same results", async () => {
    const [database] = opened;
    if (database === undefined) throw new Error("not opened");
    const store = createAccountStore(database.db);
    const account = await store.byUsername("rOOT");
    expect(account).toMatchObject({ username: "Root", chatUserName: "root", disabledAt: null });
    const id = account?.id ?? "";
    const at = new Date(1_700_000_000_000);
    const later = new Date(at.getTime() + 1000);
    const row = { id: "s", accountId: id, systemName: "x", refreshHash: "a", createdAt: at };
    await store.createSession({ ...row, refreshedAt: at, expiresAt: later });
    expect(await store.liveSession("s", id)).toEqual({
      username: "Root",
      chatUserName: "root",
      supplierIds: await store.memberships(id),
      grants: [{ supplierId: "1", roleId: "1", roleCode: "admin", permissions: ["*:*:*"] }],
    });
    expect(await store.rotate("s", "a", "b", at, later)).toBe(true);
    expect(await store.rotate("s", "a", "c", at, later)).toBe(false);
    const bus = createLocalBus(pino({ level: "silent" }));
    const access = createAccess({ db: database.db, bus, clock: systemClock });
    expect(await access.endLogin({ sessionId: "s" }, "signed-out")).toBe(true);
    expect(await access.endLogin({ sessionId: "s" }, "logout")).toBe(false);
    expect(await store.endOf("s")).toBe("signed-out");
    expect(await store.liveSession("s", id)).toBeNull();
    expect((await store.roles(id)).map((r) => r.roleCode)).toEqual(["admin"]);
    expect(await store.colleagues("root")).toEqual([]);
  });

  it("companies are isolated even for an owner that is not a superuser", async () => {
    const owner = `${name}_owner`;
    const theirs = `${name}_theirs`;
    await admin.query(`CREATE ROLE ${owner} LOGIN CREATEROLE NOSUPERUSER NOBYPASSRLS`);
    await admin.query(`CREATE DATABASE ${theirs} OWNER ${owner}`);
    // Since PostgreSQL 15 not everyone may create in the schema public.
    const as = Object.assign(new URL(url), { pathname: `/${theirs}`, username: owner }).href;
    try {
      const database = await openDatabase({ DATABASE_URL: as, DATA_DIR: "/nonexistent" });
      try {
        const { db, pool } = database;
        const made = await db
          .insert(companies)
          .values([{ name: "甲" }, { name: "乙" }])
          .returning();
        const [a, b] = made.map((company) => company.id);
        if (a === undefined || b === undefined) throw new Error("not made");
        await db.insert(employees).values([
          { companyId: a, name: "甲一" },
          { companyId: b, name: "乙一" },
        ]);
        expect(await db.select().from(employees)).toHaveLength(2);
        const seen = await createTenants(pool).run(a, null, (scope) => scope.rows(employees));
        expect(seen.map((row) => row.name)).toEqual(["甲一"]);
      } finally {
        await database.close();
      }
    } finally {
      await admin.query(`DROP DATABASE IF EXISTS ${theirs} WITH (FORCE)`);
      await admin.query(`REVOKE console_tenant FROM ${owner}`);
      await admin.query(`DROP ROLE ${owner}`);
    }
  });
});
