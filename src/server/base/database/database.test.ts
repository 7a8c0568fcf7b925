import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "./index.ts";
import { companies } from "./schema/base.ts";

describe("The embedded database in its thread", () => {
  const dir = mkdtempSync(join(tmpdir(), "database-"));
  let database: Database;
  beforeAll(async () => {
    database = await openDatabase({ DATA_DIR: dir, DATABASE_URL: undefined });
  }, 60_000);
  afterAll(async () => {
    await database.close();
    rmSync(dir, { recursive: true });
  });
  const names = async (): Promise<string[]> =>
    (await database.db.select().from(companies)).map((c) => c.name);

  it("rolls a failed transaction back and continues", async () => {
    await database.db.transaction(async (tx) => {
      await tx.insert(companies).values({ name: "甲" });
    });
    await expect(
      database.db.transaction(async (tx) => {
        await tx.insert(companies).values({ name: "乙" });
        await tx.execute(sql`SELECT nonsense`);
      }),
    ).rejects.toThrow("Failed query");
    expect(await names()).toEqual(["甲"]);
  });

  it("starts a new session after a connection was lost within a transaction", async () => {
    const client = await database.pool.connect();
    await client.query("BEGIN");
    await client.query("INSERT INTO companies (name) VALUES ('丙')");
    client.release(new Error("broken"));
    expect(await names()).toEqual(["甲"]);
  });

  it("answers many parallel queries, some with errors, each with its own result", async () => {
    const asked = Array.from({ length: 60 }, (_, i) =>
      i % 7 === 3
        ? database.pool.query("SELECT $1::int", ["x"]).then(
            () => "answered",
            () => "refused",
          )
        : database.pool.query<{ n: number }>("SELECT $1::int AS n", [i]).then((r) => r.rows[0]?.n),
    );
    expect(await Promise.all(asked)).toEqual(
      Array.from({ length: 60 }, (_, i) => (i % 7 === 3 ? "refused" : i)),
    );
  });

  it("transfers large values, ids as strings, times, JSON and bytes", async () => {
    const big = "字".repeat(700_000);
    const { rows } = await database.pool.query<Record<string, unknown>>(
      "SELECT $1::text AS big, 9223372036854775807::bigint AS id, $2::jsonb AS j, $3::bytea AS b",
      [big, { a: [1] }, Buffer.from([0, 255])],
    );
    expect(rows).toEqual([
      { big, id: "9223372036854775807", j: { a: [1] }, b: Buffer.from([0, 255]) },
    ]);
    const [row] = await database.db.select().from(companies).where(eq(companies.name, "甲"));
    expect(row?.id).toMatch(/^\d+$/);
    expect(row?.createdAt).toBeInstanceOf(Date);
  });

  it("has no file that group or others may read or write", async () => {
    const open = () =>
      readdirSync(join(dir, "db"), { recursive: true, encoding: "utf8" })
        .concat(".")
        .filter((name) => (statSync(join(dir, "db", name)).mode & 0o077) !== 0);
    expect(open()).toEqual([]);
    // Simulates files of an earlier version.
    await database.close();
    chmodSync(join(dir, "db"), 0o755);
    chmodSync(join(dir, "db/PG_VERSION"), 0o666);
    expect(open()).toEqual(["PG_VERSION", "."]);
    database = await openDatabase({ DATA_DIR: dir, DATABASE_URL: undefined });
    expect(open()).toEqual([]);
  }, 60_000);

  it("refuses a second opener", async () => {
    await expect(openDatabase({ DATA_DIR: dir, DATABASE_URL: undefined })).rejects.toThrow(
      `${dir} is in use`,
    );
  });

  it("keeps its data when it is closed and opened again", async () => {
    await database.close();
    await database.close();
    database = await openDatabase({ DATA_DIR: dir, DATABASE_URL: undefined });
    expect(await names()).toEqual(["甲"]);
  }, 60_000);
});
