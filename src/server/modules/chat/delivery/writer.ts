/** Gives messages their ids and times and writes them in batches, so that each sender's order is kept. */
import { createBatches } from "../../../base/batches.ts";
import type { Clock } from "../../../base/module.ts";
import type { Outgoing, Written } from "../wire/records.ts";
import type { ChatStore } from "../store.ts";

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

/** @param deps.onCommitted delivers the messages; called after the senders' promises resolved. It must not throw */
export function createWriter(deps: {
  store: Pick<ChatStore, "writeBatch">;
  clock: Clock;
  nextId: () => bigint;
  onCommitted: (written: readonly Written[]) => void;
}): Writer {
  const batches = createBatches({
    work: deps.store.writeBatch,
    limit: BATCH,
    onDone: deps.onCommitted,
  });
  return {
    write: (outgoing) => batches.add({ outgoing, id: deps.nextId(), sentAt: deps.clock.now() }),
    drain: batches.drain,
  };
}
