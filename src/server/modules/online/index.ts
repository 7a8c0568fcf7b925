/** The logins of a company's people (docs/server.md#logs), which its administrator may end. */
import { type SQL, sql } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import { onlineEndCall, onlineListCall } from "../../../shared/protocol/rest/monitor.ts";
import { audit } from "../../base/audit/index.ts";
import { anywhere, isoTime } from "../../base/database/common.ts";
import { orderBy } from "../../base/database/sorting.ts";
import { requireSupplier, route } from "../../base/http/route.ts";
import type { ServerDeps, ServerModule } from "../../base/module.ts";
import type { Access } from "../accounts/access.ts";

export interface OnlineDeps extends ServerDeps {
  readonly access: Pick<Access, "endLogin">;
}

interface Login extends Record<string, unknown> {
  readonly id: string;
  readonly accountId: string;
  readonly username: string;
  readonly name: string;
  readonly systemName: string;
  readonly address: string;
  readonly userAgent: string;
  readonly createTime: string;
  readonly activeTime: string;
}

export function createOnlineModule(deps: OnlineDeps): ServerModule {
  const { clock, config, tenants } = deps;

  /** The logins that go on. Row level security shows those of the company's present people alone. */
  const from = (companyId: string, now: number, where: SQL): SQL => sql`
    FROM sessions s JOIN accounts a ON a.id = s.account_id
    JOIN employees e ON e.account_id = a.id AND e.company_id = ${companyId}::bigint
      AND e.dimission_at IS NULL
    WHERE s.revoked_at IS NULL AND s.expires_at > ${new Date(now).toISOString()}::timestamptz ${where}`;
  const columns = sql`s.id, s.account_id::text AS "accountId", a.username, e.name,
    s.system_name AS "systemName", s.address, s.user_agent AS "userAgent",
    ${isoTime("s.created_at")} AS "createTime", ${isoTime("s.refreshed_at")} AS "activeTime"`;

  return {
    name: "online",
    routes(app) {
      route(app, onlineListCall, deps, ({ query, principal }) =>
        tenants.run(requireSupplier(principal), principal, async (scope) => {
          const { cursor, limit, searchCount, keyword = "" } = query;
          const now = clock.now();
          const like = anywhere(keyword);
          const where =
            keyword === ""
              ? sql``
              : sql`AND (a.username ILIKE ${like} OR e.name ILIKE ${like} OR s.address LIKE ${like})`;
          const source = from(scope.companyId, now, where);
          const order = orderBy(
            query.sort,
            {
              name: sql`e.name`,
              username: sql`a.username`,
              address: sql`s.address`,
              systemName: sql`s.system_name`,
              createTime: sql`s.created_at`,
              activeTime: sql`s.refreshed_at`,
            },
            sql`s.refreshed_at DESC, s.id`,
          );
          const rows = await scope.sql<Login>(sql`SELECT ${columns} ${source}
            ORDER BY ${order} LIMIT ${limit} OFFSET ${(cursor - 1) * limit}`);
          const [counted] = searchCount
            ? await scope.sql<{ total: number }>(sql`SELECT count(*)::int AS total ${source}`)
            : [];
          const records = rows.map(({ accountId: _account, ...row }) => ({
            ...row,
            active: Date.parse(row.activeTime) + config.ACCESS_TOKEN_TTL * 1000 > now,
            current: row.id === principal.sessionId,
          }));
          return { records, total: counted?.total ?? 0, cursor, limit };
        }),
      );

      route(app, onlineEndCall, deps, async ({ params, principal }) => {
        if (params.id === principal.sessionId) {
          throw new AppError("request.conflict", { message: "不能在此结束当前登录，请使用退出" });
        }
        const login = await tenants.run(requireSupplier(principal), principal, async (scope) => {
          const [found] = await scope.sql<Login>(
            sql`SELECT ${columns} ${from(scope.companyId, clock.now(), sql`AND s.id = ${params.id}`)}`,
          );
          if (found === undefined) throw new AppError("request.not-found");
          const { username, systemName, address } = found;
          await audit(scope, {
            action: "sign-out",
            entity: "session",
            entityId: found.id,
            before: { username, systemName, address },
          });
          return found;
        });
        await deps.access.endLogin({ sessionId: login.id }, "signed-out");
        return null;
      });
    },
  };
}
