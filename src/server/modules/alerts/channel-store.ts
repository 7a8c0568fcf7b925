/** Where alerts of a company are sent (docs/server.md#sending-alerts), as the company sets it up. */
import { eq, sql } from "drizzle-orm";
import { boolean, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import type { AlertLevel } from "../../../shared/domain/alert-rules.ts";
import { AppError } from "../../../shared/errors.ts";
import type { AlertChannel } from "../../../shared/protocol/rest/alerts.ts";
import { staleError } from "../../../shared/protocol/rest/conflict.ts";
import { audit } from "../../base/audit/index.ts";
import { anywhere, changes, type Given, isoTime } from "../../base/database/common.ts";
import { idColumn, isId } from "../../base/database/ids.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { refusedAddress } from "./sending/hosts.ts";
import { CHANNEL_COLUMNS, type KnownChannel } from "./sending/known.ts";
import { targetsOf } from "./sending/send.ts";

const alertChannels = pgTable("alert_channels", {
  id: idColumn("id")
    .primaryKey()
    .default(sql`default`),
  companyId: idColumn("company_id").notNull(),
  name: text("name").notNull(),
  type: text("type").$type<AlertChannel["type"]>().notNull(),
  target: text("target").notNull(),
  format: text("format").$type<AlertChannel["format"]>().notNull(),
  leastLevel: text("least_level").$type<AlertLevel>().notNull(),
  language: text("language").$type<"zh" | "en">().notNull(),
  on: boolean("on").notNull(),
  secret: text("secret").notNull().default(""),
  version: integer("version").notNull().default(1),
  lastAt: timestamp("last_at", { withTimezone: true }),
  lastError: text("last_error").notNull().default(""),
});

type Fields = Pick<
  AlertChannel,
  "name" | "type" | "target" | "format" | "leastLevel" | "language" | "on"
>;
type Kept = Fields & { readonly secret: string };
type Row = AlertChannel & Record<string, unknown>;

/** Channels of a company. */
const CHANNELS_MAX = 50;
/** People or addresses of one channel. */
const TARGETS_MAX = 50;
const MAIL_ADDRESS = /^[^\s<>@,;:"()[\]\\]+@[^\s<>@,;:"()[\]\\]+$/;

const NAMES = sql`ARRAY(
  SELECT (SELECT e.name FROM employees e
      WHERE e.account_id = a.id AND e.company_id = c.company_id
      ORDER BY e.dimission_at IS NOT NULL, e.id LIMIT 1)
    FROM unnest(string_to_array(c.target, ',')) WITH ORDINALITY t (id, place)
    JOIN accounts a ON a.id::text = t.id
    WHERE c.type = 'chat' AND EXISTS (SELECT FROM employees e
      WHERE e.account_id = a.id AND e.company_id = c.company_id)
    ORDER BY t.place)`;
const COLUMNS = sql`c.id::text AS id, c.name, c.type, c.target, c.format, c.least_level AS "leastLevel", c.language,
  c."on", c.secret <> '' AS signed, c.version, ${NAMES} AS names,
  CASE WHEN c.last_at IS NOT NULL THEN json_build_object('time', ${isoTime("c.last_at")},
    'success', c.last_error = '', 'error', c.last_error) END AS last`;
const ENTITY = "alert-channel";

/** What the operation log says. The query of a webhook's address is often a secret, so it is left out. */
function spoken({ target, ...said }: Given<Kept>): Record<string, unknown> {
  return { ...said, ...(target === undefined ? {} : { target: target.replace(/\?.*$/, "?…") }) };
}

export interface ChannelRules {
  /** Whether mails can be sent. */
  readonly mail: boolean;
  /** ALERT_HOSTS */
  readonly hosts: readonly string[];
}

const wrong = (fields: Readonly<Record<string, string>>): AppError =>
  new AppError("request.invalid", { details: { fields } });

/**
 * @returns the target as it is kept
 * @throws AppError request.invalid
 */
async function checkedTarget(
  scope: CompanyScope,
  { type, target }: Pick<Fields, "type" | "target">,
  rules: ChannelRules,
): Promise<string> {
  if (type === "webhook") {
    const refusal = refusedAddress(target, rules.hosts);
    if (refusal !== null) throw wrong({ target: refusal });
    return target;
  }
  const all = [...new Set(targetsOf(target))];
  if (all.length > TARGETS_MAX) throw wrong({ target: `最多 ${TARGETS_MAX} 个` });
  if (type === "mail") {
    if (!rules.mail) throw wrong({ type: "服务器没有配置邮件服务（SMTP_URL），不能用邮件通知" });
    if (all.length === 0 || !all.every((one) => MAIL_ADDRESS.test(one))) {
      throw wrong({ target: "邮箱地址不正确" });
    }
    return all.join(",");
  }
  const known = all.every(isId)
    ? await scope.sql(
        sql`SELECT DISTINCT a.id FROM accounts a
          JOIN employees e ON e.account_id = a.id AND e.dimission_at IS NULL
          WHERE e.company_id = ${scope.companyId}::bigint AND a.disabled_at IS NULL
            AND a.id = ANY(${sql.param(all)}::bigint[])`,
      )
    : [];
  if (all.length === 0 || known.length < all.length) throw wrong({ target: "接收人不存在" });
  return all.join(",");
}

export async function listChannels(
  scope: CompanyScope,
  request: {
    readonly cursor: number;
    readonly limit: number;
    readonly searchCount: boolean;
    readonly keyword?: string | undefined;
  },
) {
  const { cursor, limit, searchCount, keyword = "" } = request;
  const like = anywhere(keyword);
  const where = sql`c.company_id = ${scope.companyId}::bigint
    AND (${keyword}::text = '' OR c.name ILIKE ${like} OR c.target ILIKE ${like})`;
  const records = await scope.sql<Row>(
    sql`SELECT ${COLUMNS} FROM alert_channels c WHERE ${where}
      ORDER BY c.id LIMIT ${limit} OFFSET ${(cursor - 1) * limit}`,
  );
  const [counted] = searchCount
    ? await scope.sql<{ total: number }>(
        sql`SELECT count(*)::int AS total FROM alert_channels c WHERE ${where}`,
      )
    : [];
  return { records, total: counted?.total ?? 0, cursor, limit };
}

/** @throws AppError request.not-found */
async function byId(scope: CompanyScope, id: string): Promise<AlertChannel> {
  if (!isId(id)) throw new AppError("request.not-found");
  const [row] = await scope.sql<Row>(
    sql`SELECT ${COLUMNS} FROM alert_channels c
      WHERE c.company_id = ${scope.companyId}::bigint AND c.id = ${id}::bigint`,
  );
  if (row === undefined) throw new AppError("request.not-found");
  return row;
}

/** The row with its secret, locked. @throws AppError request.not-found */
async function locked(scope: CompanyScope, id: string) {
  if (!isId(id)) throw new AppError("request.not-found");
  const [row] = await scope.rows(alertChannels, eq(alertChannels.id, id)).for("update");
  if (row === undefined) throw new AppError("request.not-found");
  return row;
}

/** @throws AppError request.invalid for a target that cannot be sent to, request.conflict for too many channels */
export async function createChannel(
  scope: CompanyScope,
  { secret = "", ...given }: Fields & { readonly secret?: string | undefined },
  rules: ChannelRules,
): Promise<AlertChannel> {
  const target = await checkedTarget(scope, given, rules);
  const [counted] = await scope.sql<{ n: number }>(
    sql`SELECT count(*)::int AS n FROM alert_channels WHERE company_id = ${scope.companyId}::bigint`,
  );
  if ((counted?.n ?? 0) >= CHANNELS_MAX) {
    throw new AppError("request.conflict", { message: `最多 ${CHANNELS_MAX} 个告警通知` });
  }
  const values: Kept = { ...given, target, secret };
  const [made] = await scope.insert(alertChannels, values).returning({ id: alertChannels.id });
  const id = made?.id ?? "";
  const { secret: _secret, ...said } = values;
  const after = spoken(secret === "" ? said : values);
  await audit(scope, { action: "create", entity: ENTITY, entityId: id, after });
  return byId(scope, id);
}

/** @throws AppError request.conflict with both versions for a change of an older one, request.invalid as `createChannel` */
export async function updateChannel(
  scope: CompanyScope,
  { id, version, ...given }: { readonly id: string; readonly version: number } & Given<Kept>,
  rules: ChannelRules,
): Promise<AlertChannel> {
  const was = await locked(scope, id);
  if (was.version !== version) {
    const { secret: _secret, ...yours } = given;
    throw staleError(await byId(scope, id), yours);
  }
  const wanted: Given<Kept> =
    given.type === undefined && given.target === undefined
      ? given
      : { ...given, target: await checkedTarget(scope, { ...was, ...withoutGaps(given) }, rules) };
  const change = changes<Kept>(was, wanted);
  if (change === null) return byId(scope, id);
  const raised = { ...change.after, version: sql`${alertChannels.version} + 1` };
  await scope.update(alertChannels, raised, eq(alertChannels.id, id));
  const [before, after] = [spoken(change.before), spoken(change.after)];
  await audit(scope, { action: "update", entity: ENTITY, entityId: id, before, after });
  return byId(scope, id);
}

/** Leaves out fields whose value is undefined, which would hide those of the row. */
const withoutGaps = (given: Given<Kept>): Partial<Kept> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));

