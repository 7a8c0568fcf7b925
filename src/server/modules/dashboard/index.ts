/** Figures and trends of a company (docs/server.md#figures). */
import { type SQL, sql } from "drizzle-orm";
import {
  dashboardCalls,
  type DashboardDay,
  TREND_DAYS,
} from "../../../shared/protocol/rest/dashboard.ts";
import { holds, requireSupplier, route } from "../../base/http/route.ts";
import type { Principal, ServerDeps, ServerModule, StandaloneModule } from "../../base/module.ts";

const DAY = 86_400_000;
/** The time zone of companies, ms ahead of UTC; it has no summer time. */
const ZONE = 8 * 3_600_000;
/** `kind` of the periodic quality records. */
const PERIODIC = 1;

type Deps = Pick<ServerDeps, "db" | "tenants" | "clock" | "directory" | "config">;

const dayOf = (time: number): string => new Date(time + ZONE).toISOString().slice(0, 10);

function createDashboardModule(deps: Deps): ServerModule {
  const { db, tenants, clock, config } = deps;

  /**
   * Calls and quality by day. A call counts for a company if both people work there, so that nothing of another company shows; the
   * two records of one call count once.
   */
  async function trend(companyId: string, accountId: string | null): Promise<DashboardDay[]> {
    const now = clock.now();
    const days = Array.from({ length: TREND_DAYS }, (_, n) =>
      dayOf(now - (TREND_DAYS - 1 - n) * DAY),
    );
    const since = `${days[0]}T00:00:00+08:00`;
    const local = (column: SQL): SQL => sql`((${column} AT TIME ZONE 'Asia/Shanghai')::date)::text`;
    const here = sql`SELECT e.account_id AS id, a.chat_user_name AS name
      FROM employees e JOIN accounts a ON a.id = e.account_id
      WHERE e.company_id = ${companyId}::bigint AND e.dimission_at IS NULL`;
    const calls = sql`WITH here AS MATERIALIZED (${here}), calls AS MATERIALIZED (
      SELECT r.call_id, min(r.channel) AS channel, min(r.started_at) AS started_at,
        max(extract(epoch FROM r.ended_at - r.answered_at)) AS seconds
      FROM call_records r
      WHERE r.started_at >= ${since}::timestamptz AND r.account_id IN (SELECT id FROM here)
        ${
          accountId === null
            ? sql`AND r.peer IN (SELECT name FROM here)`
            : sql`AND r.account_id = ${accountId}::bigint AND NOT r.removed`
        }
      GROUP BY r.call_id)`;
    const counted = await db.execute<{ day: string; calls: number; minutes: number }>(sql`
      ${calls} SELECT ${local(sql`started_at`)} AS day, count(*)::int AS calls,
        round(coalesce(sum(seconds), 0) / 60)::int AS minutes FROM calls GROUP BY 1`);
    const measured = await db.execute<{ day: string; loss: number | null }>(sql`
      ${calls} SELECT ${local(sql`c.started_at`)} AS day,
        avg((q.record->>'packetLossRate')::float8) AS loss
      FROM calls c JOIN quality_samples q ON q.confr_id = c.channel AND q.kind = ${PERIODIC}
      WHERE c.channel <> '' GROUP BY 1`);
    const callsOf = new Map(counted.rows.map((row) => [row.day, row]));
    const lossOf = new Map(measured.rows.map((row) => [row.day, row.loss]));
    return days.map((day) => {
      const loss = lossOf.get(day) ?? null;
      return {
        day,
        calls: callsOf.get(day)?.calls ?? 0,
        minutes: callsOf.get(day)?.minutes ?? 0,
        loss: loss === null ? null : Math.max(0, Math.round(loss * 10) / 10),
      };
    });
  }

  const counts = (principal: Principal, seesApplies: boolean, seesOnline: boolean) =>
    tenants.run(requireSupplier(principal), principal, async (scope) => {
      const now = new Date(clock.now()).toISOString();
      const since = `${dayOf(clock.now() - (TREND_DAYS - 1) * DAY)}T00:00:00+08:00`;
      const company = sql`company_id = ${scope.companyId}::bigint`;
      const [row] = await scope.sql<{
        employees: number;
        joined: number;
        departments: number;
        applies: number;
        online: number;
      }>(sql`SELECT
        (SELECT employed::int FROM employee_counts WHERE ${company}) AS employees,
        (SELECT count(*)::int FROM employees
          WHERE ${company} AND dimission_at IS NULL AND created_at >= ${since}::timestamptz) AS joined,
        (SELECT count(*)::int FROM departments WHERE ${company}) AS departments,
        (SELECT count(*)::int FROM membership_applies WHERE ${company} AND status = 'pending') AS applies,
        (SELECT count(DISTINCT s.account_id)::int FROM sessions s
          JOIN employees e ON e.account_id = s.account_id AND e.${company} AND e.dimission_at IS NULL
          WHERE s.revoked_at IS NULL
            AND s.refreshed_at > ${now}::timestamptz - ${config.ACCESS_TOKEN_TTL} * interval '1 second') AS online`);
      return {
        employees: row?.employees ?? 0,
        joined: row?.joined ?? 0,
        departments: row?.departments ?? 0,
        applies: seesApplies ? (row?.applies ?? 0) : null,
        online: seesOnline ? (row?.online ?? 0) : null,
      };
    });

  const failures = async (principal: Principal) => {
    const since = sql`${new Date(clock.now() - DAY).toISOString()}::timestamptz`;
    const own = await tenants.run(requireSupplier(principal), principal, async (scope) => {
      const company = sql`${scope.companyId}::bigint`;
      const [row] = await scope.sql<{
        errors: number;
        refused: number;
        platform: boolean;
      }>(sql`SELECT
        (SELECT coalesce(sum(count), 0)::int FROM client_errors
          WHERE company_id = ${company} AND occurred_at >= ${since}) AS errors,
        (SELECT count(*)::int FROM sign_ins s
          JOIN employees e ON e.account_id = s.account_id AND e.company_id = ${company} AND e.dimission_at IS NULL
          WHERE NOT s.success AND s.created_at >= ${since}) AS refused,
        (SELECT platform FROM companies WHERE id = ${company}) AS platform`);
      return row;
    });
    const runsPlatform = own?.platform === true && holds(principal, "platform:task:edit");
    const { rows } = runsPlatform
      ? await db.execute<{ n: number }>(
          sql`SELECT count(*)::int AS n FROM task_runs WHERE error <> '' AND started_at >= ${since}`,
        )
      : { rows: [] };
    return {
      errors: holds(principal, "monitor:errorlog:list") ? (own?.errors ?? 0) : null,
      failedSignIns: holds(principal, "monitor:logininfor:list") ? (own?.refused ?? 0) : null,
      failedTasks: rows[0]?.n ?? null,
    };
  };

  return {
    name: "dashboard",
    routes(app) {
      route(app, dashboardCalls.dashboardFigures, deps, async ({ principal }) => {
        const all = holds(principal, "monitor:online:list");
        const edits = holds(principal, "supplier:employee:edit");
        const figures = await counts(principal, edits, all);
        const companyId = requireSupplier(principal);
        const days = await trend(companyId, all ? null : principal.accountId);
        const lastDay = await failures(principal);
        return { ...figures, lastDay, scope: all ? ("company" as const) : ("own" as const), days };
      });
    },
  };
}

export const standalone: StandaloneModule = { area: "server", create: createDashboardModule };
