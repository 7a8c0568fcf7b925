/**
 * Group commit: messages that arrive while a transaction runs go into the next one together. First in, first out, so each
 * sender's order is kept.
 */
import type { Clock } from "../../base/module.ts";
import type { Outgoing, Written } from "./records.ts";
import type { ChatStore } from "./store.ts";

const BATCH = 100;

export interface Writer {
  /**
   * Resolves after the commit.
   *
   * @throws the database's error
   */
  write(outgoing: Outgoing): Promise<Written>;
  /** Resolves when all messages passed to `write` are settled. */
  drain(): Promise<void>;
}

interface Job {
  readonly outgoing: Outgoing;
  readonly id: bigint;
  readonly sentAt: number;
  readonly resolve: (written: Written) => void;
  readonly reject: (error: unknown) => void;
}

/** @param deps.onCommitted delivers the messages; called after the senders' promises resolved */
export function createWriter(deps: {
  store: Pick<ChatStore, "writeBatch">;
  clock: Clock;
  nextId: () => bigint;
  onCommitted: (written: readonly Written[]) => void;
}): Writer {
  const waiting: Job[] = [];
  let running: Promise<void> | null = null;

  async function commit(jobs: readonly Job[]): Promise<void> {
    let written: Written[];
    try {
      written = await deps.store.writeBatch(jobs);
    } catch (error) {
      if (jobs.length === 1) {
        jobs[0]?.reject(error);
        return;
      }
      // Commit one by one, so that one bad message does not fail the others.
      for (const job of jobs) await commit([job]);
      return;
    }
    written.forEach((w, i) => jobs[i]?.resolve(w));
    deps.onCommitted(written);
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) await commit(waiting.splice(0, BATCH));
    running = null;
  }

  return {
    write(outgoing) {
      return new Promise((resolve, reject) => {
        waiting.push({
          outgoing,
          id: deps.nextId(),
          sentAt: deps.clock.now(),
          resolve,
          reject,
        });
        running ??= run();
      });
    },
    async drain() {
      if (running !== null) await running;
    },
  };
}
