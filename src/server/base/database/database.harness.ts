/**
 * A database for tests with all migrations applied: PGlite in memory in the test's process, behind the same driver and wire
 * protocol as in the server. With TEST_DATABASE_URL, a separate database on that PostgreSQL. Open one per test file and close
 * it. With a cached template, opening takes half a second.
 */
import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MessageChannel } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { drizzle } from "drizzle-orm/node-postgres";
import { Pool, type PoolClient } from "pg";
import { createEmbeddedPool, type Database } from "./index.ts";
import { migrate, readMigrations } from "./migrate.ts";
import { createProtocolServer } from "./protocol-server.mjs";
import { ProtocolStream } from "./protocol-stream.ts";

const CACHE = fileURLToPath(
  new URL("../../../../node_modules/.cache/test-database", import.meta.url),
);

/** @param options.migrated false: an empty database, for tests of the migrations themselves */
export async function openTestDatabase(options: { migrated?: boolean } = {}): Promise<Database> {
  const migrated = options.migrated ?? true;
  const url = process.env["TEST_DATABASE_URL"] ?? "";
  return url === "" ? openInMemory(migrated) : openOnServer(url, migrated);
}

/** An arbitrary lock number. With it, test files of all processes create their databases one after the other. */
const SERVER_LOCK = 7_213_002;

/** Opens a copy of a migrated template. Closing drops it. */
async function openOnServer(url: string, migrated: boolean): Promise<Database> {
  const at = (name: string): string => Object.assign(new URL(url), { pathname: `/${name}` }).href;
  const name = `console_test_${randomUUID().replaceAll("-", "")}`;
  const admin = new Pool({ connectionString: url, max: 1 });
  const client = await admin.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [SERVER_LOCK]);
    const template = migrated ? `console_template_${templateKey(true)}` : "template0";
    const found = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [template]);
    if (found.rowCount === 0) await makeTemplate(client, template, at);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  } finally {
    await client.query("SELECT pg_advisory_unlock($1)", [SERVER_LOCK]);
    client.release();
  }
  const pool = new Pool({ connectionString: at(name), max: 10 });
  pool.on("error", () => undefined);
  let closing: Promise<void> | null = null;
  return {
    db: drizzle(pool),
    pool,
    // Acts as the embedded database for the platform: an empty database that gets the demo data.
    embedded: true,
    close() {
      closing ??= (async () => {
        await pool.end();
        await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
        await admin.end();
      })();
      return closing;
    },
  };
}

/** An incomplete template has another name until it is complete. */
async function makeTemplate(
  client: PoolClient,
  template: string,
  at: (name: string) => string,
): Promise<void> {
  const part = `${template}_part`;
  await client.query(`DROP DATABASE IF EXISTS ${part} WITH (FORCE)`);
  // Templates of earlier migrations are useless.
  const old = await client.query<{ datname: string }>(
    "SELECT datname FROM pg_database WHERE datname LIKE 'console\\_template\\_%'",
  );
  for (const { datname } of old.rows) {
    await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
  }
  await client.query(`CREATE DATABASE ${part} TEMPLATE template0`);
  const pool = new Pool({ connectionString: at(part), max: 1 });
  try {
    await migrate(pool);
  } finally {
    await pool.end();
  }
  await client.query(`ALTER DATABASE ${part} RENAME TO ${template}`);
}

async function openInMemory(migrated: boolean): Promise<Database> {
  const path = join(CACHE, `${templateKey(migrated)}.tar`);
  const own = readTemplate(path);
  // Creating a database takes many seconds, migrations a tenth of one. So an empty template is kept too, for use after the next
  // new migration.
  const template = own ?? readTemplate(join(CACHE, `${templateKey(false)}.tar`));
  const pg = await PGlite.create(template === null ? {} : { loadDataDir: template });
  const server = createProtocolServer(pg);
  const pool = createEmbeddedPool(() => {
    const { port1, port2 } = new MessageChannel();
    server.attach(port2);
    return new ProtocolStream(port1);
  });
  if (template === null && migrated) {
    await keepTemplate(pg, join(CACHE, `${templateKey(false)}.tar`));
  }
  if (own === null) {
    if (migrated) await migrate(pool);
    await keepTemplate(pg, path);
  }
  let closing: Promise<void> | null = null;
  return {
    db: drizzle(pool),
    pool,
    embedded: true,
    close() {
      closing ??= pool.end().then(() => pg.close());
      return closing;
    },
  };
}

/** Changes with PGlite's version and with every migration. */
function templateKey(migrated: boolean): string {
  const entry = createRequire(import.meta.url).resolve("@electric-sql/pglite");
  const manifest = readFileSync(join(entry, "../../package.json"), "utf8");
  const hash = createHash("sha256").update(manifest);
  if (migrated) for (const migration of readMigrations()) hash.update(migration.checksum);
  return hash.digest("hex").slice(0, 16);
}

function readTemplate(path: string): Blob | null {
  try {
    return new Blob([readFileSync(path)]);
  } catch {
    return null;
  }
}

async function keepTemplate(pg: PGlite, path: string): Promise<void> {
  const dump = await pg.dumpDataDir("none");
  mkdirSync(CACHE, { recursive: true });
  const part = `${path}.${randomUUID()}`;
  writeFileSync(part, Buffer.from(await dump.arrayBuffer()));
  renameSync(part, path);
}
