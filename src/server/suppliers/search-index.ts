/**
 * Puts the words of new employees into the index of the search, behind the answer that took them in (0030_employee_search.sql). One
 * step is one short transaction, so nobody waits long for it; what waits survives a restart, and several processes share it.
 * A search reads the rows that wait as well, so it is complete at any time.
 */
import { sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import type { Logger } from "pino";
import type { Clock } from "../module.ts";

/** Employees of one step (search_employees_added of the migration). */
export const SEARCH_STEP = 200;
/** Employees that may wait: a search reads each of them, 100,000 in about 0.2 s. */
export const SEARCH_BACKLOG = 100_000;

/** ms between two looks while nothing waits: other processes queue too. */
const IDLE_MS = 2000;
/** ms to the next try after a step that failed, or met a row that somebody writes. */
const FAILED_MS = 500;
/** The part of the time that steps take while there are any: the rest is for the requests of people. */
const SHARE = 0.5;
/** lock_not_available */
const LOCKED = "55P03";

export interface SearchIndex {
  start(): void;
  /** Waits for the step under way. Idempotent. */
  stop(): Promise<void>;
  /** An import writes: no step is made for so long, since both want the same database. */
  defer(ms: number): void;
  /** Makes steps until the company has room for more rows that wait. */
  room(companyId: string): Promise<void>;
}

export interface SearchIndexDeps {
  readonly db: Pick<NodePgDatabase, "execute">;
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn">;
  readonly backlog?: number;
}

/** One step. @returns employees that it took, 0 when none wait */
export async function indexStep(db: Pick<NodePgDatabase, "execute">): Promise<number> {
  const { rows } = await db.execute<{ taken: number }>(
    sql`SELECT index_queued_employees() AS taken`,
  );
  return rows[0]?.taken ?? 0;
}

export function createSearchIndex({ db, clock, log, ...options }: SearchIndexDeps): SearchIndex {
  const backlog = options.backlog ?? SEARCH_BACKLOG;
  let timer: { cancel(): void } | null = null;
  let running: Promise<void> = Promise.resolve();
  let started = false;
  let stopped = false;
  let notBefore = 0;

  /** @returns ms until the next step */
  const step = async (): Promise<number> => {
    const began = clock.now();
    if (began < notBefore) return notBefore - began;
    try {
      const taken = await indexStep(db);
      if (taken === 0) return IDLE_MS;
      const took = clock.now() - began;
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
    async room(companyId) {
      while ((await waiting(companyId)) > backlog) {
        try {
          if ((await indexStep(db)) === 0) return;
        } catch (error) {
          // another process indexes them, or a person writes one: the chunk need not fail for that
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
