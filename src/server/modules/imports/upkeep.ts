/**
 * Updates the query planner's statistics after a large import, also one that was cancelled, because the embedded database has no autovacuum
 * process. It waits a moment: what ends an import, a dismissal for example, has work of its own.
 */
import { sql } from "drizzle-orm";
import type { ServerDeps } from "../../base/module.ts";

/** Imports with fewer new rows do not update the statistics. */
const WORTH = 1000;
/** ms between the end of an import and the update. Imports that end meanwhile share it. */
export const UPKEEP_DELAY_MS = 5_000;

export interface Upkeep {
  /** Call when an import is done or cancelled. @param rows number of created employees */
  after(rows: number): void;
  /** Waits for a running update, and gives up a planned one. Idempotent. */
  stop(): Promise<void>;
}

export function createUpkeep({ db, clock, log }: Pick<ServerDeps, "db" | "clock" | "log">): Upkeep {
  let planned: { cancel(): void } | null = null;
  let running: Promise<void> = Promise.resolve();
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
      if (rows < WORTH || planned !== null) return;
      planned = clock.setTimeout(() => {
        planned = null;
        running = running.then(work);
      }, UPKEEP_DELAY_MS);
    },
    stop() {
      planned?.cancel();
      planned = null;
      return running;
    },
  };
}
