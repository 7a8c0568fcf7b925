/** What modules see of the tasks that the platform runs at intervals (docs/server.md#tasks). */
import type { TaskId } from "../../../shared/protocol/rest/tasks.ts";

export interface PeriodicTask {
  readonly id: TaskId;
  /** ms from one run to the next. */
  readonly every: number;
  /** @returns how many rows or files it removed */
  readonly run: () => Promise<number>;
}

export interface Tasks {
  /** Modules add their tasks before the start. */
  add(task: PeriodicTask): void;
  list(): readonly PeriodicTask[];
  /**
   * Runs a task now, also a paused one.
   *
   * @returns id of the run
   * @throws AppError request.conflict while it runs, request.not-found for an unknown one
   */
  runNow(id: TaskId, accountId: string): Promise<string>;
  /** Looks at once, without waiting for the runs. */
  start(): Promise<void>;
  /** Waits for the run that is under way. */
  stop(): Promise<void>;
}
