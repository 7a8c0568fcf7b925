/** The figures of the fleet in the database: written in batches, kept in partitions by day, and read for one company or for all. */
import { sql, type SQL } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { integer, jsonb, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import { isoTime } from "../../base/database/common.ts";
import { idColumn } from "../../base/database/ids.ts";
import { countOf } from "../../base/tasks/index.ts";
import type { StoredFigures } from "./figures.ts";
import { type RollupRow, type Step, STEPS } from "./rollup.ts";

/** See 20261127_1940_fleet_rollups.sql. */
export const fleetRollups = pgTable(
  "fleet_rollups",
  {
    companyId: idColumn("company_id").notNull(),
    /** Of the step. */
    seconds: integer("seconds").notNull(),
    at: timestamp("at", { withTimezone: true }).notNull(),
    writer: text("writer").notNull(),
    figures: jsonb("figures").$type<StoredFigures>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.seconds, t.at, t.writer] })],
);

const DAY_MS = 86_400_000;
/** Rows of one statement. */
const BATCH = 500;
/** Days for which there are partitions ahead, so that a server that was away finds one. */
const AHEAD = 3;
/** An arbitrary lock number that nothing else uses. */
const LOCK_KEY = 7_213_029;

export type Keeping = Readonly<Record<Step, number>>;

export interface FleetStore {
  /** Writes rows. A row that is there already is replaced. */
  write(writer: string, rows: readonly RollupRow[]): Promise<void>;
  /** Makes the partitions of today and of the days to come. */
  prepare(now: number): Promise<void>;
  /**
   * Removes what is older than `keeping`, in ms by step.
   *
   * @returns how many rows
   */
  prune(now: number, keeping: Keeping): Promise<number>;
}

export interface MetricRow extends Record<string, unknown> {
  /** ISO 8601 */
  readonly time: string;
  readonly companyId: string;
  readonly value: unknown;
}

/** Which rows are read: of these companies, from `from` until before `to`. */
export interface RowsAsked {
  readonly companies: readonly string[];
  readonly step: Step;
  /** ms since the epoch */
  readonly from: number;
  readonly to: number;
}

const isAsked = ({ companies, step, from, to }: RowsAsked): SQL => sql`
  company_id IN (${sql.join(
    companies.map((id) => sql`${id}::bigint`),
    sql`, `,
  )}) AND seconds = ${step} AND at >= ${new Date(from).toISOString()}::timestamptz
    AND at < ${new Date(to).toISOString()}::timestamptz`;

/** The steps of one metric, by time; several rows a time, of several processes and companies. */
export const metricQuery = (
  kind: keyof StoredFigures,
  metric: string,
  asked: RowsAsked,
): SQL => sql`
  SELECT ${isoTime("at")} AS time, company_id::text AS "companyId", figures -> ${kind} -> ${metric} AS value
  FROM fleet_rollups
  WHERE ${isAsked(asked)} AND figures -> ${kind} -> ${metric} IS NOT NULL
  ORDER BY at`;

/** Metrics by their whole names, and by what their names begin with. */
export type Wanted = Readonly<
  Record<
    keyof StoredFigures,
    { readonly names: readonly string[]; readonly begins: readonly string[] }
  >
>;
export interface FiguresRow extends StoredFigures, Record<string, unknown> {
  /** ISO 8601 */
  readonly time: string;
  readonly companyId: string;
}

/** Most of a kind are wanted with their parts, so to choose among them would cost more than to read them all. */
const picked = (kind: keyof StoredFigures, { names, begins }: Wanted[keyof StoredFigures]): SQL => {
  const all = sql.raw(`f.${kind}`);
  if (begins.length > 0) return sql`coalesce(${all}, '{}')`;
  const pairs = names.map((name) => sql`${name}::text, ${all} -> ${name}::text`);
  return sql`jsonb_strip_nulls(jsonb_build_object(${sql.join(pairs, sql`, `)}))`;
};

/** Many metrics of each row at once, and perhaps more than the wanted ones: reading and unpacking the rows is what costs. */
export const figuresQuery = (wanted: Wanted, asked: RowsAsked): SQL => sql`
  SELECT ${isoTime("at")} AS time, company_id::text AS "companyId", ${picked("c", wanted.c)} AS c,
    ${picked("h", wanted.h)} AS h, ${picked("l", wanted.l)} AS l
  FROM fleet_rollups, jsonb_to_record(figures) AS f(c jsonb, h jsonb, l jsonb)
  WHERE ${isAsked(asked)} ORDER BY at`;

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
const partitionOf = (step: Step, day: string): string =>
  `fleet_rollups_${step}_${day.replaceAll("-", "")}`;

export function createFleetStore(db: NodePgDatabase): FleetStore {
  return {
    async write(writer, rows) {
      for (let from = 0; from < rows.length; from += BATCH) {
        await db
          .insert(fleetRollups)
          .values(
            rows.slice(from, from + BATCH).map(({ companyId, seconds, at, figures }) => ({
              companyId,
              seconds,
              at: new Date(at),
              writer,
              figures,
            })),
          )
          .onConflictDoUpdate({
            target: [
              fleetRollups.companyId,
              fleetRollups.seconds,
              fleetRollups.at,
              fleetRollups.writer,
            ],
            set: { figures: sql`excluded.figures` },
          });
      }
    },
    async prepare(now) {
      await db.transaction(async (tx) => {
        // One process at a time.
        await tx.execute(sql`SELECT pg_advisory_xact_lock(${LOCK_KEY})`);
        for (const step of STEPS) {
          for (let ahead = 0; ahead <= AHEAD; ahead += 1) {
            const day = dayOf(now + ahead * DAY_MS);
            const next = dayOf(now + (ahead + 1) * DAY_MS);
            const { rows } = await tx.execute<{ there: boolean }>(sql`
              SELECT to_regclass(${partitionOf(step, day)}) IS NOT NULL
                OR EXISTS (SELECT FROM fleet_rollups WHERE seconds = ${step}
                  AND at >= ${`${day}T00:00:00Z`}::timestamptz AND at < ${`${next}T00:00:00Z`}::timestamptz) AS there`);
            // Rows of that day that lie in the default partition stay there.
            if (rows[0]?.there === true) continue;
            await tx.execute(
              sql.raw(`CREATE TABLE ${partitionOf(step, day)} PARTITION OF fleet_rollups_${step}
                FOR VALUES FROM ('${day}T00:00:00Z') TO ('${next}T00:00:00Z')`),
            );
          }
        }
      });
    },
    async prune(now, keeping) {
      let removed = 0;
      for (const step of STEPS) {
        const before = now - keeping[step];
        const { rows } = await db.execute<{ name: string }>(sql`
          SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
          WHERE i.inhparent = ${`fleet_rollups_${step}`}::regclass
            AND c.relname < ${partitionOf(step, dayOf(before))} AND c.relname ~ '_[0-9]{8}$'`);
        for (const { name } of rows) {
          const counted = await db.execute<{ n: number }>(
            sql.raw(`SELECT count(*)::int AS n FROM ${name}`),
          );
          removed += counted.rows[0]?.n ?? 0;
          await db.execute(sql.raw(`DROP TABLE ${name}`));
        }
        removed += await countOf(
          db.execute(sql`DELETE FROM fleet_rollups WHERE seconds = ${step}
            AND at < ${new Date(before).toISOString()}::timestamptz`),
        );
      }
      return removed;
    },
  };
}
