/** Quality records in the database of a stopped server. */
import type { TestServer } from "./server.ts";
import { storedRows } from "./stored-rows.ts";

/** @returns the kinds of records that a conference has, each once. The server must be stopped. */
export async function storedQuality(server: TestServer, confrId: string): Promise<number[]> {
  const rows = await storedRows<{ kind: number }>(
    server,
    "SELECT DISTINCT kind FROM quality_samples WHERE confr_id = $1 ORDER BY kind",
    [confrId],
  );
  return rows.map(({ kind }) => kind);
}
