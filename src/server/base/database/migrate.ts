/**
 * Versioned migrations: migrations/NNNN_<name>.sql. Each is applied once, in order, in its own transaction, under a lock against
 * other starting servers. The checksum of each applied migration is stored, and a file that changed afterwards is refused.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import type { Pool } from "pg";
import { sourcePath } from "../source-path.ts";

export const MIGRATIONS_DIR = sourcePath("src/server/base/database/migrations");
/** An arbitrary lock number that nothing else uses. It must stay the same in every version. */
const LOCK_KEY = 7_213_001;

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/** @throws Error for an invalid name and for two files with the same number */
export function readMigrations(dir: string = MIGRATIONS_DIR): Migration[] {
  const found = readdirSync(dir)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((file) => {
      const match = /^(\d{4})_([a-z0-9_]+)\.sql$/.exec(file);
      if (match === null) throw new Error(`migration ${file}: must be named NNNN_name.sql`);
      const sql = readFileSync(`${dir}/${file}`, "utf8").replaceAll("\r\n", "\n");
      return {
        version: Number(match[1]),
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
        version integer PRIMARY KEY,
        name text NOT NULL,
        checksum text NOT NULL,
        applied_at timestamptz NOT NULL DEFAULT now())`,
    );
    const { rows } = await client.query<{ version: number; name: string; checksum: string }>(
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
