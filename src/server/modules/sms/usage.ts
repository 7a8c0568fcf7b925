/** How many SMS of the last 24 hours count against which limit (docs/server.md#sms). */
import { sql } from "drizzle-orm";
import type { z } from "zod";
import { maskPhone } from "../../../shared/domain/format.ts";
import type { SmsUse, smsUsageCall } from "../../../shared/protocol/rest/sms-outbox.ts";
import type { ServerDeps } from "../../base/module.ts";
import { DAY_MS, INVITE_SMS, SMS_LIMITS } from "./limits.ts";

type Usage = z.output<(typeof smsUsageCall)["data"]>;
type Kind = NonNullable<Usage["nearest"]>[number]["kind"];

/** Rows of the list for the platform. */
const SHOWN = 10;
const LIMITS: Readonly<Record<Kind, number>> = {
  company: SMS_LIMITS.perCompany,
  invitations: INVITE_SMS.perCompany,
  address: SMS_LIMITS.perAddress,
  pair: SMS_LIMITS.perPair,
  wrong: SMS_LIMITS.guessesPerAddress,
};

interface Counted extends Record<string, unknown> {
  readonly kind: Kind;
  readonly company: string | null;
  readonly who: string;
  readonly mobile: string;
  readonly used: number;
  readonly first: string | null;
}

/** @param platform whether the caller sees everybody who is near a limit */
export async function smsUsage(
  { db, clock }: Pick<ServerDeps, "db" | "clock">,
  companyId: string,
  platform: boolean,
): Promise<Usage> {
  const since = sql`${new Date(clock.now() - DAY_MS).toISOString()}::timestamptz`;
  const ofCompany = platform ? sql`` : sql`AND company_id = ${companyId}::bigint`;
  // Only the platform learns of people: they are of no company.
  const people = platform
    ? sql`UNION ALL SELECT 'address', NULL, address, '', count(*), min(sent_at) FROM codes GROUP BY address
        UNION ALL SELECT 'pair', NULL, address, mobile, count(*), min(sent_at) FROM codes GROUP BY address, mobile
        UNION ALL SELECT 'wrong', NULL, address, '', count(*), min(guessed_at) FROM sms_guesses
          WHERE guessed_at > ${since} GROUP BY address`
    : sql``;
  const { rows } = await db.execute<Counted>(sql`
    WITH codes AS (SELECT * FROM sms_codes WHERE sent_at > ${since} ${ofCompany}),
    counted (kind, company_id, who, mobile, used, first) AS (
      SELECT 'company', company_id, '', '', count(*), min(sent_at) FROM codes
        WHERE company_id IS NOT NULL AND NOT shared GROUP BY company_id
      UNION ALL
      SELECT 'invitations', company_id, '', '', sum(sms_count), min(sms_at) FROM invitations
        WHERE sms_at > ${since} ${ofCompany} GROUP BY company_id
      ${people}
    )
    SELECT k.kind, k.company_id::text AS company, coalesce(c.name, k.who) AS who, k.mobile, k.used::int AS used,
      extract(epoch FROM k.first) * 1000 AS first
    FROM counted k LEFT JOIN companies c ON c.id = k.company_id`);
  const useOf = (kind: Kind, row: Counted | undefined): SmsUse => {
    const [used, limit] = [row?.used ?? 0, LIMITS[kind]];
    const first = Number(row?.first ?? 0);
    return {
      used,
      limit,
      until: used < limit ? null : new Date(Math.round(first) + DAY_MS).toISOString(),
    };
  };
  const own = (kind: Kind): SmsUse =>
    useOf(
      kind,
      rows.find((row) => row.kind === kind && row.company === companyId),
    );
  const nearest = rows
    .map((row) => ({
      ...useOf(row.kind, row),
      kind: row.kind,
      who: row.mobile === "" ? row.who : `${maskPhone(row.mobile)} · ${row.who}`,
    }))
    .toSorted((a, b) => b.used / b.limit - a.used / a.limit)
    .slice(0, SHOWN);
  return {
    codes: own("company"),
    invitations: own("invitations"),
    nearest: platform ? nearest : null,
  };
}
