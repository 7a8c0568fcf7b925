/**
 * Databases on the tests' PostgreSQL as a server leaves them at its first start with the usual demo data. Each is a copy of one template,
 * which takes 50 ms. A server on one starts with a sixth of the processor time that it takes on the embedded database.
 */
import { createHash, randomUUID } from "node:crypto";
import { Client } from "pg";
import { POSTGRES, runStatement } from "./empty-database.ts";
import { nameOfPreparedData } from "./prepared-data.ts";

/** Of the template and its copies alike, because the server signs and encrypts with keys derived from it. */
const SECRET = createHash("sha256").update("browser tests").digest("base64url");

export interface PreparedDatabase {
  /** For the environment of the server. */
  readonly env: Readonly<Record<string, string>>;
  drop(): Promise<void>;
}

/** Whether the runner has a PostgreSQL. */
export const hasPostgres = (): boolean => POSTGRES !== "";

/** `npm test` and `npm run test:browsers` set it. Where nobody does, servers of tests use the embedded database, as at a first start. */
export const usesPostgres = (): boolean =>
  hasPostgres() && process.env["SERVERS_ON_POSTGRES"] === "1";

const envOf = (name: string): Record<string, string> => ({
  DATABASE_URL: Object.assign(new URL(POSTGRES), { pathname: `/${name}` }).href,
  DEMO_DATA: "small",
  APP_SECRET: SECRET,
});

/** Makes the template unless it exists. Of several processes one makes it, and the others wait. */
async function ensureTemplate(
  name: string,
  make: (env: Readonly<Record<string, string>>) => Promise<void>,
): Promise<void> {
  const client = new Client({ connectionString: POSTGRES });
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock(hashtext($1))", [name]);
    const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [name]);
    if (rowCount !== 0) return;
    // Templates of earlier builds and hours.
    const old = await client.query<{ datname: string }>(
      "SELECT datname FROM pg_database WHERE datname LIKE 'console\\_template\\_%'",
    );
    for (const { datname } of old.rows) {
      await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
    }
    const part = `${name}_part`;
    await client.query(`CREATE DATABASE ${part}`);
    await make(envOf(part));
    await client.query(`ALTER DATABASE ${part} RENAME TO ${name}`);
  } finally {
    // The lock ends with the connection.
    await client.end();
  }
}

/**
 * @param make starts a server with this environment for the first time, and stops it
 * @returns null: the server runs from its sources, which change, so there is no template
 */
export async function preparedDatabase(
  make: (env: Readonly<Record<string, string>>) => Promise<void>,
): Promise<PreparedDatabase | null> {
  const data = nameOfPreparedData();
  if (data === null) return null;
  const template = `console_template_${data}`;
  await ensureTemplate(template, make);
  const name = `console_${randomUUID().replaceAll("-", "")}`;
  await runStatement(POSTGRES, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  return {
    env: envOf(name),
    drop: () => runStatement(POSTGRES, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}
