/** Reads the database of a stopped server. */
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { Client } from "pg";
import type { TestServer } from "./server.ts";

/** @returns the rows of a query. The server must be stopped, because the embedded database serves one process. */
export async function storedRows<Row extends object>(
  server: TestServer,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  if (server.databaseUrl !== "") {
    const client = new Client({ connectionString: server.databaseUrl });
    await client.connect();
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller knows the columns of its query
    return client
      .query(text, [...values])
      .then(({ rows }) => rows as Row[])
      .finally(() => client.end());
  }
  const db = await PGlite.create({ dataDir: join(server.dataDir, "db") });
  return db
    .query<Row>(text, [...values])
    .then(({ rows }) => rows)
    .finally(() => db.close());
}
