/** The result of each message, on its way to the database. While the database is away, results wait (docs/server.md#sending-alerts). */
import { sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import type { Logger } from "pino";
import type { Clock } from "../../../base/module.ts";

export interface Delivery {
  readonly alertKey: string;
  readonly channelId: string;
  readonly event: "began" | "ended";
  /** ms since the epoch */
  readonly at: number;
  readonly success: boolean;
  readonly tries: number;
  /** "" for a success. */
  readonly error: string;
}

/** ms until results that could not be written are tried again. */
export const WRITE_AGAIN_MS = 10_000;
/** Most deliveries that wait. The oldest are given up. */
const WAITING_MAX = 2000;

export interface Deliveries {
  add(delivery: Delivery): void;
  /** Writes the deliveries that wait. Those that cannot be written stay. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

/** The latest delivery of each channel. A channel that was deleted meanwhile has none. */
const WRITE = (rows: readonly Delivery[]) => sql`
  WITH given AS (
    SELECT d.* FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS d ("alertKey" uuid, "channelId" bigint,
        event text, at float8, success boolean, tries int, error text)
      JOIN alert_channels c ON c.id = d."channelId"
  ), kept AS (
    INSERT INTO alert_deliveries (alert_key, channel_id, event, at, success, tries, error)
    SELECT "alertKey", "channelId", event, to_timestamp(at / 1000.0), success, tries, error FROM given
  )
  UPDATE alert_channels c SET last_at = to_timestamp(g.at / 1000.0), last_error = g.error
    FROM (SELECT DISTINCT ON ("channelId") * FROM given ORDER BY "channelId", at DESC) g
    WHERE c.id = g."channelId" AND (c.last_at IS NULL OR c.last_at <= to_timestamp(g.at / 1000.0))
    RETURNING c.company_id::text AS "companyId"`;

export function createDeliveries(deps: {
  readonly db: Pick<NodePgDatabase, "execute">;
  readonly clock: Pick<Clock, "setTimeout">;
  readonly log: Pick<Logger, "warn">;
  /** The companies whose channels have a new result. */
  readonly onWritten: (companyIds: readonly string[]) => void;
}): Deliveries {
  const { db, clock, log } = deps;
  const waiting = new Set<Delivery>();
  let running: Promise<void> = Promise.resolve();
  let timer: { cancel(): void } | null = null;

  async function write(): Promise<void> {
    const rows = [...waiting];
    if (rows.length === 0) return;
    try {
      const written = await db.execute<{ companyId: string }>(WRITE(rows));
      for (const row of rows) waiting.delete(row);
      deps.onWritten([...new Set(written.rows.map(({ companyId }) => companyId))]);
    } catch (error) {
      log.warn({ err: error, rows: rows.length }, "deliveries of alerts were not written");
      timer ??= clock.setTimeout(() => {
        timer = null;
        void flush();
      }, WRITE_AGAIN_MS);
    }
  }
  const flush = (): Promise<void> => {
    running = running.then(write);
    return running;
  };

  return {
    add(delivery) {
      waiting.add(delivery);
      for (const oldest of waiting) {
        if (waiting.size <= WAITING_MAX) break;
        waiting.delete(oldest);
      }
      void flush();
    },
    flush,
    async stop() {
      await flush();
      timer?.cancel();
      timer = null;
    },
  };
}
