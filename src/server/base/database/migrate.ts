/**
 * Migrations: migrations/<date>_<time>_<name>.sql, such as 20261125_1830 and a name, because two people who write one at the same time
 * would take the same number. The first ones have numbers and come before all others. Each is applied once, in order, in its own
 * transaction, under a lock against other starting servers; one that comes to a database after later ones is applied all the same.
 * The checksum of each applied migration is stored, and a file that changed afterwards is refused.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import type { Pool } from "pg";
import { sourcePath } from "../source-path.ts";

export const MIGRATIONS_DIR = sourcePath("src/server/base/database/migrations");
/** An arbitrary lock number that nothing else uses. It must stay the same in every version. */
const LOCK_KEY = 7_213_001;

const NUMBERED = /^(\d{4})_[a-z0-9_]+\.sql$/;
const DATED =
  /^(\d{4}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])_(?:[01]\d|2[0-3])[0-5]\d_[a-z0-9_]+)\.sql$/;

export interface Migration {
  /** The number, or date, time and name. */
  readonly version: string;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/** Before migrations had dates, their versions were numbers. */
const NUMBERS_TO_TEXT = `DO $$ BEGIN
  IF EXISTS (SELECT FROM information_schema.columns WHERE table_schema = current_schema()
      AND table_name = 'schema_migrations' AND column_name = 'version' AND data_type = 'integer') THEN
    ALTER TABLE schema_migrations ALTER COLUMN version TYPE text USING lpad(version::text, 4, '0');
  END IF;
END $$`;

/** @throws Error for an invalid name and for two files with the same number */
export function readMigrations(dir: string = MIGRATIONS_DIR): Migration[] {
  const files = readdirSync(dir)
    .filter((file) => file.endsWith(".sql"))
    .sort();
  const found = [
    ...files.filter((file) => NUMBERED.test(file)),
    ...files.filter((file) => !NUMBERED.test(file)),
  ].map((file) => {
    const match = NUMBERED.exec(file) ?? DATED.exec(file);
    if (match === null) {
      throw new Error(`migration ${file}: must be named like 20261125_1830_name.sql`);
    }
    const sql = readFileSync(`${dir}/${file}`, "utf8").replaceAll("\r\n", "\n");
    return {
      version: match[1] ?? "",
      name: file,
      sql,
      checksum: createHash("sha256").update(sql).digest("hex"),
    };
  });
  for (const [i, migration] of found.entries()) {
    if (found[i + 1]?.version === migration.version) {
      throw new Error(
        `migrations ${migration.name} and ${found[i + 1]?.name} have the same number`,
      );
    }
  }
  return found;
}

/**
 * @returns names of the migrations that were applied by this call
 * @throws Error when an applied migration changed, or when the database belongs to a newer program
 */
export async function migrate(pool: Pool, migrations = readMigrations()): Promise<string[]> {
  const client = await pool.connect();
  const applied: string[] = [];
  try {
    // No timeout: migrating a large table, or waiting for another server's migration, may take long.
    await client.query("SET statement_timeout = 0");
    await client.query("SELECT pg_advisory_lock($1)", [LOCK_KEY]);
    await client.query(
      `CREATE TABLE IF NOT EXISTS schema_migrations (
        version text PRIMARY KEY,
        name text NOT NULL,
        checksum text NOT NULL,
        applied_at timestamptz NOT NULL DEFAULT now())`,
    );
    await client.query(NUMBERS_TO_TEXT);
    const { rows } = await client.query<{ version: string; name: string; checksum: string }>(
      "SELECT version, name, checksum FROM schema_migrations",
    );
    const done = new Map(rows.map((row) => [row.version, row]));
    for (const row of rows) {
      const known = migrations.find((m) => m.version === row.version);
      if (known === undefined) {
        throw new Error(`the database has migration ${row.name}, which this program does not know`);
      }
      if (known.checksum !== row.checksum) {
        throw new Error(`migration ${known.name} was changed after it had been applied`);
      }
    }
    for (const migration of migrations) {
      if (done.has(migration.version)) continue;
      await client.query("BEGIN");
      try {
        await client.query(migration.sql);
        await client.query(
          "INSERT INTO schema_migrations (version, name, checksum) VALUES ($1, $2, $3)",
          [migration.version, migration.name, migration.checksum],
        );
        await client.query("COMMIT");
      } catch (error) {
        await client.query("ROLLBACK");
        throw new Error(`migration ${migration.name} failed`, { cause: error });
      }
      applied.push(migration.name);
    }
    return applied;
  } finally {
    await client.query("SELECT pg_advisory_unlock($1)", [LOCK_KEY]).catch(() => undefined);
    await client.query("RESET statement_timeout").catch(() => undefined);
    client.release();
  }
}
