/** An empty database on the tests' PostgreSQL. */
import { randomUUID } from "node:crypto";
import { Client } from "pg";

/** The PostgreSQL that the runner has started; empty where there is none. */
export const POSTGRES = process.env["TEST_DATABASE_URL"] ?? "";

export interface EmptyDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Runs one statement. @param url of a database */
export async function runStatement(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text, [...values]);
  } finally {
    await client.end();
  }
}

export async function emptyDatabase(): Promise<EmptyDatabase> {
  const name = `console_new_${randomUUID().replaceAll("-", "")}`;
  await runStatement(POSTGRES, `CREATE DATABASE ${name}`);
  return {
    url: Object.assign(new URL(POSTGRES), { pathname: `/${name}` }).href,
    drop: () => runStatement(POSTGRES, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}
