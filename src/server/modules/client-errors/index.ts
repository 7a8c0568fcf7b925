/** The error log of a company: what went wrong in its people's consoles (docs/session.md#error-log). */
import { lt, sql } from "drizzle-orm";
import { index, integer, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { AppError } from "../../../shared/errors.ts";
import {
  errorListCall,
  errorReportCall,
  type ErrorSource,
} from "../../../shared/protocol/rest/client-errors.ts";
import { countOf } from "../../base/tasks/index.ts";
import { anywhere, isoTime } from "../../base/database/common.ts";
import { idColumn } from "../../base/database/ids.ts";
import { orderBy } from "../../base/database/sorting.ts";
import { requireSupplier, route } from "../../base/http/route.ts";
import type { ServerDeps, ServerModule, StandaloneModule } from "../../base/module.ts";
import { allOf } from "../../base/overridable/store.ts";

/** Errors that a person may report in a company within an hour. */
const HOURLY = 100;
const HOUR_MS = 3_600_000;
/** ms for which an error is kept. */
export const KEPT_MS = 30 * 24 * HOUR_MS;
const PRUNE_EVERY = 24 * HOUR_MS;
const AGENT_MAX = 300;

const time = (name: string) => timestamp(name, { withTimezone: true }).notNull();

/** See 0160_client_errors.sql. */
export const clientErrors = pgTable(
  "client_errors",
  {
    id: idColumn("id")
      .primaryKey()
      .default(sql`default`),
    companyId: idColumn("company_id").notNull(),
    accountId: idColumn("account_id"),
    key: uuid("key").notNull(),
    source: text("source").$type<ErrorSource>().notNull(),
    message: text("message").notNull(),
    stack: text("stack").notNull(),
    path: text("path").notNull(),
    build: text("build").notNull(),
    userAgent: text("user_agent").notNull(),
    count: integer("count").notNull(),
    occurredAt: time("occurred_at"),
    receivedAt: time("received_at"),
  },
  (t) => [
    index("client_errors_newest").on(t.companyId, t.occurredAt.desc(), t.id.desc()),
    index("client_errors_account").on(t.accountId, t.receivedAt),
    index("client_errors_received").on(t.receivedAt),
  ],
);

interface ErrorRow extends Record<string, unknown> {
  readonly id: string;
  readonly source: ErrorSource;
  readonly message: string;
  readonly stack: string;
  readonly path: string;
  readonly build: string;
  readonly count: number;
  readonly actorName: string;
  readonly userAgent: string;
  readonly createTime: string;
}

function createClientErrorsModule(deps: ServerDeps): ServerModule {
  const { clock, db, tenants } = deps;
  deps.tasks.add({
    id: "client-errors",
    every: PRUNE_EVERY,
    run: () =>
      countOf(
        db.delete(clientErrors).where(lt(clientErrors.receivedAt, new Date(clock.now() - KEPT_MS))),
      ),
  });

  return {
    name: "client-errors",
    routes(app) {
      route(app, errorReportCall, deps, ({ body, principal, c }) =>
        tenants.run(requireSupplier(principal), principal, async (scope) => {
          const { accountId } = principal;
          const now = clock.now();
          // One report of a person at a time, so that reports at once cannot pass the limit together.
          await scope.sql(
            sql`SELECT pg_advisory_xact_lock(hashtextextended(${`client-errors:${accountId}`}, 0))`,
          );
          const [recent] = await scope.sql<{ count: number; since: string | null }>(
            sql`SELECT count(*)::int AS count, ${isoTime("min(received_at)")} AS since
              FROM client_errors WHERE account_id = ${accountId}::bigint
              AND received_at > ${new Date(now - HOUR_MS).toISOString()}::timestamptz`,
          );
          if ((recent?.count ?? 0) + body.errors.length > HOURLY) {
            const oldest = Date.parse(recent?.since ?? "") || now;
            throw new AppError("request.rate-limited", {
              details: { retryAfter: Math.max(1, Math.ceil((oldest + HOUR_MS - now) / 1000)) },
            });
          }
          const userAgent = (c.req.header("user-agent") ?? "").slice(0, AGENT_MAX);
          await scope
            .insert(
              clientErrors,
              body.errors.map(({ age, ...error }) => ({
                ...error,
                accountId,
                userAgent,
                occurredAt: new Date(now - age),
                receivedAt: new Date(now),
              })),
            )
            .onConflictDoNothing();
          return null;
        }),
      );

      route(app, errorListCall, deps, ({ query, principal }) =>
        tenants.run(requireSupplier(principal), principal, async (scope) => {
          const { cursor, limit, searchCount, keyword = "", source, from, to, sort } = query;
          const like = anywhere(keyword);
          const where = sql`FROM client_errors e LEFT JOIN accounts a ON a.id = e.account_id
            WHERE e.company_id = ${scope.companyId}::bigint ${allOf(
              source === undefined ? undefined : sql`e.source = ${source}`,
              from === undefined ? undefined : sql`e.occurred_at >= ${from}::timestamptz`,
              to === undefined ? undefined : sql`e.occurred_at < ${to}::timestamptz`,
              keyword === ""
                ? undefined
                : sql`(e.message ILIKE ${like} OR e.path ILIKE ${like} OR a.nickname ILIKE ${like}
                    OR a.username ILIKE ${like})`,
            )}`;
          const order = orderBy(
            sort,
            {
              createTime: sql`e.occurred_at`,
              actorName: sql`"actorName"`,
              source: sql`e.source`,
              message: sql`e.message`,
              path: sql`e.path`,
              build: sql`e.build`,
              count: sql`e.count`,
            },
            sql`e.occurred_at DESC, e.id DESC`,
          );
          const records = await scope.sql<ErrorRow>(
            sql`SELECT e.id::text AS id, e.source, e.message, e.stack, e.path, e.build, e.count,
                coalesce(a.nickname, '') AS "actorName", e.user_agent AS "userAgent",
                ${isoTime("e.occurred_at")} AS "createTime"
              ${where} ORDER BY ${order} LIMIT ${limit} OFFSET ${(cursor - 1) * limit}`,
          );
          const [counted] = searchCount
            ? await scope.sql<{ total: number }>(sql`SELECT count(*)::int AS total ${where}`)
            : [];
          return { records, total: counted?.total ?? 0, cursor, limit };
        }),
      );
    },
  };
}

export const standalone: StandaloneModule = { area: "server", create: createClientErrorsModule };
