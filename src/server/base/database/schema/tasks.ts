/** See 0191_tasks.sql. */
import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import type { TaskId } from "../../../../shared/protocol/rest/tasks.ts";
import { idColumn } from "../ids.ts";

export const tasks = pgTable("tasks", {
  id: text("id").$type<TaskId>().primaryKey(),
  paused: boolean("paused").notNull().default(false),
  nextAt: timestamp("next_at", { withTimezone: true }).notNull(),
  runningUntil: timestamp("running_until", { withTimezone: true }),
});

export const taskRuns = pgTable(
  "task_runs",
  {
    id: idColumn("id")
      .primaryKey()
      .default(sql`default`),
    taskId: text("task_id").$type<TaskId>().notNull(),
    accountId: idColumn("account_id"),
    startedAt: timestamp("started_at", { withTimezone: true }).notNull(),
    tookMs: integer("took_ms").notNull(),
    removed: integer("removed"),
    error: text("error").notNull().default(""),
  },
  (t) => [
    index("task_runs_task").on(t.taskId, t.id.desc()),
    index("task_runs_started").on(t.startedAt),
  ],
);
