/** Rows on their way to the database. While it is away they wait, and a row that comes again replaces the one that waits. */
import type { Logger } from "pino";
import type { RollupRow } from "./rollup.ts";
import type { FleetStore } from "./store.ts";

/** Rows that may wait. Of more, those of 10 s go, the oldest first: minutes and hours have their figures too. */
const WAITING_MAX = 5_000;

export interface Writing {
  add(rows: readonly RollupRow[]): void;
  /** Writes what waits. What cannot be written goes on waiting. */
  flush(): Promise<void>;
}

export function createWriting(deps: {
  readonly store: Pick<FleetStore, "write">;
  readonly writer: string;
  readonly log: Pick<Logger, "error" | "warn">;
}): Writing {
  const { store, writer, log } = deps;
  const waiting = new Map<string, RollupRow>();
  let running: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const rows = [...waiting];
    if (rows.length === 0) return;
    try {
      await store.write(
        writer,
        rows.map(([, row]) => row),
      );
      // A row that came again meanwhile is another object, and is written next time.
      for (const [key, row] of rows) if (waiting.get(key) === row) waiting.delete(key);
    } catch (error) {
      log.error({ err: error, rows: rows.length }, "figures of the fleet could not be stored");
    }
  }

  return {
    add(rows) {
      for (const row of rows) waiting.set(`${row.companyId} ${row.seconds} ${row.at}`, row);
      let over = waiting.size - WAITING_MAX;
      if (over > 0) log.warn({ rows: over }, "figures of 10 s are left out, since too many wait");
      for (const [key, { seconds }] of waiting) {
        if (over <= 0) break;
        if (seconds !== 10) continue;
        waiting.delete(key);
        over -= 1;
      }
    },
    flush() {
      running = running.then(write);
      return running;
    },
  };
}
