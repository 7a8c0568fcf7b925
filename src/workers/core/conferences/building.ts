/**
 * How many subscriptions are built at once (docs/conferences.md#connections). Thirty handshakes at the same time keep a machine busy for
 * longer than a connection may take to come up; then all are built again, and none ever comes up.
 */
import type { Connection } from "./connection.ts";

export interface Building {
  /** Runs when there is a place: at once, or when another connection leaves. A published stream needs none. */
  enter(one: Connection, begin: () => void): void;
  /** Idempotent. */
  leave(one: Connection): void;
  /** Whether it waits for a place. */
  waits(one: Connection): boolean;
}

/** @param most subscriptions at once */
export function createBuilding(most: number): Building {
  const inside = new Set<Connection>();
  const waiting = new Map<Connection, () => void>();
  const next = (): void => {
    while (inside.size < most) {
      const first = waiting.entries().next().value;
      if (first === undefined) return;
      const [one, begin] = first;
      waiting.delete(one);
      inside.add(one);
      begin();
    }
  };
  return {
    enter(one, begin) {
      if (one.wish.kind === "pub") return begin();
      waiting.set(one, begin);
      next();
    },
    leave(one) {
      waiting.delete(one);
      if (inside.delete(one)) next();
    },
    waits: (one) => waiting.has(one),
  };
}
