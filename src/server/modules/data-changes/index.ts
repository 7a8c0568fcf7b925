/**
 * Tells every server process which data changed, after each successful call that touches some (docs/session.md#live-data). The chat
 * gateway of each process passes it on to the people who are connected there.
 */
import { DATA_CHANGES, type DataChanges } from "../../base/cluster/data-changes.ts";
import type { Clock, ServerDeps, ServerModule } from "../../base/module.ts";
import type { DataTag } from "../../../shared/protocol/data-tags.ts";

/** ms between two messages about one company. */
export const GAP_MS = 250;

/** What one call changed. */
interface Change {
  readonly supplierId: string | null;
  /** Account of the one person whose data changed; null: the data belong to the whole company. */
  readonly only: string | null;
  readonly tags: readonly DataTag[];
  readonly sessionId: string;
}

/** Sends the first change of a company, or of one person in it, at once, and what follows within the gap together at its end. */
export function createCoalescer(deps: {
  readonly clock: Pick<Clock, "setTimeout">;
  readonly publish: (changes: DataChanges) => void;
}): {
  add(change: Change): void;
  stop(): void;
} {
  interface Pending {
    readonly tags: Set<DataTag>;
    readonly sessions: Set<string>;
    timer: { cancel(): void };
  }
  type Audience = Pick<Change, "supplierId" | "only">;
  const waiting = new Map<string, Pending>();
  const keyOf = ({ supplierId, only }: Audience): string => JSON.stringify([supplierId, only]);
  const send = (
    { supplierId, only }: Audience,
    tags: Iterable<DataTag>,
    sessions: ReadonlySet<string>,
  ): void => {
    const [single = null] = sessions;
    deps.publish({
      supplierId,
      tags: [...tags].toSorted(),
      only,
      except: sessions.size > 1 ? null : single,
    });
  };
  const wait = (audience: Audience): void => {
    const pending: Pending = {
      tags: new Set(),
      sessions: new Set(),
      timer: deps.clock.setTimeout(() => {
        waiting.delete(keyOf(audience));
        if (pending.tags.size === 0) return;
        send(audience, pending.tags, pending.sessions);
        wait(audience);
      }, GAP_MS),
    };
    waiting.set(keyOf(audience), pending);
  };
  return {
    add({ tags, sessionId, ...audience }) {
      const pending = waiting.get(keyOf(audience));
      if (pending === undefined) {
        send(audience, tags, new Set([sessionId]));
        wait(audience);
        return;
      }
      for (const tag of tags) pending.tags.add(tag);
      pending.sessions.add(sessionId);
    },
    stop() {
      for (const { timer } of waiting.values()) timer.cancel();
      waiting.clear();
    },
  };
}

/** Comes before the modules whose calls it observes. */
export function createDataChangesModule(
  deps: Pick<ServerDeps, "bus" | "clock" | "log">,
): ServerModule {
  const coalescer = createCoalescer({
    clock: deps.clock,
    publish(changes) {
      deps.bus.publish(DATA_CHANGES, changes).catch((error: unknown) => {
        deps.log.error({ err: error }, "a change of data was not published");
      });
    },
  });
  return {
    name: "data-changes",
    routes(app) {
      app.use(async (c, next) => {
        await next();
        const { call, principal } = c.var;
        if (call?.touches === undefined || c.error !== undefined || !c.res.ok) return;
        coalescer.add({
          supplierId: principal.supplierId,
          only: call.personal === true ? principal.accountId : null,
          tags: call.touches,
          sessionId: principal.sessionId,
        });
      });
    },
    stop() {
      coalescer.stop();
      return Promise.resolve();
    },
  };
}
