import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { backup, restore } from "./backup.ts";
import { names, type Place } from "./backup.harness.ts";

const root = mkdtempSync(join(tmpdir(), "backup-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const { TEST_DATABASE_URL: server = "" } = process.env;

describe("PostgreSQL (TEST_DATABASE_URL)", () => {
  const made: string[] = [];
  const run = async (query: string): Promise<void> => {
    const pool = new Pool({ connectionString: server, max: 1 });
    try {
      await pool.query(query);
    } finally {
      await pool.end();
    }
  };
  async function make(): Promise<Place> {
    const name = `console_backup_${randomUUID().replaceAll("-", "")}`;
    await run(`CREATE DATABASE ${name}`);
    made.push(name);
    return {
      DATA_DIR: root,
      DATABASE_URL: Object.assign(new URL(server), { pathname: `/${name}` }).href,
    };
  }
  afterAll(async () => {
    for (const name of made) await run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });

  it("is backed up by pg_dump and restored", async () => {
    const from = await make();
    await names(from, "甲");
    const file = join(root, "pg.dump");
    await backup(from, file);
    const to = await make();
    await restore(to, file, false);
    expect(await names(to)).toEqual(["甲"]);
    await names(from, "乙");
    await expect(restore(from, file, false)).rejects.toThrow("the database is not empty");
    await restore(from, file, true);
    expect(await names(from)).toEqual(["甲"]);
  });
});
