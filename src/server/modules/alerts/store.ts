/** Alerts in the database (docs/server.md#alerts), and the processes that it knows. */
import { type SQL, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import type { z } from "zod";
import { AppError } from "../../../shared/errors.ts";
import {
  type Alert,
  alertCalls,
  type AlertDelivery,
} from "../../../shared/protocol/rest/alerts.ts";
import { auditCompany } from "../../base/audit/index.ts";
import { anywhere, isoTime } from "../../base/database/common.ts";
import { isId } from "../../base/database/ids.ts";
import type { Actor } from "../../base/database/tenant.ts";
import { allOf } from "../../base/overridable/store.ts";
import { countOf } from "../../base/tasks/index.ts";
import type { AlertRecord } from "./contracts.ts";
import type { MissedProcess } from "./life.ts";
import type { OpenAlert } from "./messages.ts";

type Query = z.output<typeof alertCalls.alertList.query>;
type Row = Omit<Alert, "subject" | "acknowledged"> & {
  readonly key: string;
  readonly subjectKind: Alert["subject"]["kind"];
  readonly subjectName: string;
  readonly byName: string;
  readonly byTime: string | null;
  readonly note: string;
};
/** An alert, with the key that memory and deliveries use for it. */
export interface StoredAlert {
  readonly key: string;
  readonly alert: Alert;
}
/** The id of a row that was written, and the name of its company. */
export interface Saved {
  readonly id: string;
  readonly companyName: string;
}

const NAME = sql`coalesce(nullif(p.nickname, ''), p.username, '')`;
const COLUMNS = sql`a.id::text AS id, a.key::text AS key, a.rule, a.rule_name AS "ruleName", a.level, a.kind, a.metric,
  a.company_id::text AS "companyId", coalesce(c.name, '') AS "companyName", a.subject_kind AS "subjectKind",
  a.subject AS "subjectName", a.cores, a.value, a.worst, a.limit_value AS "limit",
  ${isoTime("a.started_at")} AS "startTime", ${isoTime("a.ended_at")} AS "endTime", a.silenced,
  ${NAME} AS "byName", ${isoTime("a.acknowledged_at")} AS "byTime", a.note`;
const FROM = sql`FROM alerts a LEFT JOIN companies c ON c.id = a.company_id LEFT JOIN accounts p ON p.id = a.acknowledged_by`;
const time = (ms: number): SQL => sql`${new Date(ms).toISOString()}::timestamptz`;

function storedOf(row: Row): StoredAlert {
  const { key, subjectKind, subjectName, byName, byTime, note, ...rest } = row;
  return {
    key,
    alert: {
      ...rest,
      subject: { kind: subjectKind, name: subjectName },
      acknowledged: byTime === null ? null : { name: byName, time: byTime, note },
    },
  };
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

export function createAlertStore(db: NodePgDatabase) {
  const run = async <R extends object>(query: SQL): Promise<R[]> =>
    (await db.execute(query)).rows as never;
  const within = (companyId: string | null): SQL =>
    companyId === null ? sql`true` : sql`a.company_id = ${companyId}::bigint`;

  /** @param companyId null: of all companies and the platform. @throws AppError request.not-found */
  async function find(companyId: string | null, id: string): Promise<StoredAlert> {
    // Messages about an alert name its key, because they may be older than its row.
    const named = isId(id)
      ? sql`a.id = ${id}::bigint`
      : UUID.test(id)
        ? sql`a.key = ${id}::uuid`
        : null;
    const [row] =
      named === null
        ? []
        : await run<Row>(sql`SELECT ${COLUMNS} ${FROM} WHERE ${within(companyId)} AND ${named}`);
    if (row === undefined) throw new AppError("request.not-found");
    return storedOf(row);
  }

  return {
    find,
    /** Writes an alert, or its changes. */
    async save(record: AlertRecord): Promise<Saved> {
      const { companyId, subject, startedAt, endedAt } = record;
      const [row] = await run<Saved>(sql`
        INSERT INTO alerts (key, company_id, rule, rule_name, level, kind, metric, subject_kind, subject, cores,
          value, worst, limit_value, started_at, ended_at, silenced)
        VALUES (${record.key}::uuid, ${companyId}::bigint, ${record.rule}, ${record.ruleName}, ${record.level},
          ${record.kind}, ${record.metric}, ${subject.kind}, ${subject.name}, ${JSON.stringify(record.cores)}::jsonb,
          ${record.value}, ${record.worst}, ${record.limit}, ${time(startedAt)},
          ${endedAt === null ? sql`NULL` : time(endedAt)}, ${record.silenced})
        ON CONFLICT (key) DO UPDATE SET worst = excluded.worst, cores = excluded.cores,
          ended_at = coalesce(alerts.ended_at, excluded.ended_at)
        RETURNING id::text AS id,
          coalesce((SELECT name FROM companies c WHERE c.id = company_id), '') AS "companyName"`);
      if (row === undefined) throw new Error("an alert was not written");
      return row;
    },
    async loadOpen(): Promise<OpenAlert[]> {
      const rows = await run<Row>(
        sql`SELECT ${COLUMNS} ${FROM} WHERE a.ended_at IS NULL ORDER BY a.id`,
      );
      return rows.map(storedOf).map(({ key, alert }) => {
        const { id, companyName, acknowledged, startTime, endTime: _, ...rest } = alert;
        const record = { ...rest, key, startedAt: Date.parse(startTime), endedAt: null };
        return { record, goodAt: null, id, companyName, acknowledged };
      });
    },
    async page(companyId: string | null, query: Query) {
      const { cursor, limit, searchCount, keyword = "", state, level, rule, from, to } = query;
      const like = anywhere(keyword);
      const where = sql`WHERE ${within(companyId)} ${allOf(
        keyword === ""
          ? undefined
          : sql`(a.subject ILIKE ${like} OR a.rule_name ILIKE ${like} OR EXISTS (
              SELECT FROM jsonb_array_elements(a.cores) one WHERE one->>'name' ILIKE ${like}))`,
        state === undefined ? undefined : sql`(a.ended_at IS NULL) = ${state === "open"}::boolean`,
        level === undefined ? undefined : sql`a.level = ${level}`,
        rule === undefined ? undefined : sql`a.rule = ${rule}`,
        from === undefined ? undefined : sql`a.started_at >= ${from}::timestamptz`,
        to === undefined ? undefined : sql`a.started_at < ${to}::timestamptz`,
      )}`;
      const rows = await run<Row>(sql`SELECT ${COLUMNS} ${FROM} ${where}
        ORDER BY (a.ended_at IS NULL) DESC, a.started_at DESC, a.id DESC LIMIT ${limit} OFFSET ${(cursor - 1) * limit}`);
      const [counted] = searchCount
        ? await run<{ total: number }>(sql`SELECT count(*)::int AS total ${FROM} ${where}`)
        : [];
      const records = rows.map((row) => storedOf(row).alert);
      return { records, total: counted?.total ?? 0, cursor, limit };
    },
    /** @param companyId whose channels; null: of all companies */
    deliveries: (companyId: string | null, key: string): Promise<AlertDelivery[]> =>
      run<AlertDelivery>(sql`
        SELECT c.id::text AS "channelId", c.name AS "channelName", d.event, ${isoTime("d.at")} AS time, d.success, d.tries, d.error
        FROM alert_deliveries d JOIN alert_channels c ON c.id = d.channel_id
        WHERE d.alert_key = ${key}::uuid
          ${companyId === null ? sql`` : sql`AND c.company_id = ${companyId}::bigint`} ORDER BY d.id`),
    /** @param company whose operation log records it */
    async acknowledge(
      stored: StoredAlert,
      note: string,
      by: { readonly company: string; readonly actor: NonNullable<Actor>; readonly now: number },
    ): Promise<StoredAlert> {
      const { id } = stored.alert;
      await db.transaction(async (tx) => {
        await tx.execute(
          sql`UPDATE alerts SET acknowledged_by = ${by.actor.accountId}::bigint, acknowledged_at = ${time(by.now)}, note = ${note}
            WHERE id = ${id}::bigint`,
        );
        await auditCompany(tx, by.company, by.actor, {
          action: "update",
          entity: "alert",
          entityId: id,
          after: { note },
        });
      });
      return find(null, id);
    },
    /** Names of companies and of the people whose cores an alert names. */
    async describe(
      companyId: string | null,
      accountIds: readonly string[],
    ): Promise<{ readonly companyName: string; readonly names: ReadonlyMap<string, string> }> {
      const [rows, [company]] = await Promise.all([
        run<{
          id: string;
          name: string;
        }>(sql`SELECT p.id::text AS id, ${NAME} AS name FROM accounts p
          WHERE p.id IN (SELECT jsonb_array_elements_text(${JSON.stringify(accountIds)}::jsonb)::bigint)`),
        run<{ name: string }>(sql`SELECT name FROM companies WHERE id = ${companyId}::bigint`),
      ]);
      return {
        companyName: company?.name ?? "",
        names: new Map(rows.map(({ id, name }) => [id, name])),
      };
    },
    /** The company that runs the platform; null: there is none yet. */
    async platform(): Promise<string | null> {
      const [row] = await run<{ id: string }>(
        sql`SELECT id::text AS id FROM companies WHERE platform ORDER BY id LIMIT 1`,
      );
      return row?.id ?? null;
    },
    /** Removes alerts and silences that ended before this time, and deliveries of before. @returns how many rows */
    async prune(before: number): Promise<number> {
      const counts = [
        await countOf(db.execute(sql`DELETE FROM alerts WHERE ended_at < ${time(before)}`)),
        await countOf(db.execute(sql`DELETE FROM alert_deliveries WHERE at < ${time(before)}`)),
        await countOf(db.execute(sql`DELETE FROM alert_silences WHERE until < ${time(before)}`)),
      ];
      return counts.reduce((sum, count) => sum + count, 0);
    },
    async seen(own: Omit<MissedProcess, "seenAt">, now: number): Promise<void> {
      await db.execute(sql`INSERT INTO alert_processes (id, name, started_at, seen_at)
        VALUES (${own.id}::uuid, ${own.name}, ${time(own.startedAt)}, ${time(now)})
        ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`);
    },
    /** The other processes that were last seen before this time. */
    async unseen(own: string, before: number): Promise<MissedProcess[]> {
      const rows = await run<{ id: string; name: string; began: string; seen: string }>(sql`
        SELECT id::text AS id, name, ${isoTime("started_at")} AS began, ${isoTime("seen_at")} AS seen
        FROM alert_processes WHERE id <> ${own}::uuid AND seen_at <= ${time(before)}`);
      return rows.map(({ id, name, began, seen }) => ({
        id,
        name,
        startedAt: Date.parse(began),
        seenAt: Date.parse(seen),
      }));
    },
    async forget(id: string): Promise<void> {
      await db.execute(sql`DELETE FROM alert_processes WHERE id = ${id}::uuid`);
    },
  };
}
export type AlertStore = ReturnType<typeof createAlertStore>;
