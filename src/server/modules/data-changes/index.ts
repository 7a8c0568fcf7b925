/**
 * Tells every server process which data changed, after each successful call that touches some (docs/session.md#live-data). The chat
 * gateway of each process passes it on to the people who are connected there.
 */
import { DATA_CHANGES, type DataChanges } from "../../base/cluster/data-changes.ts";
import type { Clock, ServerDeps, ServerModule } from "../../base/module.ts";
import type { DataTag } from "../../../shared/protocol/data-tags.ts";

/** ms between two messages about one company. */
export const GAP_MS = 250;
/** ms between two messages about long works in one company. */
export const STEADY_GAP_MS = 2000;

/** What one call changed. */
interface Change {
  readonly supplierId: string | null;
  /** Account of the one person whose data changed; null: the data belong to the whole company. */
  readonly only: string | null;
  readonly tags: readonly DataTag[];
  /** The one record that changed, as `tag:id`; null: any. */
  readonly record: string | null;
  readonly steady: boolean;
  readonly sessionId: string;
}

/** The only records that the changes name, without those of a tag of which another change names none. */
function recordsOf(changes: readonly Change[]): string[] {
  const whole = new Set(
    changes.flatMap(({ tags, record }) =>
      tags.filter((tag) => record?.startsWith(`${tag}:`) !== true),
    ),
  );
  const named = new Set(changes.flatMap(({ record }) => record ?? []));
  return [...named]
    .filter((record) => !whole.has(record.slice(0, record.indexOf(":")) as DataTag))
    .toSorted();
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
    readonly changes: Change[];
    timer: { cancel(): void };
  }
  type Audience = Pick<Change, "supplierId" | "only" | "steady">;
  const waiting = new Map<string, Pending>();
  const keyOf = ({ supplierId, only, steady }: Audience): string =>
    JSON.stringify([supplierId, only, steady]);
  const send = ({ supplierId, only, steady }: Audience, changes: readonly Change[]): void => {
    const sessions = new Set(changes.map(({ sessionId }) => sessionId));
    const [single = null] = sessions;
    const records = recordsOf(changes);
    deps.publish({
      supplierId,
      tags: Array.from(new Set(changes.flatMap(({ tags }) => tags))).toSorted(),
      only,
      except: sessions.size > 1 ? null : single,
      ...(records.length > 0 ? { records } : {}),
      ...(steady ? { steady } : {}),
    });
  };
  const wait = (audience: Audience): void => {
    const pending: Pending = {
      changes: [],
      timer: deps.clock.setTimeout(
        () => {
          waiting.delete(keyOf(audience));
          if (pending.changes.length === 0) return;
          send(audience, pending.changes);
          wait(audience);
        },
        audience.steady ? STEADY_GAP_MS : GAP_MS,
      ),
    };
    waiting.set(keyOf(audience), pending);
  };
  return {
    add(change) {
      const pending = waiting.get(keyOf(change));
      if (pending === undefined) {
        send(change, [change]);
        wait(change);
        return;
      }
      pending.changes.push(change);
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
          record: c.var.record,
          steady: call.steady === true,
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
