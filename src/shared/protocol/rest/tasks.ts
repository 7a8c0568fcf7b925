/** Tasks that the platform runs at intervals (docs/server.md#tasks). Paths are RuoYi's. Only the platform's company has them. */
import { z } from "../../zod.ts";
import { defineCall, pageQuerySchema, pageSchema } from "./call.ts";
import { idSchema } from "./entities.ts";

export const TASK_IDS = [
  "sessions",
  "sign-ins",
  "client-errors",
  "fleet",
  "alerts",
  "quality",
  "files",
  "chat",
  "chat-files",
  "licences",
  "task-runs",
] as const;
const taskIdSchema = z.enum(TASK_IDS);
export type TaskId = z.infer<typeof taskIdSchema>;

const EDIT = { company: "required", permissions: ["platform:task:edit"] } as const;
const pages = pageQuerySchema.omit({ keyword: true });

const runSchema = z.object({
  id: idSchema,
  task: taskIdSchema,
  /** ISO 8601 */
  startTime: z.string(),
  /** ms */
  took: z.number().int(),
  success: z.boolean(),
  /** How many rows or files it removed; null: it failed. */
  removed: z.number().int().nullable(),
  error: z.string(),
  /** Who asked for it; empty when its time had come. */
  actorName: z.string(),
});
export type TaskRun = z.infer<typeof runSchema>;

const taskSchema = z.object({
  id: taskIdSchema,
  /** ms from one run to the next. */
  every: z.number().int(),
  paused: z.boolean(),
  running: z.boolean(),
  /** ISO 8601; null while it is paused. */
  nextTime: z.string().nullable(),
  last: runSchema.nullable(),
});

export const taskListCall = defineCall({
  id: "tasks.list",
  method: "GET",
  path: "/monitor/job/list",
  summary: "The platform's tasks with their last runs; to another company none",
  auth: "bearer",
  access: EDIT,
  shows: ["tasks"],
  page: true,
  query: pages,
  data: pageSchema(taskSchema),
});

export const taskRunsCall = defineCall({
  id: "tasks.runs",
  method: "GET",
  path: "/monitor/jobLog/list",
  summary: "A page of the runs of tasks, newest first; to another company than the platform's none",
  auth: "bearer",
  access: EDIT,
  shows: ["tasks"],
  page: true,
  query: pages.extend({
    task: taskIdSchema.optional(),
    success: z.enum(["true", "false"]).optional(),
  }),
  data: pageSchema(runSchema),
});

export const taskRunCall = defineCall({
  id: "tasks.run",
  method: "POST",
  path: "/monitor/job/{id}/run",
  summary: "Run a task now, also a paused one; answers when it has ended",
  auth: "bearer",
  access: EDIT,
  touches: ["tasks"],
  page: true,
  params: z.object({ id: taskIdSchema }),
  data: runSchema,
});

export const taskPauseCall = defineCall({
  id: "tasks.pause",
  method: "PUT",
  path: "/monitor/job/{id}",
  summary: "Pause a task, or resume it",
  auth: "bearer",
  access: EDIT,
  touches: ["tasks"],
  page: true,
  params: z.object({ id: taskIdSchema }),
  body: z.object({ paused: z.boolean() }),
});

export const taskCalls = {
  taskList: taskListCall,
  taskRuns: taskRunsCall,
  taskRun: taskRunCall,
  taskPause: taskPauseCall,
};
