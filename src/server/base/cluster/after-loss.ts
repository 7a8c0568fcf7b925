/**
 * What a process looks up after messages between the processes were lost (bus.ts, AGAIN), as lost messages are not sent again. One look runs at
 * a time. Another one follows when messages were lost meanwhile, and RETRY_MS after one that failed.
 */
import type { Logger } from "pino";
import type { Bus, Clock } from "../module.ts";
import { AGAIN } from "./bus.ts";

/** ms until the next attempt, when the database is away too. */
const RETRY_MS = 2000;

export interface AfterLoss {
  /** Looks now, for whatever else may have been missed. */
  begin(): void;
  /** Idempotent. Waits for a running look. */
  stop(): Promise<void>;
}

/**
 * @param deps.look asks the database, and ends what has ended
 * @param deps.failed what the log says of a look that failed
 */
export function createAfterLoss(deps: {
  readonly bus: Pick<Bus, "subscribe">;
  readonly clock: Pick<Clock, "setTimeout">;
  readonly log: Logger;
  readonly look: () => Promise<void>;
  readonly failed: string;
}): AfterLoss {
  let running: Promise<void> | null = null;
  /** A look is due: nothing has been looked up since the last loss. */
  let due = false;
  let retry: { cancel(): void } | null = null;
  let stopped = false;

  function begin(): void {
    if (stopped) return;
    due = true;
    retry?.cancel();
    retry = null;
    running ??= run().finally(() => {
      running = null;
    });
  }

  async function run(): Promise<void> {
    while (due) {
      due = false;
      try {
        await deps.look();
      } catch (error) {
        deps.log.error({ err: error }, deps.failed);
        if (!stopped) retry = deps.clock.setTimeout(begin, RETRY_MS);
      }
    }
  }

  const stopListening = deps.bus.subscribe(AGAIN, begin);
  return {
    begin,
    async stop() {
      stopped = true;
      due = false;
      stopListening();
      retry?.cancel();
      await running;
    },
  };
}
