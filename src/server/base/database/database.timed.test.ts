/** What the embedded database needs of memory. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "./index.ts";

describe("The embedded database in its thread", () => {
  const dir = mkdtempSync(join(tmpdir(), "database-"));
  let database: Database;
  beforeAll(async () => {
    database = await openDatabase({ DATA_DIR: dir, DATABASE_URL: undefined });
  });
  afterAll(async () => {
    await database.close();
    rmSync(dir, { recursive: true });
  });

  it("keeps no memory of the answers it has sent", async () => {
    const megabytes = (): number => process.memoryUsage.rss() / 1024 / 1024;
    const ask = async (times: number): Promise<void> => {
      for (let i = 0; i < times; i += 1) {
        const { rows } = await database.pool.query(
          "SELECT i, i::text AS a, -i AS b, i / 2 AS c, i * 3 AS d, 'x' || i AS e FROM generate_series(1, 20000) AS i",
        );
        expect(rows).toHaveLength(20_000);
      }
    };
    await ask(10);
    const before = megabytes();
    await ask(50);
    // If answers were kept, this would be several hundred MB.
    expect(megabytes() - before).toBeLessThan(150);
  });
});
