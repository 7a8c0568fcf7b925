/**
 * Ends of logins that this process did not hear of, because messages between the processes were lost (docs/server.md#end-of-access).
 * Once they arrive again, the logins that are open here are looked up in the database, all by one query.
 */
import type { Logger } from "pino";
import { type AccessEnd, loginEndSchema } from "../../base/cluster/access.ts";
import { AGAIN } from "../../base/cluster/bus.ts";
import type { Bus, Clock } from "../../base/module.ts";
import type { AccountStore } from "./store.ts";

/** ms until the next attempt, when the database is away too. */
const RETRY_MS = 2000;

export interface MissedEnds {
  /** @param open the logins of which something is open here @returns a function that ends it */
  add(handler: (end: AccessEnd) => void, open: () => Iterable<string>): () => void;
  /** Idempotent. */
  stop(): void;
}

export function createMissedEnds(deps: {
  readonly store: Pick<AccountStore, "endedOf">;
  readonly bus: Pick<Bus, "subscribe">;
  readonly clock: Clock;
  readonly log: Logger;
}): MissedEnds {
  const { clock, log } = deps;
  const all = new Set<{ handler: (end: AccessEnd) => void; open: () => Iterable<string> }>();
  let running: Promise<void> | null = null;
  /** Messages were lost again while the database was asked. */
  let once = false;
  let retry: { cancel(): void } | null = null;
  let stopped = false;

  async function look(): Promise<void> {
    const open = new Set([...all].flatMap((each) => [...each.open()]));
    if (open.size === 0) return;
    const ended = await deps.store.endedOf([...open]);
    for (const { id: sessionId, accountId, disabled, reason } of ended) {
      const why = disabled ? "disabled" : loginEndSchema.catch("signed-out").parse(reason);
      for (const { handler } of all) handler({ of: "login", accountId, sessionId, why });
    }
    if (ended.length > 0) log.info({ ended: ended.length }, "closed logins that ended unheard");
  }

  function begin(): void {
    if (stopped) return;
    once = true;
    retry?.cancel();
    retry = null;
    running ??= run().finally(() => {
      running = null;
    });
  }

  async function run(): Promise<void> {
    while (once) {
      once = false;
      try {
        await look();
      } catch (error) {
        log.error({ err: error }, "logins that ended unheard may still be open");
        if (!stopped) retry = clock.setTimeout(begin, RETRY_MS);
      }
    }
  }

  const stopListening = deps.bus.subscribe(AGAIN, begin);
  return {
    add(handler, open) {
      const each = { handler, open };
      all.add(each);
      return () => void all.delete(each);
    },
    stop() {
      stopped = true;
      once = false;
      stopListening();
      retry?.cancel();
    },
  };
}
