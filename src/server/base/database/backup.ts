/**
 * Backup and restore of the database. The embedded database is archived while the server is stopped, which the folder's lock
 * ensures. PostgreSQL is backed up at any time by pg_dump and restored by pg_restore and psql. Uploaded files and the secret
 * (backup-files.ts) follow after the database in both directions.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { mkdtemp, open, rename, rm, writeFile } from "node:fs/promises";
import { devNull, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { Pool } from "pg";
import type { ServerConfig } from "../config.ts";
import { CLEAR_PUBLIC } from "./clear-public.ts";
import { backupFiles, filesOf, restoreFiles } from "./backup-files.ts";
import { lockFolder } from "./lock.ts";

type Place = Pick<ServerConfig, "DATABASE_URL" | "DATA_DIR">;

/** The first bytes of gzip, the format of the embedded backup, and of pg_dump's custom format. */
const GZIP = Buffer.from("1f8b", "hex");
const PG_DUMP = Buffer.from("PGDMP", "latin1");

/**
 * @returns the file's full path; the file is complete or does not exist
 * @throws Error with a text for the person at the terminal
 */
export async function backup(place: Place, file: string): Promise<string> {
  const path = resolve(file);
  for (const there of [path, filesOf(path)]) {
    if (existsSync(there)) throw new Error(`${there} already exists: choose another name`);
  }
  mkdirSync(dirname(path), { recursive: true });
  const part = `${path}.part`;
  try {
    if (place.DATABASE_URL === undefined) await dumpEmbedded(place.DATA_DIR, part);
    else {
      // Row-level security also binds the owner, and a policy admits it, so the dump must run with row security enabled.
      await run("pg_dump", ["-Fc", "--no-owner", "--enable-row-security", "-f", part], place);
    }
    // Contents are kept for an hour after their last row is gone, so this copy contains everything that the dump names.
    await backupFiles(place.DATA_DIR, path);
    await rename(part, path);
  } finally {
    await rm(part, { force: true });
  }
  return path;
}

/**
 * @param force also replaces a database that contains data; the embedded one is moved aside, not removed
 * @returns the new path of the former embedded database, or null
 * @throws Error with a text for the person at the terminal
 */
export async function restore(place: Place, file: string, force: boolean): Promise<string | null> {
  const path = resolve(file);
  if (!existsSync(path)) throw new Error(`${path} does not exist`);
  const bytes = readFileSync(path);
  const embedded = place.DATABASE_URL === undefined;
  const magic = embedded ? GZIP : PG_DUMP;
  if (!bytes.subarray(0, magic.length).equals(magic)) {
    throw new Error(
      `${path} is not a backup of ${embedded ? "the embedded database" : "a PostgreSQL (pg_dump -Fc)"}`,
    );
  }
  if (embedded) {
    const aside = await restoreEmbedded(place.DATA_DIR, bytes, force);
    await restoreFiles(place.DATA_DIR, path, force);
    return aside;
  }
  if (!force && (await tablesOf(place)) > 0) throw full();
  await makeRole(place);
  if (force) await restoreOver(place, path);
  else {
    const options = ["--no-owner", "--exit-on-error", "--single-transaction"];
    await run("pg_restore", [...options, "-d", databaseOf(place), path], place);
  }
  await restoreFiles(place.DATA_DIR, path, force);
  return null;
}

