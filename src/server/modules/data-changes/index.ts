/**
 * Tells every server process which data changed, after each successful call that touches some (docs/session.md#live-data). The chat
 * gateway of each process passes it on to the people who are connected there.
 */
import { DATA_CHANGES, type DataChanges } from "../../base/cluster/data-changes.ts";
import type { Clock, ServerDeps, ServerModule } from "../../base/module.ts";
import type { DataTag } from "../../../shared/protocol/data-tags.ts";

/** ms between two messages about one company. */
export const GAP_MS = 250;

/** Sends the first change of a company at once, and what follows within the gap together at its end. */
export function createCoalescer(deps: {
  readonly clock: Pick<Clock, "setTimeout">;
  readonly publish: (changes: DataChanges) => void;
}): {
  add(supplierId: string | null, tags: readonly DataTag[], sessionId: string): void;
  stop(): void;
} {
  interface Pending {
    readonly tags: Set<DataTag>;
    readonly sessions: Set<string>;
    timer: { cancel(): void };
  }
  const companies = new Map<string | null, Pending>();
  const send = (
    supplierId: string | null,
    tags: Iterable<DataTag>,
    sessions: ReadonlySet<string>,
  ): void => {
    const [only = null] = sessions;
    deps.publish({
      supplierId,
      tags: [...tags].toSorted(),
      except: sessions.size > 1 ? null : only,
    });
  };
  const wait = (supplierId: string | null): void => {
    const pending: Pending = {
      tags: new Set(),
      sessions: new Set(),
      timer: deps.clock.setTimeout(() => {
        companies.delete(supplierId);
        if (pending.tags.size === 0) return;
        send(supplierId, pending.tags, pending.sessions);
        wait(supplierId);
      }, GAP_MS),
    };
    companies.set(supplierId, pending);
  };
  return {
    add(supplierId, tags, sessionId) {
      const pending = companies.get(supplierId);
      if (pending === undefined) {
        send(supplierId, tags, new Set([sessionId]));
        wait(supplierId);
        return;
      }
      for (const tag of tags) pending.tags.add(tag);
      pending.sessions.add(sessionId);
    },
    stop() {
      for (const { timer } of companies.values()) timer.cancel();
      companies.clear();
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
        coalescer.add(principal.supplierId, call.touches, principal.sessionId);
      });
    },
    stop() {
      coalescer.stop();
      return Promise.resolve();
    },
  };
}
