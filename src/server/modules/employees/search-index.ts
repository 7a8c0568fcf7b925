/**
 * Adds the words of new employees to the search index after the request that created them was answered
 * (0030_employee_search.sql). One step is one short transaction, so nobody waits long for it. The queue survives a restart and
 * is shared by all processes. A search also reads the queued rows, so its results are always complete.
 */
import { sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import type { Logger } from "pino";
import type { Clock } from "../../base/module.ts";

/** Employees per step (search_employees_added of the migration). */
export const SEARCH_STEP = 200;
/** Most employees that may be queued. A search reads each of them: 100,000 in 0.2 s, on the embedded database in 0.4 s. */
export const SEARCH_BACKLOG = 100_000;

/** Milliseconds between two checks of an empty queue. Other processes fill it too. */
const IDLE_MS = 2000;
/** Milliseconds to the next attempt after a step failed or met a locked row. */
const FAILED_MS = 500;
/** Share of the time that steps may take while the queue is not empty. The rest is for requests. */
const SHARE = 0.5;
/**
 * The share while people wait for the server. It is not 0: a search also reads the queued rows, so searches would become slower and slower
 * if the index stopped for them.
 */
const BUSY_SHARE = 0.1;
/** Milliseconds after which a step that is held looks again whether people still wait. */
const LOOK_AGAIN = 50;
/** SQLSTATE lock_not_available. */
const LOCKED = "55P03";

export interface SearchIndex {
  start(): void;
  /** Waits for the running step. Idempotent. */
  stop(): Promise<void>;
  /** Pauses the steps for this time, because an import is writing to the same database. */
  defer(ms: number): void;
  /** Runs steps until the company's queue has space for more rows. */
  waitForSpace(companyId: string): Promise<void>;
}

export interface SearchIndexDeps {
  readonly db: Pick<NodePgDatabase, "execute">;
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn">;
  /** Whether people wait for the server now. */
  readonly doPeopleWait: () => boolean;
  readonly backlog?: number;
}

/**
 * Runs one step.
 *
 * @returns the number of employees it indexed, 0 when the queue is empty
 */
export async function indexStep(db: Pick<NodePgDatabase, "execute">): Promise<number> {
  const { rows } = await db.execute<{ taken: number }>(
    sql`SELECT index_queued_employees() AS taken`,
  );
  return rows[0]?.taken ?? 0;
}

export function createSearchIndex(deps: SearchIndexDeps): SearchIndex {
  const { db, clock, log, doPeopleWait, backlog = SEARCH_BACKLOG } = deps;
  let timer: { cancel(): void } | null = null;
  let running: Promise<void> = Promise.resolve();
  let started = false;
  let stopped = false;
  let notBefore = 0;
  /** Until then no step begins while people wait. */
  let heldUntil = 0;

  /** @returns ms until the next step */
  const step = async (): Promise<number> => {
    const began = clock.now();
    if (began < notBefore) return notBefore - began;
    if (began < heldUntil && doPeopleWait()) return LOOK_AGAIN;
    try {
      const taken = await indexStep(db);
      if (taken === 0) return IDLE_MS;
      const took = clock.now() - began;
      heldUntil = began + took / BUSY_SHARE;
      return Math.max(1, (took * (1 - SHARE)) / SHARE);
    } catch (error) {
      if (codeOf(error) !== LOCKED) log.warn({ err: error }, "a step of the search index failed");
      return FAILED_MS;
    }
  };
  const next = (ms: number): void => {
    if (stopped) return;
    timer = clock.setTimeout(() => {
      running = step().then(next);
    }, ms);
  };

  const waiting = async (companyId: string): Promise<number> => {
    const { rows } = await db.execute<{ steps: number }>(sql`
      SELECT count(*)::int AS steps FROM employee_search_queue WHERE company_id = ${companyId}::bigint`);
    return (rows[0]?.steps ?? 0) * SEARCH_STEP;
  };

  return {
    start() {
      if (started) return;
      started = true;
      next(0);
    },
    stop() {
      stopped = true;
      timer?.cancel();
      return running;
    },
    defer(ms) {
      notBefore = Math.max(notBefore, clock.now() + ms);
    },
    async waitForSpace(companyId) {
      while ((await waiting(companyId)) > backlog) {
        try {
          if ((await indexStep(db)) === 0) return;
        } catch (error) {
          // Another process indexes these rows, or a person edits one. The import's chunk need not fail because of that.
          if (codeOf(error) !== LOCKED) throw error;
          return;
        }
      }
    },
  };
}

function codeOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "string") return at.code;
  }
  return "";
}
