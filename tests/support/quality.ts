/** Quality records in the database of a stopped server. */
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import type { TestServer } from "./server.ts";

/** @returns the kinds of records that a conference has, each once. The server must be stopped. */
export async function storedQuality(server: TestServer, confrId: string): Promise<number[]> {
  const db = await PGlite.create({ dataDir: join(server.dataDir, "db") });
  try {
    const { rows } = await db.query<{ kind: number }>(
      "SELECT DISTINCT kind FROM quality_samples WHERE confr_id = $1 ORDER BY kind",
      [confrId],
    );
    return rows.map(({ kind }) => kind);
  } finally {
    await db.close();
  }
}