export async function deleteChannel(scope: CompanyScope, id: string): Promise<void> {
  const { name, target } = await locked(scope, id);
  await scope.remove(alertChannels, eq(alertChannels.id, id));
  const before = spoken({ name, target });
  await audit(scope, { action: "delete", entity: ENTITY, entityId: id, before });
}

/** A channel as the sending knows it, even when it is off. @throws AppError request.not-found */
export async function channelToTest(scope: CompanyScope, id: string): Promise<KnownChannel> {
  if (!isId(id)) throw new AppError("request.not-found");
  const [row] = await scope.sql<KnownChannel & Record<string, unknown>>(
    sql`SELECT ${CHANNEL_COLUMNS} FROM alert_channels c JOIN companies s ON s.id = c.company_id
      WHERE c.company_id = ${scope.companyId}::bigint AND c.id = ${id}::bigint`,
  );
  if (row === undefined) throw new AppError("request.not-found");
  return row;
}

/** Stores the result of a test as the last message of the channel. */
export async function keepTest(
  scope: CompanyScope,
  id: string,
  { at, error }: { readonly at: number; readonly error: string },
): Promise<void> {
  await scope.update(
    alertChannels,
    { lastAt: new Date(at), lastError: error },
    eq(alertChannels.id, id),
  );
}
