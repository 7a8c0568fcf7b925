/**
 * The errors of pages and worker on their way to the server (docs/session.md#error-log): kept in storage until the server has them, so
 * that an error of an outage arrives after it.
 */
import { z } from "../../../shared/zod.ts";
import {
  type ErrorText,
  plainMessage,
  plainPath,
  plainStack,
} from "../../../shared/domain/client-errors.ts";
import { passes } from "../../../shared/domain/retries.ts";
import { AppError } from "../../../shared/errors.ts";
import {
  ERRORS_AT_ONCE,
  errorReportCall,
  type ErrorSource,
  errorSourceSchema,
} from "../../../shared/protocol/rest/client-errors.ts";
import type { CoreEnv, Http, Session, Timer } from "../contracts.ts";
import { createReadOnce } from "../read-once.ts";

const STORAGE_KEY = "errors.queue";
/** Most errors that wait; the oldest ones go. */
const KEPT = 50;
/** ms for which errors are collected before they are sent. */
const COLLECT_MS = 2_000;
/** ms between attempts; the last value repeats. */
const RETRY_MS = [10_000, 60_000, 300_000] as const;
/** ms that an error may wait; the server takes no older ones. */
const OLDEST_MS = 20 * 86_400_000;

const entrySchema = z.object({
  key: z.string(),
  /** Whose console it was, and where; null: nobody was logged in yet. */
  accountId: z.string().nullable(),
  supplierId: z.string().nullable(),
  source: errorSourceSchema,
  message: z.string(),
  stack: z.string(),
  path: z.string(),
  build: z.string(),
  count: z.number().int(),
  /** ms since the epoch, by this machine's clock */
  at: z.number(),
});
type Entry = z.infer<typeof entrySchema>;

export interface ClientErrors {
  /** @param path of the page that was shown */
  add(source: ErrorSource, error: ErrorText, path: string): void;
  /** Idempotent. */
  stop(): void;
}

export function createClientErrors(deps: {
  readonly env: Pick<CoreEnv, "clock" | "kv" | "newId" | "build" | "online" | "log">;
  readonly http: Pick<Http, "call">;
  readonly session: Pick<Session, "user" | "onUser">;
}): ClientErrors {
  const { clock, kv, newId, build, online } = deps.env;
  let queue: Entry[] = [];
  /** Keys of errors that the server may have: it counts each of them once, so what happens again is an error of its own. */
  const tried = new Set<string>();
  let timer: Timer | null = null;
  let tries = 0;
  let running = false;
  let stopped = false;

  const load = createReadOnce(kv, STORAGE_KEY, (stored) => {
    const parsed = z.array(entrySchema).safeParse(stored);
    if (parsed.success) queue = [...parsed.data, ...queue].slice(-KEPT);
  });
  const save = async (): Promise<void> => {
    try {
      // What could not be read is not overwritten.
      if (!(await load())) throw new Error("the storage could not be read");
      if (queue.length === 0) await kv.del(STORAGE_KEY);
      else await kv.set(STORAGE_KEY, queue);
    } catch {
      deps.env.log("errors", "error", "the storage could not be written");
    }
  };
  const drop = (gone: readonly Entry[]): Promise<void> => {
    queue = queue.filter((entry) => !gone.includes(entry));
    return save();
  };

  /** The next errors of one company that the person who is logged in may send. */
  const due = (): { readonly supplierId: string; readonly entries: Entry[] } | null => {
    const user = deps.session.user();
    if (user === null || stopped) return null;
    const sendable = queue
      .filter(({ accountId }) => accountId === null || accountId === user.accountId)
      .flatMap((entry) => {
        const at = entry.supplierId ?? user.supplierId;
        return at === null ? [] : [{ at, entry }];
      });
    const supplierId = sendable[0]?.at;
    if (supplierId === undefined) return null;
    const entries = sendable.filter(({ at }) => at === supplierId).map(({ entry }) => entry);
    return { supplierId, entries: entries.slice(0, ERRORS_AT_ONCE) };
  };

  const sendAll = async (): Promise<void> => {
    await drop(queue.filter(({ at }) => at < clock.now() - OLDEST_MS));
    for (let next = due(); next !== null; next = due()) {
      const { supplierId, entries } = next;
      for (const { key } of entries) tried.add(key);
      const errors = entries.map((entry) => ({
        key: entry.key,
        source: entry.source,
        message: entry.message,
        stack: entry.stack,
        path: entry.path,
        build: entry.build,
        count: entry.count,
        age: Math.max(0, Math.round(clock.now() - entry.at)),
      }));
      try {
        await deps.http.call(errorReportCall, { body: { errors } }, { supplierId });
      } catch (thrown) {
        const error = AppError.from(thrown);
        if (error.code === "auth.required") return;
        if (passes(error, false) || error.code === "request.rate-limited") {
          const wait = RETRY_MS[Math.min(tries, RETRY_MS.length - 1)] ?? COLLECT_MS;
          tries += 1;
          return sendAfter(wait);
        }
        // The platform does not take them: an older one without the call, or a company that the person has left.
      }
      tries = 0;
      for (const { key } of entries) tried.delete(key);
      await drop(entries);
    }
  };
  function send(): void {
    timer?.cancel();
    timer = null;
    if (running || stopped || !online.online) return;
    running = true;
    void sendAll().finally(() => {
      running = false;
    });
  }
  function sendAfter(ms: number): void {
    if (stopped) return;
    timer ??= clock.after(ms, send);
  }

  void load().then(() => sendAfter(COLLECT_MS));
  const ends = [
    online.onChange((now) => {
      if (now) send();
    }),
    deps.session.onUser((user) => {
      if (user !== null) sendAfter(COLLECT_MS);
    }),
  ];

  return {
    add(source, error, path) {
      const user = deps.session.user();
      const facts = {
        accountId: user?.accountId ?? null,
        supplierId: user?.supplierId ?? null,
        source,
        message: plainMessage(error.message) || "?",
        stack: plainStack(error.stack),
        path: plainPath(path),
        build,
      };
      const same = queue.find(
        (entry) =>
          !tried.has(entry.key) &&
          Object.entries(facts).every(([name, value]) => entry[name as keyof Entry] === value),
      );
      if (same === undefined) {
        queue = [...queue, { ...facts, key: newId(), count: 1, at: clock.now() }].slice(-KEPT);
      } else {
        same.count = Math.min(100_000, same.count + 1);
        same.at = clock.now();
      }
      void save();
      sendAfter(COLLECT_MS);
    },
    stop() {
      stopped = true;
      timer?.cancel();
      for (const end of ends) end();
    },
  };
}
