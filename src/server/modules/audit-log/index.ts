/** The logs of a company: what its people changed, and who tried to log in (docs/server.md#logs). */
import { type SQL, sql } from "drizzle-orm";
import { auditListCall, signInListCall } from "../../../shared/protocol/rest/monitor.ts";
import { anywhere, isoTime } from "../../base/database/common.ts";
import { orderBy } from "../../base/database/sorting.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { holds, requireSupplier, route } from "../../base/http/route.ts";
import type { Principal, ServerDeps, ServerModule, StandaloneModule } from "../../base/module.ts";
import { allOf } from "../../base/overridable/store.ts";
import { isNamed, namesOf } from "./names.ts";
import { withoutPersonal } from "./personal.ts";

interface PageQuery {
  readonly cursor: number;
  readonly limit: number;
  readonly searchCount: boolean;
}

/** One page of a query, and the number of all its rows. */
async function pageOf<R extends Record<string, unknown>>(
  scope: CompanyScope,
  { cursor, limit, searchCount }: PageQuery,
  { columns, source, order }: { readonly columns: SQL; readonly source: SQL; readonly order: SQL },
) {
  const records = await scope.sql<R>(
    sql`SELECT ${columns} ${source} ORDER BY ${order} LIMIT ${limit} OFFSET ${(cursor - 1) * limit}`,
  );
  const [counted] = searchCount
    ? await scope.sql<{ total: number }>(sql`SELECT count(*)::int AS total ${source}`)
    : [];
  return { records, total: counted?.total ?? 0, cursor, limit };
}

const within = (
  column: SQL,
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
): SQL =>
  allOf(
    from === undefined ? undefined : sql`${column} >= ${from}::timestamptz`,
    to === undefined ? undefined : sql`${column} < ${to}::timestamptz`,
  );
const is = (column: SQL, value: string | undefined): SQL | undefined =>
  value === undefined || value === "" ? undefined : sql`${column} = ${value}`;

interface AuditRow extends Record<string, unknown> {
  readonly id: string;
  readonly actorId: string | null;
  readonly actorName: string;
  readonly action: string;
  readonly entity: string;
  readonly entityId: string;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
  readonly createTime: string;
}
interface SignInRow extends Record<string, unknown> {
  readonly id: string;
  readonly username: string;
  readonly name: string;
  readonly success: boolean;
  readonly systemName: string;
  readonly address: string;
  readonly userAgent: string;
  readonly createTime: string;
}

/** Whether the person reads all data of the employees in their own screens too. */
const maySeeEmployees = (principal: Pick<Principal, "permissions">): boolean =>
  holds(principal, "supplier:employee:query", "supplier:employee:edit");

function createAuditLogModule(deps: ServerDeps): ServerModule {
  const { tenants } = deps;
  return {
    name: "audit-log",
    routes(app) {
      route(app, auditListCall, deps, ({ query, principal }) =>
        tenants.run(requireSupplier(principal), principal, async (scope) => {
          const { keyword = "", entity, action, entityId } = query;
          const like = anywhere(keyword);
          const where = allOf(
            is(sql`r.entity`, entity),
            is(sql`r.action`, action),
            is(sql`r.entity_id`, entityId),
            keyword === ""
              ? undefined
              : sql`(a.nickname ILIKE ${like} OR a.username ILIKE ${like} OR ${isNamed(scope, keyword)})`,
          );
          const page = await pageOf<AuditRow>(scope, query, {
            columns: sql`r.id::text AS id, r.actor_id::text AS "actorId",
              coalesce(a.nickname, '') AS "actorName", r.action, r.entity,
              r.entity_id AS "entityId", r.before, r.after, ${isoTime("r.created_at")} AS "createTime"`,
            source: sql`FROM audit_records r LEFT JOIN accounts a ON a.id = r.actor_id
              WHERE r.company_id = ${scope.companyId}::bigint ${where} ${within(sql`r.created_at`, query)}`,
            order: orderBy(
              query.sort,
              {
                createTime: sql`r.created_at`,
                actorName: sql`"actorName"`,
                action: sql`r.action`,
                entity: sql`r.entity`,
              },
              sql`r.id DESC`,
            ),
          });
          const names = await namesOf(scope, page.records);
          const seen = maySeeEmployees(principal)
            ? page.records
            : page.records.map(withoutPersonal);
          return { ...page, records: seen.map((r, i) => ({ ...r, names: names[i] ?? {} })) };
        }),
      );
      route(app, signInListCall, deps, ({ query, principal }) =>
        tenants.run(requireSupplier(principal), principal, (scope) => {
          const { keyword = "", success } = query;
          const like = anywhere(keyword);
          const where = allOf(
            success === undefined ? undefined : sql`s.success = ${success === "true"}`,
            keyword === ""
              ? undefined
              : sql`(a.username ILIKE ${like} OR e.name ILIKE ${like} OR s.address LIKE ${like})`,
          );
          return pageOf<SignInRow>(scope, query, {
            columns: sql`s.id::text AS id, a.username, e.name, s.success,
              s.system_name AS "systemName", s.address, s.user_agent AS "userAgent",
              ${isoTime("s.created_at")} AS "createTime"`,
            // Row level security shows the attempts of the company's present people alone.
            source: sql`FROM sign_ins s JOIN accounts a ON a.id = s.account_id
              JOIN employees e ON e.account_id = a.id AND e.company_id = ${scope.companyId}::bigint
                AND e.dimission_at IS NULL
              WHERE true ${where} ${within(sql`s.created_at`, query)}`,
            order: orderBy(
              query.sort,
              {
                createTime: sql`s.created_at`,
                name: sql`e.name`,
                username: sql`a.username`,
                success: sql`s.success`,
                address: sql`s.address`,
                systemName: sql`s.system_name`,
              },
              sql`s.id DESC`,
            ),
          });
        }),
      );
    },
  };
}

export const standalone: StandaloneModule = { area: "accounts", create: createAuditLogModule };
