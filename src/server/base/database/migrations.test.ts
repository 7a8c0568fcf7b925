import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestDatabase } from "./database.harness.ts";
import type { Database } from "./index.ts";
import { migrate, readMigrations } from "./migrate.ts";

describe("Migrations", () => {
  let database: Database;
  const dir = mkdtempSync(join(tmpdir(), "migrations-"));
  const write = (name: string, text: string): void => writeFileSync(join(dir, name), text);
  beforeAll(async () => {
    database = await openTestDatabase({ migrated: false });
  }, 60_000);
  afterAll(async () => {
    await database.close();
    rmSync(dir, { recursive: true });
  });
  const run = (): Promise<string[]> => migrate(database.pool, readMigrations(dir));

  it("Each migration is applied once and in order", async () => {
    write("0002_b.sql", "ALTER TABLE t ADD COLUMN b int;");
    write("0001_a.sql", "CREATE TABLE t (a int);");
    expect(await run()).toEqual(["0001_a.sql", "0002_b.sql"]);
    expect(await run()).toEqual([]);
    expect((await database.pool.query("SELECT a, b FROM t")).rows).toEqual([]);
  });

  it("A failed migration leaves nothing behind, and the next run continues once it is fixed", async () => {
    write("0003_c.sql", "CREATE TABLE c (a int); INSERT INTO nowhere VALUES (1);");
    await expect(run()).rejects.toThrow("migration 0003_c.sql failed");
    await expect(database.pool.query("SELECT 1 FROM c")).rejects.toThrow("does not exist");
    write("0003_c.sql", "CREATE TABLE c (a int);");
    expect(await run()).toEqual(["0003_c.sql"]);
  });

  it("A migration that changed after it was applied is refused", async () => {
    write("0001_a.sql", "CREATE TABLE t (a bigint);");
    await expect(run()).rejects.toThrow("0001_a.sql was changed after it had been applied");
    write("0001_a.sql", "CREATE TABLE t (a int);");
  });

  it("Those with a date come after those with a number, and one that arrives late is applied all the same", async () => {
    write("20261125_1830_late.sql", "CREATE TABLE late (a int);");
    write("20261125_0900_soon.sql", "CREATE TABLE soon (a int);");
    write("0004_d.sql", "CREATE TABLE d (a int);");
    const order = ["0004_d.sql", "20261125_0900_soon.sql", "20261125_1830_late.sql"];
    expect(await run()).toEqual(order);
    // Two people wrote one in the same minute, and a third one was written before but merged afterwards.
    write("20261125_1830_at_once.sql", "CREATE TABLE at_once (a int);");
    write("20261101_1200_merged_later.sql", "CREATE TABLE merged_later (a int);");
    expect(await run()).toEqual(["20261101_1200_merged_later.sql", "20261125_1830_at_once.sql"]);
    expect(readMigrations(dir).map(({ name }) => name)).toEqual([
      "0001_a.sql",
      "0002_b.sql",
      "0003_c.sql",
      "0004_d.sql",
      "20261101_1200_merged_later.sql",
      "20261125_0900_soon.sql",
      "20261125_1830_at_once.sql",
      "20261125_1830_late.sql",
    ]);
    expect(await run()).toEqual([]);
  });

  it("A database from before migrations had dates keeps what it has applied", async () => {
    const { pool } = database;
    const dated = "DELETE FROM schema_migrations WHERE version LIKE '%\\_%' RETURNING *";
    const { rows } = await pool.query<{ version: string; name: string; checksum: string }>(dated);
    expect(rows).toHaveLength(4);
    await pool.query(
      "ALTER TABLE schema_migrations ALTER COLUMN version TYPE integer USING version::integer",
    );
    for (const { name } of rows) {
      await pool.query(`DROP TABLE ${name.replace(/^\d+_\d+_(.*)\.sql$/, "$1")}`);
    }
    expect(await run()).toEqual(rows.map(({ name }) => name).toSorted());
    expect(await run()).toEqual([]);
  });

  it("The database of a newer program is refused", async () => {
    rmSync(join(dir, "0003_c.sql"));
    await expect(run()).rejects.toThrow("0003_c.sql, which this program does not know");
  });

  it("Invalid names and duplicate numbers are refused", () => {
    write("0002_again.sql", "");
    expect(() => readMigrations(dir)).toThrow("have the same number");
    rmSync(join(dir, "0002_again.sql"));
    for (const name of ["next.sql", "20261325_1830_month.sql", "20261125_2460_minute.sql"]) {
      write(name, "");
      expect(() => readMigrations(dir), name).toThrow(`${name}: must be named`);
      rmSync(join(dir, name));
    }
  });

  it("No new file takes a number, because two people would take the same", () => {
    const numbers = readMigrations().flatMap(({ version }) =>
      /^\d+$/.test(version) ? version : [],
    );
    expect([numbers.length, numbers.at(-1)]).toEqual([62, "0290"]);
  });
});
