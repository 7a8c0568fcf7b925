/** The platform's tasks as its company sees them (docs/server.md#tasks): last and next runs, a run now, pause, log of runs. */
import { type SQL, sql } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import {
  taskListCall,
  taskPauseCall,
  taskRunCall,
  taskRunsCall,
  type TaskRun,
} from "../../../shared/protocol/rest/tasks.ts";
import { auditCompany } from "../../base/audit/index.ts";
import { isoTime } from "../../base/database/common.ts";
import { isPlatform } from "../../base/database/companies.ts";
import { requireSupplier, route } from "../../base/http/route.ts";
import type { Principal, ServerDeps, ServerModule } from "../../base/module.ts";
import { allOf } from "../../base/overridable/store.ts";

interface TaskRow extends Record<string, unknown> {
  readonly id: string;
  readonly paused: boolean;
  readonly running: boolean;
  readonly nextTime: string;
}
type RunRow = TaskRun & Record<string, unknown>;

const RUN = sql`r.id::text AS id, r.task_id AS task, ${isoTime("r.started_at")} AS "startTime",
  r.took_ms AS took, r.removed IS NOT NULL AS success, r.removed, r.error,
  CASE WHEN r.account_id IS NULL THEN '' ELSE coalesce(nullif(a.nickname, ''), a.username) END
    AS "actorName"`;
const FROM_RUNS = sql`FROM task_runs r LEFT JOIN accounts a ON a.id = r.account_id`;

export function createTasksModule(deps: ServerDeps): ServerModule {
  const { db, clock, tasks } = deps;

  /** @throws AppError request.not-found for a company that does not run the platform: to it there are no tasks */
  async function requirePlatform(principal: Principal): Promise<string> {
    const company = requireSupplier(principal);
    if (!(await isPlatform(db, company))) throw new AppError("request.not-found");
    return company;
  }
  const seesNone = async (principal: Principal): Promise<boolean> =>
    !(await isPlatform(db, requireSupplier(principal)));
  const runs = async (where: SQL, order: SQL): Promise<RunRow[]> =>
    (await db.execute<RunRow>(sql`SELECT ${RUN} ${FROM_RUNS} ${where} ${order}`)).rows;

  return {
    name: "tasks",
    routes(app) {
      route(app, taskListCall, deps, async ({ query, principal }) => {
        const { cursor, limit } = query;
        if (await seesNone(principal)) return { records: [], total: 0, cursor, limit };
        const now = new Date(clock.now()).toISOString();
        const [{ rows }, lasts] = await Promise.all([
          db.execute<TaskRow>(sql`SELECT id, paused, ${isoTime("next_at")} AS "nextTime",
            coalesce(running_until >= ${now}::timestamptz, false) AS running FROM tasks`),
          runs(
            sql`WHERE r.id IN (SELECT (SELECT max(l.id) FROM task_runs l WHERE l.task_id = t.id) FROM tasks t)`,
            sql``,
          ),
        ]);
        const all = tasks.list().flatMap(({ id, every }) => {
          const row = rows.find((one) => one.id === id);
          if (row === undefined) return [];
          const { paused, running, nextTime } = row;
          const last = lasts.find(({ task }) => task === id) ?? null;
          return [{ id, every, paused, running, nextTime: paused ? null : nextTime, last }];
        });
        const records = all.slice((cursor - 1) * limit, cursor * limit);
        return { records, total: all.length, cursor, limit };
      });

      route(app, taskRunsCall, deps, async ({ query, principal }) => {
        const { cursor, limit, searchCount, task, success } = query;
        if (await seesNone(principal)) return { records: [], total: 0, cursor, limit };
        const where = sql`WHERE true ${allOf(
          task === undefined ? undefined : sql`r.task_id = ${task}`,
          success === undefined
            ? undefined
            : sql`(r.removed IS NOT NULL) = ${success === "true"}::boolean`,
        )}`;
        const records = await runs(
          where,
          sql`ORDER BY r.id DESC LIMIT ${limit} OFFSET ${(cursor - 1) * limit}`,
        );
        const counted = searchCount
          ? await db.execute<{ total: number }>(
              sql`SELECT count(*)::int AS total ${FROM_RUNS} ${where}`,
            )
          : null;
        return { records, total: counted?.rows[0]?.total ?? 0, cursor, limit };
      });

      route(app, taskRunCall, deps, async ({ params, principal }) => {
        const company = await requirePlatform(principal);
        const run = await tasks.runNow(params.id, principal.accountId);
        await auditCompany(db, company, principal, {
          action: "run",
          entity: "task",
          entityId: params.id,
        });
        const [row] = await runs(sql`WHERE r.id = ${run}::bigint`, sql``);
        if (row === undefined) throw new AppError("request.not-found");
        return row;
      });

      route(app, taskPauseCall, deps, async ({ params, body, principal }) => {
        const company = await requirePlatform(principal);
        const { paused } = body;
        await db.transaction(async (tx) => {
          const { rows } = await tx.execute(
            sql`UPDATE tasks SET paused = ${paused} WHERE id = ${params.id} AND paused <> ${paused} RETURNING id`,
          );
          if (rows.length === 0) return;
          const change = { entity: "task", entityId: params.id };
          await auditCompany(
            tx,
            company,
            principal,
            paused ? { ...change, action: "pause" } : { ...change, action: "resume" },
          );
        });
        return null;
      });
    },
    start: () => tasks.start(),
    stop: () => tasks.stop(),
  };
}
