/** Silences: an alert that begins within one is sent nowhere (docs/server.md#alerts). */
import { sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import type { z } from "zod";
import { AppError } from "../../../shared/errors.ts";
import {
  alertSettingCalls,
  type AlertSilence,
} from "../../../shared/protocol/rest/alert-settings.ts";
import { audit } from "../../base/audit/index.ts";
import { anywhere, isoTime } from "../../base/database/common.ts";
import { isId } from "../../base/database/ids.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import type { AlertRecord } from "./contracts.ts";

const LONGEST_MS = 30 * 24 * 3_600_000;
const ENTITY = "alert-silence";
type Given = z.output<typeof alertSettingCalls.alertSilenceCreate.body>;
type Query = z.output<typeof alertSettingCalls.alertSilenceList.query>;
/** Names of own rules, by id. */
export type RuleNames = ReadonlyMap<string, string>;
type Row = Omit<AlertSilence, "ruleName">;

/** A silence as the evaluation keeps it. */
export interface Silence {
  readonly companyId: string;
  readonly rule: string | null;
  readonly subject: string;
  /** ms since the epoch */
  readonly until: number;
}

/** Whether an alert that begins now is sent nowhere. */
export const isSilenced = (
  silences: readonly Silence[],
  { companyId, rule, subject }: Pick<AlertRecord, "companyId" | "rule" | "subject">,
  platform: string | null,
  now: number,
): boolean =>
  silences.some(
    (silence) =>
      silence.until > now &&
      (silence.companyId === platform || silence.companyId === companyId) &&
      (silence.rule === null || silence.rule === rule) &&
      (silence.subject === "" || silence.subject === subject.name),
  );

const columns = (
  now: string,
) => sql`s.id::text AS id, s.rule, s.subject, ${isoTime("s.until")} AS until, s.reason,
  ${isoTime("s.started_at")} AS "startTime", coalesce(nullif(p.nickname, ''), p.username, '') AS "createBy",
  s.until > ${now}::timestamptz AS active`;
const FROM = sql`FROM alert_silences s LEFT JOIN accounts p ON p.id = s.account_id`;
const named = (row: Row, names: RuleNames): AlertSilence => ({
  ...row,
  ruleName: names.get(row.rule ?? "") ?? "",
});
const isoOf = (now: number): string => new Date(now).toISOString();

async function byId(scope: CompanyScope, id: string, now: number): Promise<Row> {
  const [row] = isId(id)
    ? await scope.sql<Row & Record<string, unknown>>(
        sql`SELECT ${columns(isoOf(now))} ${FROM}
          WHERE s.company_id = ${scope.companyId}::bigint AND s.id = ${id}::bigint`,
      )
    : [];
  if (row === undefined) throw new AppError("request.not-found");
  return row;
}

export async function listSilences(
  scope: CompanyScope,
  { cursor, limit, searchCount, keyword = "" }: Query,
  names: RuleNames,
  now: number,
) {
  const like = anywhere(keyword);
  const where = sql`WHERE s.company_id = ${scope.companyId}::bigint
    AND (${keyword}::text = '' OR s.subject ILIKE ${like} OR s.reason ILIKE ${like})`;
  const rows = await scope.sql<Row & Record<string, unknown>>(
    sql`SELECT ${columns(isoOf(now))} ${FROM} ${where}
      ORDER BY (s.until > ${isoOf(now)}::timestamptz) DESC, s.started_at DESC, s.id DESC
      LIMIT ${limit} OFFSET ${(cursor - 1) * limit}`,
  );
  const [counted] = searchCount
    ? await scope.sql<{ total: number }>(sql`SELECT count(*)::int AS total ${FROM} ${where}`)
    : [];
  const records = rows.map((row) => named(row, names));
  return { records, total: counted?.total ?? 0, cursor, limit };
}

/** @throws AppError request.invalid for a rule that does not exist, and for a time that has passed or is too far away */
export async function createSilence(
  scope: CompanyScope,
  given: Given,
  rules: { readonly ids: ReadonlySet<string>; readonly names: RuleNames },
  now: number,
): Promise<AlertSilence> {
  const until = Date.parse(given.until);
  const fields: Record<string, string> = {};
  if (given.rule !== null && !rules.ids.has(given.rule)) fields["rule"] = "规则不存在";
  if (until <= now) fields["until"] = "须晚于现在";
  else if (until > now + LONGEST_MS) fields["until"] = "最长 30 天";
  if (Object.keys(fields).length > 0)
    throw new AppError("request.invalid", { details: { fields } });
  const [made] = await scope.sql<{ id: string }>(
    sql`INSERT INTO alert_silences (company_id, rule, subject, reason, started_at, until, account_id)
      VALUES (${scope.companyId}::bigint, ${given.rule}, ${given.subject}, ${given.reason}, ${isoOf(now)}::timestamptz,
        ${isoOf(until)}::timestamptz, ${scope.actor?.accountId ?? null}::bigint) RETURNING id::text AS id`,
  );
  const id = made?.id ?? "";
  await audit(scope, { action: "create", entity: ENTITY, entityId: id, after: given });
  return named(await byId(scope, id, now), rules.names);
}

/** Ends a silence that is in force. @throws AppError request.not-found */
export async function endSilence(scope: CompanyScope, id: string, now: number): Promise<void> {
  const was = await byId(scope, id, now);
  if (!was.active) return;
  const until = isoOf(now);
  await scope.sql(
    sql`UPDATE alert_silences SET until = ${until}::timestamptz
      WHERE company_id = ${scope.companyId}::bigint AND id = ${id}::bigint`,
  );
  await audit(scope, {
    action: "update",
    entity: ENTITY,
    entityId: id,
    before: { until: was.until },
    after: { until },
  });
}

/** The silences of all companies that are in force. */
export async function activeSilences(
  db: Pick<NodePgDatabase, "execute">,
  now: number,
): Promise<Silence[]> {
  const { rows } = await db.execute<Record<keyof Silence, string>>(
    sql`SELECT company_id::text AS "companyId", rule, subject, ${isoTime("until")} AS until
      FROM alert_silences WHERE until > ${isoOf(now)}::timestamptz`,
  );
  return rows.map(({ companyId, rule, subject, until }) => ({
    companyId,
    rule: rule as string | null,
    subject,
    until: Date.parse(until),
  }));
}
