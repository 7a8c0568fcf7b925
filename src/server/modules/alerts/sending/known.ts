/**
 * What the sending needs from the database, kept in memory so that it works while the database is away: channels, people who may see
 * alerts, and names (docs/server.md#sending-alerts).
 */
import { type SQL, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import type { Logger } from "pino";
import { ALERT_LEVELS, type AlertLevel } from "../../../../shared/domain/alert-rules.ts";
import type { AlertLanguage } from "../../../../shared/domain/alert-texts.ts";
import { alertCalls, type AlertChannel } from "../../../../shared/protocol/rest/alerts.ts";
import { ALL_PERMISSIONS } from "../../../../shared/protocol/rest/call.ts";

export interface KnownChannel {
  readonly id: string;
  readonly companyId: string;
  /** Whether the channel belongs to the company that runs the platform. It gets the alerts of all companies. */
  readonly platform: boolean;
  readonly type: AlertChannel["type"];
  readonly target: string;
  readonly format: AlertChannel["format"];
  readonly leastLevel: AlertLevel;
  readonly language: AlertLanguage;
  readonly secret: string;
  /** Chat user names of the accounts of a chat channel, without people who left the company. */
  readonly people: readonly string[];
}

interface SeerRow extends Record<string, unknown> {
  readonly name: string;
  readonly companyId: string;
  readonly all: boolean;
}

export interface Known {
  /** Reads everything. While the database is away, the former values stay. */
  reload(): Promise<void>;
  /** @param companyId null: of the platform */
  channelsFor(companyId: string | null, level: AlertLevel): readonly KnownChannel[];
  /** Who may see an alert: chat user names, and the companies in which each may. */
  seers(companyId: string | null): ReadonlyMap<string, readonly string[]>;
  /** "" for the platform and for an unknown company. */
  companyName(companyId: string | null): string;
}

const { access } = alertCalls.alertList;
const SEES = [ALL_PERMISSIONS, ...(access?.permissions ?? [])];
const SEES_ALL = [ALL_PERMISSIONS, "platform:alert:list"];
const list = (texts: readonly string[]): SQL => sql`${sql.param([...texts])}::text[]`;

/** The columns of `KnownChannel`, from alert_channels as c and companies as s. */
export const CHANNEL_COLUMNS = sql`c.id::text AS id, c.company_id::text AS "companyId", s.platform, c.type, c.target,
  c.format, c.least_level AS "leastLevel", c.language, c.secret,
  CASE WHEN c.type = 'chat' THEN ARRAY(
    SELECT a.chat_user_name FROM unnest(string_to_array(c.target, ',')) WITH ORDINALITY t (id, place)
      JOIN accounts a ON a.id::text = trim(t.id) AND a.disabled_at IS NULL
      WHERE EXISTS (SELECT FROM employees e
        WHERE e.account_id = a.id AND e.company_id = c.company_id AND e.dimission_at IS NULL)
      ORDER BY t.place) ELSE '{}' END AS people`;

const rank = (level: AlertLevel): number => ALERT_LEVELS.indexOf(level);

export function createKnown(deps: {
  readonly db: Pick<NodePgDatabase, "execute">;
  readonly log: Pick<Logger, "warn">;
}): Known {
  const { db, log } = deps;
  let channels: readonly KnownChannel[] = [];
  let seers: readonly SeerRow[] = [];
  let names: ReadonlyMap<string, string> = new Map();
  /** One reading at a time. A further one begins when it has ended. */
  let running: Promise<void> | null = null;
  let again: Promise<void> | null = null;

  async function read(): Promise<void> {
    const found = await db.execute<KnownChannel & Record<string, unknown>>(
      sql`SELECT ${CHANNEL_COLUMNS} FROM alert_channels c JOIN companies s ON s.id = c.company_id
        WHERE c."on" AND s.locked_at IS NULL ORDER BY c.id`,
    );
    const people = await db.execute<SeerRow>(
      sql`SELECT a.chat_user_name AS name, e.company_id::text AS "companyId",
          s.platform AND bool_or(r.permissions && ${list(SEES_ALL)}) AS all
        FROM employees e
          JOIN accounts a ON a.id = e.account_id AND a.disabled_at IS NULL
          JOIN companies s ON s.id = e.company_id AND s.locked_at IS NULL
          JOIN account_roles ar ON ar.account_id = a.id
          JOIN roles r ON r.id = ar.role_id AND r.company_id = e.company_id
        WHERE e.dimission_at IS NULL AND r.permissions && ${list(SEES)}
        GROUP BY a.chat_user_name, e.company_id, s.platform`,
    );
    const companies = await db.execute<{ id: string; name: string }>(
      sql`SELECT id::text AS id, name FROM companies`,
    );
    channels = found.rows;
    seers = people.rows;
    names = new Map(companies.rows.map(({ id, name }) => [id, name]));
  }

  function begin(): Promise<void> {
    running = read()
      .catch((error: unknown) => log.warn({ err: error }, "channels of alerts were not read"))
      .finally(() => {
        running = null;
      });
    return running;
  }

  return {
    reload() {
      if (running === null) return begin();
      again ??= running.then(() => {
        again = null;
        return begin();
      });
      return again;
    },
    channelsFor: (companyId, level) =>
      channels.filter(
        (channel) =>
          rank(level) >= rank(channel.leastLevel) &&
          (channel.platform || channel.companyId === companyId),
      ),
    seers(companyId) {
      const found = new Map<string, string[]>();
      for (const { name, companyId: inCompany, all } of seers) {
        if (!all && inCompany !== companyId) continue;
        found.set(name, [...(found.get(name) ?? []), inCompany]);
      }
      return found;
    },
    companyName: (companyId) => (companyId === null ? "" : (names.get(companyId) ?? "")),
  };
}
