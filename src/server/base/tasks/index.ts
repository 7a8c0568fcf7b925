/**
 * Runs the tasks of the modules at intervals (docs/server.md#tasks). The database says when a task is due and who runs it, so that
 * one of several processes does, and a restart does not begin it again.
 */
import { and, eq, inArray, isNotNull, isNull, lt, lte, or, type SQL } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import type { Logger } from "pino";
import { AppError } from "../../../shared/errors.ts";
import type { TaskId } from "../../../shared/protocol/rest/tasks.ts";
import { taskRuns, tasks } from "../database/schema/tasks.ts";
import type { Clock } from "../module.ts";
import type { PeriodicTask, Tasks } from "./contracts.ts";

/** ms between two looks at what is due. */
const LOOK_MS = 60_000;
/** ms after which a run that its process has not confirmed counts as lost. Each look confirms. */
export const LOST_MS = 3 * LOOK_MS;
/** ms for which runs are kept. */
export const RUNS_KEPT_MS = 30 * 24 * 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
const ERROR_MAX = 500;

export interface TasksDeps {
  readonly db: NodePgDatabase;
  readonly clock: Clock;
  readonly log: Pick<Logger, "error" | "info">;
}

export function createTasks({ db, clock, log }: TasksDeps): Tasks {
  const known = new Map<TaskId, PeriodicTask>();
  const running = new Set<Promise<unknown>>();
  /** What this process runs. */
  const claimed = new Set<TaskId>();
  let timer: { cancel(): void } | null = null;
  let looking = false;
  let again = false;
  let stopped = false;

  const track = <T>(work: Promise<T>): Promise<T> => {
    const settled: Promise<unknown> = work
      .catch(() => undefined)
      .finally(() => running.delete(settled));
    running.add(settled);
    return work;
  };
  /** Nobody runs it now. */
  const isFree = (now: number): SQL | undefined =>
    or(isNull(tasks.runningUntil), lt(tasks.runningUntil, new Date(now)));
  const isDue = (now: number): SQL | undefined =>
    and(eq(tasks.paused, false), lte(tasks.nextAt, new Date(now)));

  /** @returns whether this process may run it */
  async function claim({ id, every }: PeriodicTask, due: SQL | undefined): Promise<boolean> {
    const now = clock.now();
    const rows = await db
      .update(tasks)
      .set({ runningUntil: new Date(now + LOST_MS), nextAt: new Date(now + every) })
      .where(and(eq(tasks.id, id), isFree(now), due))
      .returning({ id: tasks.id });
    if (rows.length > 0) claimed.add(id);
    return rows.length > 0;
  }

  /** The runs of this process go on. */
  async function confirm(): Promise<void> {
    const ids = [...claimed];
    if (ids.length === 0) return;
    await db
      .update(tasks)
      .set({ runningUntil: new Date(clock.now() + LOST_MS) })
      .where(and(inArray(tasks.id, ids), isNotNull(tasks.runningUntil)));
  }

  async function execute(task: PeriodicTask, accountId: string | null): Promise<string> {
    const startedAt = clock.now();
    let removed: number | null = null;
    let error = "";
    try {
      removed = await task.run();
    } catch (thrown) {
      log.error({ err: thrown, task: task.id }, "a task failed");
      error = (thrown instanceof Error ? thrown.message : String(thrown)).slice(0, ERROR_MAX);
    }
    claimed.delete(task.id);
    if ((removed ?? 0) > 0) log.info({ task: task.id, removed }, "a task removed what was old");
    return db.transaction(async (tx) => {
      await tx.update(tasks).set({ runningUntil: null }).where(eq(tasks.id, task.id));
      const [row] = await tx
        .insert(taskRuns)
        .values({
          taskId: task.id,
          accountId,
          startedAt: new Date(startedAt),
          tookMs: clock.now() - startedAt,
          removed,
          error: error.replaceAll("\0", ""),
        })
        .returning({ id: taskRuns.id });
      return row?.id ?? "";
    });
  }

  async function runDue(): Promise<void> {
    const now = clock.now();
    const due = await db
      .select({ id: tasks.id })
      .from(tasks)
      .where(and(inArray(tasks.id, [...known.keys()]), isFree(now), isDue(now)));
    for (const { id } of due) {
      const task = known.get(id);
      if (stopped || task === undefined) continue;
      if (await claim(task, isDue(clock.now()))) await execute(task, null);
    }
  }

  /** A look that comes during another one follows it. */
  function look(): void {
    if (stopped) return;
    timer = clock.setTimeout(look, LOOK_MS);
    void track(
      confirm().catch((error: unknown) => log.error({ err: error }, "runs were not confirmed")),
    );
    if (looking) {
      again = true;
      return;
    }
    looking = true;
    void track(
      runDue().catch((error: unknown) => log.error({ err: error }, "tasks could not be looked at")),
    ).then(() => {
      looking = false;
      if (!again || stopped) return;
      again = false;
      timer?.cancel();
      look();
    });
  }

  const tasksOf: Tasks = {
    add(task) {
      known.set(task.id, task);
    },
    list: () => [...known.values()],
    async runNow(id, accountId) {
      const task = known.get(id);
      if (task === undefined || stopped) throw new AppError("request.not-found");
      if (!(await claim(task, undefined))) {
        throw new AppError("request.conflict", { message: "任务正在执行，请稍后再试" });
      }
      return track(execute(task, accountId));
    },
    async start() {
      const now = new Date(clock.now());
      const rows = [...known.keys()].map((id) => ({ id, nextAt: now }));
      if (rows.length > 0) await db.insert(tasks).values(rows).onConflictDoNothing();
      look();
    },
    async stop() {
      stopped = true;
      timer?.cancel();
      await Promise.all(running);
    },
  };
  tasksOf.add({
    id: "task-runs",
    every: DAY_MS,
    run: () =>
      countOf(
        db.delete(taskRuns).where(lt(taskRuns.startedAt, new Date(clock.now() - RUNS_KEPT_MS))),
      ),
  });
  return tasksOf;
}

/** @returns how many rows the statement changed */
export const countOf = async (
  statement: PromiseLike<{ readonly rowCount: number | null }>,
): Promise<number> => (await statement).rowCount ?? 0;
