/**
 * Reports ended calls to the server, which keeps the list of past calls (docs/calls.md#records). A report waits in storage until the
 * server has it, so that neither an outage nor the death of this core loses it.
 */
import { z } from "../../../shared/zod.ts";
import { AppError } from "../../../shared/errors.ts";
import { type CallReport, callReportCall } from "../../../shared/protocol/rest/call-records.ts";
import type { CoreEnv, Http, Session, Timer } from "../contracts.ts";
import { createReadOnce } from "../read-once.ts";
import type { ServerTime } from "../server-time.ts";

export const JOURNAL_KEY = "call.records";
/** Reports that wait at most; the oldest go first. */
const MOST = 100;
/** ms between attempts; the last value repeats. */
const RETRY_MS = [2_000, 5_000, 15_000, 60_000] as const;

const entrySchema = z.object({ accountId: z.string(), report: callReportCall.body });
type Entry = z.infer<typeof entrySchema>;

export interface Journal {
  /** Takes a call with the machine's times. Reports it with the server's, now, or later when the server does not answer or the person has logged out. */
  add(accountId: string, report: CallReport): void;
  /** Idempotent. What waits stays in storage. */
  stop(): void;
}

/** Whether the same report may succeed later. */
const mayLater = ({ code, details }: AppError): boolean =>
  code.startsWith("network.") ||
  code === "auth.required" ||
  code === "auth.expired" ||
  code === "server.unavailable" ||
  [429, 500, 502, 503, 504].includes(Number(details?.["status"]));

export function createJournal(deps: {
  readonly env: Pick<CoreEnv, "clock" | "kv" | "online" | "log">;
  readonly http: Pick<Http, "call">;
  readonly session: Pick<Session, "user" | "onUser">;
  readonly serverTime: Pick<ServerTime, "fromLocal">;
}): Journal {
  const { clock, kv, online, log } = deps.env;
  let waiting: Entry[] = [];
  let running = false;
  let stopped = false;
  let tries = 0;
  let timer: Timer | null = null;

  const load = createReadOnce(kv, JOURNAL_KEY, (stored) => {
    const parsed = z.array(entrySchema).safeParse(stored ?? []);
    // Calls that end meanwhile come after those of the former core.
    if (parsed.success) waiting = [...parsed.data, ...waiting].slice(-MOST);
  });
  const save = async (): Promise<void> => {
    try {
      // What could not be read is not overwritten.
      if (!(await load())) throw new Error("the storage could not be read");
      await (waiting.length === 0 ? kv.del(JOURNAL_KEY) : kv.set(JOURNAL_KEY, waiting));
    } catch {
      log("calls", "error", "a record could not be stored");
    }
  };

  /** The oldest report of the person who is logged in. */
  function nextEntry(): Entry | undefined {
    const accountId = deps.session.user()?.accountId;
    return stopped ? undefined : waiting.find((entry) => entry.accountId === accountId);
  }
  async function send(): Promise<void> {
    const isRead = await load();
    for (let next = nextEntry(); next !== undefined; next = nextEntry()) {
      try {
        await deps.http.call(callReportCall, { body: next.report });
      } catch (thrown) {
        const error = AppError.from(thrown);
        if (mayLater(error)) return later();
        log("calls", "warn", `a record was refused (${error.code})`);
      }
      tries = 0;
      const sent = next;
      waiting = waiting.filter((entry) => entry !== sent);
      await save();
    }
    if (!isRead) later();
  }
  function later(): void {
    timer?.cancel();
    if (stopped) return;
    timer = clock.after(RETRY_MS[Math.min(tries, RETRY_MS.length - 1)] ?? 60_000, flush);
    tries += 1;
  }
  function flush(): void {
    if (running || stopped || !online.online) return;
    timer?.cancel();
    timer = null;
    running = true;
    void send().finally(() => {
      running = false;
      // A call may have ended after the last look at the list.
      if (timer === null && nextEntry() !== undefined) flush();
    });
  }

  const stops = [
    deps.session.onUser((user) => {
      if (user !== null) flush();
    }),
    online.onChange((isOnline) => {
      if (isOnline) flush();
    }),
  ];
  flush();

  return {
    add(accountId, entry) {
      const { fromLocal } = deps.serverTime;
      const report = {
        ...entry,
        startedAt: fromLocal(entry.startedAt),
        answeredAt: entry.answeredAt === null ? null : fromLocal(entry.answeredAt),
        endedAt: fromLocal(entry.endedAt),
      };
      waiting = [...waiting, { accountId, report }].slice(-MOST);
      void save().then(flush);
    },
    stop() {
      stopped = true;
      timer?.cancel();
      timer = null;
      for (const stop of stops.splice(0)) stop();
    },
  };
}
