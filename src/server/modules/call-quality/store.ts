/** Calls and conferences with their scores in the database, by company or over all (docs/server.md#quality-of-calls). */
import { type SQL, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { timelineSteps } from "../../../shared/domain/call-timeline.ts";
import { CALL_TYPE } from "../../../shared/domain/call-types.ts";
import { OPINION_LIMITS } from "../../../shared/domain/opinion-score.ts";
import { doneInSteps } from "../../../shared/domain/steps.ts";
import type { CallTimeline } from "../../../shared/protocol/call-timeline.ts";
import type {
  MeasuredCall,
  measuredCallsCall,
} from "../../../shared/protocol/rest/quality-of-calls.ts";
import type { z } from "../../../shared/zod.ts";
import { anywhere, isoTime } from "../../base/database/common.ts";
import { orderBy } from "../../base/database/sorting.ts";
import { allOf } from "../../base/overridable/store.ts";
import { pause } from "../../base/pause.ts";

type Query = Omit<z.output<typeof measuredCallsCall.query>, "scope">;
type Page = z.output<typeof measuredCallsCall.data>;
type Row = MeasuredCall & Record<string, unknown>;

/** How long quality records are kept, and so calls listed. */
const DAYS = 30;
/** Most records of a call that one look reads: two hours of a video call from both sides. */
const RECORDS = 40_000;

/** Accounts that work in the company; of all companies: all. */
const peopleOf = (companyId: string | null): SQL =>
  companyId === null
    ? sql`SELECT id, chat_user_name AS name FROM accounts`
    : sql`SELECT a.id, a.chat_user_name AS name FROM employees e JOIN accounts a ON a.id = e.account_id
        WHERE e.company_id = ${companyId}::bigint AND e.dimission_at IS NULL`;

const nameOf = (alias: string): SQL =>
  sql.raw(`coalesce(nullif(${alias}.nickname, ''), ${alias}.username)`);

/** Every call and conference that the company may see, as the table `calls`. Only what devices of its people measured counts. */
const source = (companyId: string | null, id: string | null): SQL => sql`
  WITH here AS MATERIALIZED (${peopleOf(companyId)}),
  of_two AS (
    SELECT r.channel AS id, min(r.started_at) AS started_at, min(r.answered_at) AS answered_at,
      max(r.ended_at) AS ended_at,
      (array_agg(r.result ORDER BY CASE r.result WHEN 'answered' THEN 0 WHEN 'missed' THEN 2 ELSE 1 END))[1] AS result,
      array_agg(DISTINCT a.chat_user_name) || array_agg(DISTINCT r.peer) AS names
    FROM call_records r JOIN accounts a ON a.id = r.account_id
    WHERE r.type = ${CALL_TYPE.single} AND r.channel <> '' AND r.account_id IN (SELECT id FROM here)
      AND r.peer IN (SELECT name FROM here) AND r.started_at > now() - make_interval(days => ${DAYS})
      ${id === null ? sql`` : sql`AND r.channel = ${id}`}
    GROUP BY r.channel),
  of_many AS (
    SELECT c.id, c.call_id IS NOT NULL AS grouped, c.name AS title, c.created_at AS started_at, c.ended_at, c.end_reason,
      ARRAY(SELECT c.caller UNION SELECT v.user_name FROM group_call_visits v WHERE v.conference_id = c.id
        UNION SELECT h.name FROM quality_streams s JOIN here h ON h.id::text = s.account_id WHERE s.confr_id = c.id) AS names
    FROM conferences c
    WHERE c.callee IS NULL AND c.created_at > now() - make_interval(days => ${DAYS})
      ${id === null ? sql`` : sql`AND c.id = ${id}`}
      ${
        companyId === null
          ? sql``
          : sql`AND (c.company_id = ${companyId}::bigint OR (c.company_id IS NULL AND c.call_id IS NOT NULL
              AND c.caller IN (SELECT name FROM here) AND NOT EXISTS (SELECT FROM group_call_visits v
                WHERE v.conference_id = c.id AND v.user_name NOT IN (SELECT name FROM here))))`
      }),
  both_kinds AS (
    SELECT id, 'call' AS kind, '' AS title, coalesce(answered_at, started_at) AS started_at,
      extract(epoch FROM ended_at - answered_at) * 1000 AS duration, result, NULL::int AS reason, names FROM of_two
    UNION ALL
    SELECT id, CASE WHEN grouped THEN 'group' ELSE 'conference' END, title, started_at,
      extract(epoch FROM ended_at - started_at) * 1000, NULL, end_reason, names FROM of_many),
  calls AS (
    SELECT c.*, q.mos, ARRAY(SELECT DISTINCT coalesce(${nameOf("a")}, n.name)
      FROM unnest(c.names) AS n(name) LEFT JOIN accounts a ON a.chat_user_name = n.name ORDER BY 1) AS people
    FROM both_kinds c LEFT JOIN LATERAL (
      SELECT min(d.mos) AS mos FROM (
        SELECT coalesce(sum(s.mos_sum) FILTER (WHERE s.received) / nullif(sum(s.samples) FILTER (WHERE s.received), 0),
          sum(s.mos_sum) / nullif(sum(s.samples), 0))::float8 / 100 AS mos
        FROM quality_streams s WHERE s.confr_id = c.id AND s.account_id IN (SELECT id::text FROM here)
        GROUP BY s.sender, s.kind) d) q ON true)`;

const COLUMNS = sql`id, kind, title, people, ${isoTime("started_at")} AS "startTime",
  round(duration)::float8 AS duration, result, reason, round(mos::numeric, 2)::float8 AS mos`;

const GRADES: Readonly<Record<NonNullable<Query["grade"]>, SQL>> = {
  good: sql`mos >= ${OPINION_LIMITS.good}`,
  fair: sql`mos >= ${OPINION_LIMITS.fair} AND mos < ${OPINION_LIMITS.good}`,
  poor: sql`mos < ${OPINION_LIMITS.fair}`,
};

export function createCallQualityStore(db: NodePgDatabase) {
  const run = async <R extends Record<string, unknown>>(query: SQL): Promise<R[]> =>
    (await db.execute(query)).rows as never;

  return {
    /** @param companyId null: of all companies */
    async page(companyId: string | null, query: Query): Promise<Page> {
      const { cursor, limit, searchCount, keyword = "", kind, grade, sort } = query;
      const like = anywhere(keyword);
      const where = sql`WHERE true ${allOf(
        kind === undefined ? undefined : sql`kind = ${kind}`,
        grade === undefined ? undefined : GRADES[grade],
        keyword === ""
          ? undefined
          : sql`(title ILIKE ${like} OR array_to_string(people, ' ') ILIKE ${like})`,
      )}`;
      const order = orderBy(
        sort,
        { startTime: sql`started_at`, duration: sql`duration`, mos: sql`mos` },
        sql`started_at DESC, id`,
      );
      const calls = source(companyId, null);
      const records = await run<Row>(sql`${calls} SELECT ${COLUMNS} FROM calls ${where}
        ORDER BY ${order} LIMIT ${limit} OFFSET ${(cursor - 1) * limit}`);
      const [counted] = searchCount
        ? await run<{ total: number }>(
            sql`${calls} SELECT count(*)::int AS total FROM calls ${where}`,
          )
        : [];
      return { records, total: counted?.total ?? 0, cursor, limit };
    },

    /** @returns null when the company may not see such a call */
    async find(companyId: string | null, id: string): Promise<MeasuredCall | null> {
      const [row] = await run<Row>(
        sql`${source(companyId, id)} SELECT ${COLUMNS} FROM calls WHERE id = ${id}`,
      );
      return row ?? null;
    },

    /** What devices of the company's people measured of it. */
    async timeline(
      companyId: string | null,
      id: string,
    ): Promise<{ timeline: CallTimeline; names: Record<string, string>; cut: boolean }> {
      const rows = await run<{ record: unknown }>(sql`
        SELECT record FROM quality_samples
        WHERE confr_id = ${id} AND account_id IN (SELECT h.id::text FROM (${peopleOf(companyId)}) h)
        ORDER BY time LIMIT ${RECORDS + 1}`);
      const records = rows.slice(0, RECORDS).map(({ record }) => record);
      const timeline = await doneInSteps(timelineSteps(id, records), pause);
      const wanted = new Set(
        timeline.sides.flatMap((side) => [side.memName, ...side.streams.map(({ from }) => from)]),
      );
      const known = await run<{ name: string; shown: string }>(sql`
        SELECT a.chat_user_name AS name, ${nameOf("a")} AS shown FROM accounts a
        WHERE a.chat_user_name IN (SELECT jsonb_array_elements_text(${JSON.stringify([...wanted])}::jsonb))`);
      return {
        timeline,
        names: Object.fromEntries(known.map(({ name, shown }) => [name, shown])),
        cut: rows.length > RECORDS,
      };
    },
  };
}
