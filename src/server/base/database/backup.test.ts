import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { backup, restore } from "./backup.ts";
import { openDatabase } from "./index.ts";
import { companies } from "./schema/base.ts";

const root = mkdtempSync(join(tmpdir(), "backup-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Place {
  readonly DATA_DIR: string;
  readonly DATABASE_URL?: string;
}
async function names(place: Place, add?: string): Promise<string[]> {
  const database = await openDatabase({
    DATABASE_URL: place.DATABASE_URL,
    DATA_DIR: place.DATA_DIR,
  });
  try {
    if (add !== undefined) await database.db.insert(companies).values({ name: add });
    return (await database.db.select().from(companies)).map((row) => row.name).sort();
  } finally {
    await database.close();
  }
}
const at = (place: Place) => ({ DATABASE_URL: place.DATABASE_URL, DATA_DIR: place.DATA_DIR });

describe("The embedded database", () => {
  const place = { DATA_DIR: join(root, "data") };
  const file = join(root, "a.dump");

  it("is backed up while the server is stopped, and the backup never overwrites a file", async () => {
    await names(place, "甲");
    mkdirSync(join(place.DATA_DIR, "files", "ab"), { recursive: true });
    writeFileSync(join(place.DATA_DIR, "files", "ab", "abcd"), "an upload");
    writeFileSync(join(place.DATA_DIR, "secret"), "s1");
    const running = await openDatabase({ DATABASE_URL: undefined, ...place });
    await expect(backup(at(place), file)).rejects.toThrow("is in use by another server");
    await running.close();
    expect(existsSync(file)).toBe(false);
    await backup(at(place), file);
    await expect(backup(at(place), file)).rejects.toThrow("already exists");
  });

  it("is restored into an empty folder, and over existing data only with force", async () => {
    const empty = { DATA_DIR: join(root, "empty") };
    expect(await restore(at(empty), file, false)).toBe(null);
    expect(await names(empty)).toEqual(["甲"]);
    expect(readFileSync(join(empty.DATA_DIR, "files", "ab", "abcd"), "utf8")).toBe("an upload");
    expect(readFileSync(join(empty.DATA_DIR, "secret"), "utf8")).toBe("s1");
    writeFileSync(join(place.DATA_DIR, "secret"), "s2");
    writeFileSync(join(place.DATA_DIR, "files", "ab", "abce"), "a later one");

    expect(await names(place, "乙")).toEqual(["乙", "甲"].sort());
    await expect(restore(at(place), file, false)).rejects.toThrow("the database is not empty");
    expect(await names(place)).toEqual(["乙", "甲"].sort());
    const aside = await restore(at(place), file, true);
    expect(await names(place)).toEqual(["甲"]);
    expect(existsSync(aside ?? "")).toBe(true);
    expect(readFileSync(join(place.DATA_DIR, "secret"), "utf8")).toBe("s1");
    // Rows added after the backup are gone, but a restore never deletes a file.
    expect(existsSync(join(place.DATA_DIR, "files", "ab", "abce"))).toBe(true);
  });

  it("An invalid backup is refused and changes nothing", async () => {
    const bad = join(root, "bad.dump");
    writeFileSync(bad, "not a backup");
    await expect(restore(at(place), bad, true)).rejects.toThrow("is not a backup");
    writeFileSync(bad, Buffer.from("1f8b0800aaaa", "hex"));
    await expect(restore(at(place), bad, true)).rejects.toThrow("the backup cannot be read");
    await expect(restore(at(place), join(root, "none"), true)).rejects.toThrow("does not exist");
    expect(await names(place)).toEqual(["甲"]);
  });
});

const server = process.env["TEST_DATABASE_URL"] ?? "";
describe.skipIf(server === "")("PostgreSQL (TEST_DATABASE_URL)", () => {
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
    await backup(at(from), file);
    const to = await make();
    await restore(at(to), file, false);
    expect(await names(to)).toEqual(["甲"]);
    await names(from, "乙");
    await expect(restore(at(from), file, false)).rejects.toThrow("the database is not empty");
    await restore(at(from), file, true);
    expect(await names(from)).toEqual(["甲"]);
  });
});
