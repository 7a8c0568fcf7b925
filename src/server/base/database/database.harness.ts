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

/** What a template holds beside its tables. */
export interface TemplateData {
  /** Changes with the data. */
  readonly key: string;
  fill(db: Database["db"]): Promise<void>;
}

/**
 * @param options.migrated false: an empty database, for tests of the migrations themselves
 * @param options.data what the database holds; on PostgreSQL it is copied with the tables
 */
export async function openTestDatabase(
  options: { migrated?: boolean; data?: TemplateData } = {},
): Promise<Database> {
  const { migrated = true, data } = options;
  const url = process.env["TEST_DATABASE_URL"] ?? "";
  if (url !== "") return openOnServer(url, migrated, data);
  const database = await openInMemory(migrated);
  await data?.fill(database.db);
  return database;
}

/** An arbitrary lock number. With it, test files of all processes create their databases one after the other. */
const SERVER_LOCK = 7_213_002;

/** Opens a copy of a migrated template. Closing drops it. */
async function openOnServer(
  url: string,
  migrated: boolean,
  data: TemplateData | undefined,
): Promise<Database> {
  const at = (name: string): string => Object.assign(new URL(url), { pathname: `/${name}` }).href;
  const name = `console_test_${randomUUID().replaceAll("-", "")}`;
  const admin = new Pool({ connectionString: url, max: 1 });
  const client = await admin.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [SERVER_LOCK]);
    const template = migrated ? await templateOf(client, at, data) : "template0";
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
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

/** Makes the template unless it exists. @returns its name */
async function templateOf(
  client: PoolClient,
  at: (name: string) => string,
  data: TemplateData | undefined,
): Promise<string> {
  const names = async (): Promise<string[]> => {
    const all = await client.query<{ datname: string }>(
      "SELECT datname FROM pg_database WHERE datname LIKE 'console\\_template\\_%'",
    );
    return all.rows.map(({ datname }) => datname);
  };
  const empty = `console_template_${templateKey(true)}`;
  const wanted = data === undefined ? empty : `${empty}_${data.key}`;
  const found = await names();
  if (!found.includes(empty)) {
    // Templates of earlier migrations are useless.
    for (const old of found) await client.query(`DROP DATABASE IF EXISTS ${old} WITH (FORCE)`);
    await makeTemplate(client, empty, "template0", at, migrate);
  }
  if (data !== undefined && !found.includes(wanted)) {
    await makeTemplate(client, wanted, empty, at, (pool) => data.fill(drizzle(pool)));
  }
  return wanted;
}

/** An incomplete template has another name until it is complete. */
async function makeTemplate(
  client: PoolClient,
  template: string,
  from: string,
  at: (name: string) => string,
  fill: (pool: Pool) => Promise<unknown>,
): Promise<void> {
  const part = `${template}_part`;
  await client.query(`DROP DATABASE IF EXISTS ${part} WITH (FORCE)`);
  await client.query(`CREATE DATABASE ${part} TEMPLATE ${from}`);
  const pool = new Pool({ connectionString: at(part), max: 1 });
  try {
    await fill(pool);
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
