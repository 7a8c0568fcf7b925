/**
 * Ends of logins that this process did not hear of, because messages between the processes were lost (docs/server.md#end-of-access).
 * Once they arrive again, the logins that are open here are looked up in the database, all by one query.
 */
import type { Logger } from "pino";
import { type AccessEnd, loginEndSchema } from "../../base/cluster/access.ts";
import { createAfterLoss } from "../../base/cluster/after-loss.ts";
import type { Bus, Clock } from "../../base/module.ts";
import type { AccountStore } from "./store.ts";

export interface MissedEnds {
  /** @param open the logins of which something is open here @returns a function that ends it */
  add(handler: (end: AccessEnd) => void, open: () => Iterable<string>): () => void;
  /** Idempotent. */
  stop(): Promise<void>;
}

export function createMissedEnds(deps: {
  readonly store: Pick<AccountStore, "endedOf">;
  readonly bus: Pick<Bus, "subscribe">;
  readonly clock: Clock;
  readonly log: Logger;
}): MissedEnds {
  const all = new Set<{ handler: (end: AccessEnd) => void; open: () => Iterable<string> }>();

  async function look(): Promise<void> {
    const open = new Set([...all].flatMap((each) => [...each.open()]));
    if (open.size === 0) return;
    const ended = await deps.store.endedOf([...open]);
    for (const { id: sessionId, accountId, disabled, reason } of ended) {
      const why = disabled ? "disabled" : loginEndSchema.catch("signed-out").parse(reason);
      for (const { handler } of all) handler({ of: "login", accountId, sessionId, why });
    }
    if (ended.length > 0) {
      deps.log.info({ ended: ended.length }, "closed logins that ended unheard");
    }
  }

  const afterLoss = createAfterLoss({
    ...deps,
    look,
    failed: "logins that ended unheard may still be open",
  });
  return {
    add(handler, open) {
      const each = { handler, open };
      all.add(each);
      return () => void all.delete(each);
    },
    stop: afterLoss.stop,
  };
}
