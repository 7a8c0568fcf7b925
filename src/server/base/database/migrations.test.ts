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

  it("The database of a newer program is refused", async () => {
    rmSync(join(dir, "0003_c.sql"));
    await expect(run()).rejects.toThrow("0003_c.sql, which this program does not know");
  });

  it("Invalid names and duplicate numbers are refused", () => {
    write("0002_again.sql", "");
    expect(() => readMigrations(dir)).toThrow("have the same number");
    rmSync(join(dir, "0002_again.sql"));
    write("next.sql", "");
    expect(() => readMigrations(dir)).toThrow("must be named");
  });
});
