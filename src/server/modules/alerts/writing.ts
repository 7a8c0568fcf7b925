/** Alerts on their way to the database. While it is away they wait; the latest of each alert is written (docs/server.md#alerts). */
import type { Logger } from "pino";
import type { AlertRecord } from "./contracts.ts";
import type { AlertStore, Saved } from "./store.ts";

export const WAITING_MAX = 1000;

/** Whether the database has read the row and refused it (SQLSTATE 22 and 23). It would refuse the row again later. */
function isRefused(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "string" && /^2[23]/.test(at.code)) return true;
  }
  return false;
}

export interface AlertWriting {
  add(record: AlertRecord): void;
  /** Writes everything that waits. A write that is under way goes on instead. */
  flush(): Promise<void>;
  readonly waiting: number;
}

export function createAlertWriting(deps: {
  readonly store: Pick<AlertStore, "save">;
  readonly log: Pick<Logger, "error" | "warn">;
  readonly onSaved: (record: AlertRecord, saved: Saved) => void;
}): AlertWriting {
  const { store, log } = deps;
  const waiting = new Map<string, AlertRecord>();
  let running: Promise<void> | null = null;

  async function write(): Promise<void> {
    for (const [key, record] of waiting) {
      try {
        const saved = await store.save(record);
        // An alert that changed meanwhile is another object, and this loop writes it as well.
        if (waiting.get(key) === record) waiting.delete(key);
        deps.onSaved(record, saved);
      } catch (error) {
        if (!isRefused(error)) {
          log.warn({ err: error, waiting: waiting.size }, "alerts could not be stored yet");
          return;
        }
        log.error({ err: error, rule: record.rule }, "an alert could not be stored");
        waiting.delete(key);
      }
    }
  }

  return {
    add(record) {
      waiting.delete(record.key);
      waiting.set(record.key, record);
      for (const key of waiting.keys()) {
        if (waiting.size <= WAITING_MAX) break;
        waiting.delete(key);
        log.error({ key }, "too many alerts wait for the database; the oldest is left out");
      }
    },
    flush() {
      running ??= write().finally(() => (running = null));
      return running;
    },
    get waiting() {
      return waiting.size;
    },
  };
}