/** Clears the database and fills it in one transaction. */
async function restoreOver(place: Place, path: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "restore-"));
  try {
    const [clear, fill] = [join(folder, "clear.sql"), join(folder, "fill.sql")];
    await writeFile(clear, CLEAR_PUBLIC);
    // By a file, so that an archive that breaks off does not end as half a script.
    await run("pg_restore", ["--no-owner", "--exit-on-error", "-f", fill, path], place);
    const options = ["-X", "-q", "-1", "-v", "ON_ERROR_STOP=1", "-o", devNull];
    await run("psql", [...options, "-f", clear, "-f", fill], place);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const full = (): Error =>
  new Error("the database is not empty: restore with --force to replace what is in it");

async function dumpEmbedded(dataDir: string, part: string): Promise<void> {
  const folder = join(dataDir, "db");
  if (!existsSync(folder)) throw new Error(`there is no database in ${resolve(dataDir)}`);
  const lock = lockFolder(dataDir);
  try {
    const pg = await PGlite.create({ dataDir: folder });
    try {
      const dump = await pg.dumpDataDir("gzip");
      const handle = await open(part, "wx", 0o600);
      try {
        await handle.writeFile(Buffer.from(await dump.arrayBuffer()));
        await handle.sync();
      } finally {
        await handle.close();
      }
    } finally {
      await pg.close();
    }
  } finally {
    lock.release();
  }
}

async function restoreEmbedded(
  dataDir: string,
  bytes: Buffer,
  force: boolean,
): Promise<string | null> {
  const lock = lockFolder(dataDir);
  try {
    const folder = join(dataDir, "db");
    const there = existsSync(folder) && readdirSync(folder).length > 0;
    if (there && !force) throw full();
    const fresh = join(dataDir, "db.restoring");
    await rm(fresh, { recursive: true, force: true });
    try {
      const loadDataDir = new Blob([new Uint8Array(bytes)]);
      const pg = await PGlite.create({ dataDir: fresh, loadDataDir });
      try {
        // An archive that is not a backup of ours fails here, while the old database is still in place.
        await pg.query("SELECT count(*) FROM schema_migrations");
      } finally {
        await pg.close();
      }
    } catch (error) {
      await rm(fresh, { recursive: true, force: true });
      throw new Error("the backup cannot be read", { cause: error });
    }
    const aside = there ? join(dataDir, `db.before-restore-${Date.now()}`) : null;
    if (aside !== null) renameSync(folder, aside);
    else await rm(folder, { recursive: true, force: true });
    renameSync(fresh, folder);
    return aside;
  } finally {
    lock.release();
  }
}

const databaseOf = (place: Place): string =>
  decodeURIComponent(new URL(place.DATABASE_URL ?? "").pathname.slice(1));

/** Pass the connection by environment variables, because every user on the machine can read the arguments. */
function connection(place: Place): Record<string, string> {
  const url = new URL(place.DATABASE_URL ?? "");
  const sslmode = url.searchParams.get("sslmode");
  return {
    PGHOST: decodeURIComponent(url.hostname),
    ...(url.port === "" ? {} : { PGPORT: url.port }),
    ...(url.username === "" ? {} : { PGUSER: decodeURIComponent(url.username) }),
    ...(url.password === "" ? {} : { PGPASSWORD: decodeURIComponent(url.password) }),
    ...(sslmode === null ? {} : { PGSSLMODE: sslmode }),
    PGDATABASE: databaseOf(place),
  };
}

function run(program: string, args: readonly string[], place: Place): Promise<void> {
  return new Promise((done, reject) => {
    const child = spawn(program, args, {
      env: { ...process.env, ...connection(place) },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-4000);
    });
    child.on("error", (error: NodeJS.ErrnoException) =>
      reject(
        error.code === "ENOENT"
          ? new Error(`${program} is not installed: it comes with PostgreSQL's client programs`)
          : error,
      ),
    );
    child.on("close", (code) =>
      code === 0 ? done() : reject(new Error(`${program} failed:\n${said.trim()}`)),
    );
  });
}

async function ask<R extends object>(place: Place, query: string): Promise<R[]> {
  const pool = new Pool({ connectionString: place.DATABASE_URL, max: 1 });
  try {
    return (await pool.query<R>(query)).rows;
  } finally {
    await pool.end();
  }
}

async function tablesOf(place: Place): Promise<number> {
  const [row] = await ask<{ n: number }>(
    place,
    "SELECT count(*)::int AS n FROM pg_tables WHERE schemaname = 'public'",
  );
  return row?.n ?? 0;
}

/**
 * Roles belong to the cluster and are not part of a dump, but the policies name this one.
 *
 * @see 0005_tenancy.sql
 */
const makeRole = (place: Place): Promise<object[]> =>
  ask(
    place,
    `DO $$ BEGIN
       IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'console_tenant') THEN
         CREATE ROLE console_tenant NOLOGIN NOSUPERUSER NOBYPASSRLS;
       END IF;
       IF NOT pg_has_role(current_user, 'console_tenant', 'MEMBER') THEN
         EXECUTE format('GRANT console_tenant TO %I', current_user);
       END IF;
     END $$`,
  );
