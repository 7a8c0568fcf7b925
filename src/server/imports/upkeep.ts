/**
 * After a large import the database is told of what has come: grams that wait are put into their index, and the planner's
 * figures are taken anew. The embedded database has nobody who would do it otherwise.
 */
import { sql } from "drizzle-orm";
import type { ServerDeps } from "../module.ts";

/** Rows below which it is not worth the time. */
const WORTH = 1000;

export interface Upkeep {
  /** @param rows that were created */
  after(rows: number): void;
  /** Waits for what is under way. Idempotent. */
  stop(): Promise<void>;
}

export function createUpkeep({ db, log }: Pick<ServerDeps, "db" | "log">): Upkeep {
  let running: Promise<void> | null = null;
  const work = async (): Promise<void> => {
    try {
      await db.execute(sql`
        SELECT gin_clean_pending_list(c.oid) FROM pg_class c JOIN pg_am a ON a.oid = c.relam
        WHERE c.relname = 'employees_grams' AND a.amname = 'gin'`);
      await db.execute(sql`ANALYZE employees`);
    } catch (error) {
      // the next import, or the database itself, does it
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
