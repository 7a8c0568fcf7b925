/** One look at a core is one record, although a page that shows it reads it again and again (docs/server.md#reports-of-cores). */
import type { Clock } from "../../base/module.ts";

/** ms without a read after which the next one is another look. */
const LOOK_MS = 60_000;
/** Looks that are remembered; more at a time only make more records. */
const MOST = 10_000;

export interface Looks {
  /** Somebody reads a core. @returns whether that is a new look */
  begins(sessionId: string, core: string): boolean;
  /** The look could not be recorded, so the next read is a new one. */
  forget(sessionId: string, core: string): void;
}

export function createLooks(clock: Pick<Clock, "now">): Looks {
  const lastRead = new Map<string, number>();
  const key = (sessionId: string, core: string): string => `${sessionId} ${core}`;
  return {
    begins(sessionId, core) {
      const now = clock.now();
      if (lastRead.size >= MOST) {
        for (const [look, at] of lastRead) if (at + LOOK_MS <= now) lastRead.delete(look);
        if (lastRead.size >= MOST) lastRead.clear();
      }
      const before = lastRead.get(key(sessionId, core));
      lastRead.set(key(sessionId, core), now);
      return before === undefined || before + LOOK_MS <= now;
    },
    forget: (sessionId, core) => void lastRead.delete(key(sessionId, core)),
  };
}
