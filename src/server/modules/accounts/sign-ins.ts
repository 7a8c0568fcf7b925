/** The log of attempts to log in (docs/server.md#logs). It holds no password, and no name that is not an account's. */
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { lt } from "drizzle-orm";
import type { Logger } from "pino";
import { countOf } from "../../base/tasks/index.ts";
import { signIns } from "../../base/database/schema/base.ts";

/** Most characters of a browser's name for itself that are kept. */
export const AGENT_MAX = 300;
/** ms for which an attempt is kept. */
export const KEPT_MS = 180 * 24 * 60 * 60_000;

export type SignIn = Omit<typeof signIns.$inferSelect, "id">;

export interface SignIns {
  /**
   * Writes the attempt without anybody waiting for it: the answer to a wrong password must not take longer for an account that
   * exists, and a login must not fail because of its log.
   */
  add(attempt: SignIn): void;
  /** @returns how many attempts it removed */
  sweep(now: number): Promise<number>;
  /** Resolves when everything is written. */
  settled(): Promise<void>;
}

export function createSignIns(db: NodePgDatabase, log: Pick<Logger, "error">): SignIns {
  const writing = new Set<Promise<void>>();
  return {
    add(attempt) {
      const write = db
        .insert(signIns)
        .values(attempt)
        .then(
          () => undefined,
          (error: unknown) => log.error({ err: error }, "an attempt to log in was not recorded"),
        )
        .finally(() => writing.delete(write));
      writing.add(write);
    },
    sweep: (now) =>
      countOf(db.delete(signIns).where(lt(signIns.createdAt, new Date(now - KEPT_MS)))),
    async settled() {
      await Promise.all(writing);
    },
  };
}
