/**
 * After a large import the planner's figures are taken again: the embedded database has no process of its own for that.
 */
import { sql } from "drizzle-orm";
import type { ServerDeps } from "../../base/module.ts";

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
      // a tenth of the sample of rows: on the embedded database everybody waits while it is taken
      await db.transaction(async (tx) => {
        await tx.execute(sql`SET LOCAL default_statistics_target = 10`);
        await tx.execute(sql`ANALYZE employees`);
      });
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
