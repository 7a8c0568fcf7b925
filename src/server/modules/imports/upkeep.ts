/**
 * Updates the query planner's statistics after a large import, also one that was cancelled, because the embedded database has no autovacuum
 * process.
 */
import { sql } from "drizzle-orm";
import type { ServerDeps } from "../../base/module.ts";

/** Imports with fewer new rows do not update the statistics. */
const WORTH = 1000;

export interface Upkeep {
  /** Call when an import is done or cancelled. @param rows number of created employees */
  after(rows: number): void;
  /** Waits for a running update. Idempotent. */
  stop(): Promise<void>;
}

export function createUpkeep({ db, log }: Pick<ServerDeps, "db" | "log">): Upkeep {
  let running: Promise<void> | null = null;
  const work = async (): Promise<void> => {
    try {
      // Sample a tenth of the default number of rows: on the embedded database every request waits meanwhile.
      await db.transaction(async (tx) => {
        await tx.execute(sql`SET LOCAL default_statistics_target = 10`);
        await tx.execute(sql`ANALYZE employees`);
      });
    } catch (error) {
      // The next import, or the database itself, updates the statistics.
      log.warn({ err: error }, "upkeep after an import failed");
    }
  };
  return {
    after(rows) {
      if (rows < WORTH || running !== null) return;
      running = work().finally(() => {
        running = null;
      });
    },
    stop: () => running ?? Promise.resolve(),
  };
}
