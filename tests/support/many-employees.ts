/** A server whose first company has many employees. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { Pool } from "pg";
import { readConfig } from "../../src/server/base/config.ts";
import { openDatabase } from "../../src/server/base/database/index.ts";
import { DEMO_PASSWORD } from "../../src/server/base/database/seed.ts";
import { startServer, type TestServer } from "./server.ts";

const root = join(import.meta.dirname, "../..");

/**
 * The person "admin" of the demo data administers them.
 * @param databaseUrl an empty database on PostgreSQL; left out: the embedded one
 * @param fill adds more to the database before the server starts on it
 */
export async function startWithEmployees(
  count: number,
  databaseUrl = "",
  fill?: (pool: Pool) => Promise<void>,
): Promise<TestServer> {
  const env = {
    ...(databaseUrl === "" ? {} : { DATABASE_URL: databaseUrl }),
    ADMIN_USERNAME: "admin",
    ADMIN_PASSWORD: DEMO_PASSWORD,
  };
  const server = await startServer(env);
  try {
    await server.kill();
    const seeded = spawnSync(
      process.execPath,
      ["--import", "tsx", "src/server/seed.ts", "--employees", String(count)],
      {
        cwd: root,
        env: { ...process.env, ...env, DATA_DIR: server.dataDir, LOG_LEVEL: "error" },
        stdio: ["ignore", "ignore", "inherit"],
      },
    );
    if (seeded.status !== 0) throw new Error("the seed failed");
    if (fill !== undefined) {
      const database = await openDatabase(readConfig({ ...env, DATA_DIR: server.dataDir }));
      await fill(database.pool).finally(() => database.close());
    }
    await server.start();
    return server;
  } catch (error) {
    await server.dispose();
    throw error;
  }
}
