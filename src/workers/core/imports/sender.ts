/** One import on its way: runs the effects of its table (shared/domain/import-job.ts) against server, storage and clock. */
import { AppError } from "../../../shared/errors.ts";
import { reconnectDelay } from "../../../shared/domain/backoff.ts";
import {
  type ImportEffect,
  type ImportEventType,
  importStep,
} from "../../../shared/domain/import-job.ts";
import type { ImportState } from "../../../shared/domain/import-states.ts";
import {
  importCancelCall,
  importChunkCall,
  type ImportChunkResult,
  importCreateCall,
  type ImportJob,
} from "../../../shared/protocol/rest/index.ts";
import type { ImportEntry } from "../../../shared/protocol/state.ts";
import type { CoreEnv, Http, Session, Timer } from "../contracts.ts";
import { entryOf, rowsOf } from "./entry.ts";
import { createRate } from "./rate.ts";
import type { KeptImport, Staging } from "./staging.ts";

/** Chunks on their way at a time: one is written by the database while the next one is read. */
const LANES = 2;

/** Times that a chunk is sent again because the server is busy, until the import is shown as waiting. */
const BUSY_TRIES = 20;

/** Seconds after which a busy server wants to be asked again; null for every other error. */
function retryAfterOf(thrown: unknown): number | null {
  if (!(thrown instanceof AppError) || thrown.code !== "request.rate-limited") return null;
  const after = thrown.details?.["retryAfter"];
  return typeof after === "number" ? Math.min(after, 60) : null;
}

export interface SenderDeps {
  readonly env: Pick<CoreEnv, "clock" | "random" | "online" | "report">;
  readonly staging: Staging;
  readonly http: Http;
  readonly session: Pick<Session, "user">;
  readonly show: (entry: ImportEntry) => void;
  /** @param already the server had all of it before this core sent anything */
  readonly onDone: (entry: ImportEntry, already: boolean) => void;
  readonly onCancelled: (entry: ImportEntry) => void;
  readonly onFailed: (entry: ImportEntry, error: AppError) => void;
  /** Another one may have its turn. */
  readonly onNext: () => void;
}

export interface Sender {
  readonly key: string;
  readonly stagedAt: number;
  state(): ImportState;
  /** @returns whether the table has a rule for it. What it changes is written down before it resolves. */
  tell(event: ImportEventType): Promise<boolean>;
  /** Takes up what the state asks for: after a start of the core. */
  wake(): void;
  /** Nothing is sent, shown or written any more. */
  stop(): void;
}

/** States that are not what they were after a restart: what was under way waits for its turn. */
const restored = (state: ImportState): ImportState =>
  state === "sending" || state === "waiting" ? "staged" : state;

export function createSender(deps: SenderDeps, given: KeptImport): Sender {
  const { env, staging, http } = deps;
  const { clock } = env;
  const { job } = given;
  const kept: KeptImport = { ...given, state: restored(given.state) };
  const acked = new Set(kept.acked);
  const rate = createRate();
  /** Raised by every halt: what an older run brings leads to no event. */
  let run = 0;
  let stopped = false;
  let attempt = 0;
  let swept = false;
  let timer: Timer | null = null;
  let writing: Promise<void> = Promise.resolve();
  let latest: Pick<ImportJob, "chunksDone"> | null = null;

  const sentRows = (): number => rowsOf(job, acked);
  const entry = (): ImportEntry =>
    entryOf(kept, acked, kept.state === "sending" ? rate.value() : null);
  const show = (): void => {
    if (!stopped) deps.show(entry());
  };
  /** One after the other, each with what is true then. */
  const write = (): Promise<void> => {
    const next = writing
      .catch(() => undefined)
      .then(() => {
        if (stopped) return undefined;
        return staging.keep({ ...kept, acked: [...acked] });
      });
    writing = next;
    return next;
  };

  const isOwner = (): boolean => {
    const user = deps.session.user();
    return user?.accountId === job.accountId && user.supplierId === job.supplierId;
  };
  /** What an error of a request means. */
  const meaning = (error: AppError): ImportEventType | null => {
    if (error.code === "import.closed") return "cancelled";
    if (error.code.startsWith("auth.") && error.code !== "auth.forbidden") {
      // who is not logged in any more is no longer served; a session that is being renewed comes back
      return isOwner() ? "lost" : null;
    }
    return error.retryable ? "lost" : "refused";
  };
  const failed = (mine: number, thrown: unknown): void => {
    if (mine !== run || stopped) return;
    // what is no answer of the server is the storage's: it may work again in a moment
    const error = AppError.from(thrown, "core.gone");
    if (!(thrown instanceof AppError)) {
      env.report(`import: ${thrown instanceof Error ? thrown.name : "unknown"}`);
    }
    const event = meaning(error);
    if (event === null) return halt();
    kept.error = event === "cancelled" ? null : error.toWire();
    void tell(event);
  };

  const take = (of: ImportJob): void => {
    // answers of two lanes may come in another order than they were given
    if (latest !== null && of.chunksDone < latest.chunksDone) return;
    latest = of;
    const { created, updated, refused } = of;
    Object.assign(kept, { created, updated, refused });
  };
  const over = (of: ImportJob): ImportEventType | null =>
    of.state === "done" ? "done" : of.state === "cancelled" ? "cancelled" : null;

  const create = async (): Promise<ImportJob> => {
    const { key, fileName, mode, isInvite, rows, chunks, fields } = job;
    const made = await http.call(
      importCreateCall,
      { body: { key, fileName, mode, isInvite, rows, chunks, fields } },
      { supplierId: job.supplierId },
    );
    if (stopped) return made;
    kept.jobId = made.id;
    take(made);
    await write();
    return made;
  };

  const acknowledge = async (index: number, result: ImportChunkResult): Promise<void> => {
    if (stopped) return;
    attempt = 0;
    acked.add(index);
    take(result.job);
    kept.error = null;
    rate.add(clock.now(), sentRows());
    show();
    await write();
    if (!stopped) await staging.dropChunks(job.key, [index]);
  };

  /** A server that is busy says when to come again: the chunk is sent again then. @returns null when the run has ended meanwhile */
  const sendChunk = async (
    mine: number,
    jobId: string,
    index: number,
    bytes: Uint8Array<ArrayBuffer>,
  ): Promise<ImportChunkResult | null> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await http.call(
          importChunkCall,
          { params: { id: jobId, index } },
          { supplierId: job.supplierId, bytes },
        );
      } catch (thrown) {
        const after = retryAfterOf(thrown);
        if (after === null || tries >= BUSY_TRIES) throw thrown;
        if (mine !== run || stopped) return null;
        // a little later than told, each at another time, so that those who were sent away do not come back together
        await waited((after + env.random()) * 1000);
        if (mine !== run || stopped) return null;
      }
    }
  };

  const waited = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      clock.after(ms, resolve);
    });

  const lane = async (mine: number, pending: number[], jobId: string): Promise<void> => {
    for (;;) {
      if (mine !== run || stopped) return;
      const index = pending.shift();
      if (index === undefined) return;
      // a request of a run before may have been answered meanwhile
      if (acked.has(index)) continue;
      const bytes = await staging.chunk(job.key, index);
      if (mine !== run || stopped) return;
      if (acked.has(index)) continue;
      if (bytes === null) throw new AppError("import.staging-lost");
      const result = await sendChunk(mine, jobId, index, bytes);
      if (result === null) return;
      await acknowledge(index, result);
    }
  };

  const send = async (mine: number): Promise<void> => {
    try {
      let { jobId } = kept;
      if (jobId === null) {
        const made = await create();
        if (mine !== run || stopped) return;
        const end = over(made);
        kept.already = end === "done" && acked.size === 0;
        if (end !== null) return void tell(end);
        jobId = made.id;
      }
      rate.clear();
      rate.add(clock.now(), sentRows());
      const pending = Array.from({ length: job.chunks }, (_, i) => i).filter((i) => !acked.has(i));
      // a core that died between the two wrote the acknowledgement down, and the rows are still there
      if (!swept) await staging.dropChunks(job.key, [...acked]);
      swept = true;
      const id = jobId;
      await Promise.all(Array.from({ length: LANES }, () => lane(mine, pending, id)));
      if (mine === run && !stopped && acked.size >= job.chunks) void tell("done");
    } catch (thrown) {
      failed(mine, thrown);
    }
  };

  const sendCancel = async (mine: number): Promise<void> => {
    try {
      // a job whose making was not answered may be there all the same
      const id = kept.jobId ?? (await create()).id;
      if (mine !== run || stopped) return;
      const end = await http.call(
        importCancelCall,
        { params: { id } },
        { supplierId: job.supplierId },
      );
      if (mine !== run || stopped) return;
      take(end);
      void tell(end.state === "done" ? "done" : "cancelled");
    } catch (thrown) {
      const error = AppError.from(thrown);
      // nothing that could be cancelled
      const gone = error.code === "request.not-found" || kept.jobId === null;
      if (gone && !error.retryable && mine === run) void tell("cancelled");
      else failed(mine, thrown);
    }
  };

  function halt(): void {
    run += 1;
    timer?.cancel();
    timer = null;
    rate.clear();
  }

  const effects: Readonly<Record<ImportEffect, () => void | Promise<void>>> = {
    send: () => void send(run),
    halt,
    retryLater() {
      const mine = run;
      const told = Number(kept.error?.details?.["retryAfter"] ?? 0) * 1000;
      timer = clock.after(Math.max(reconnectDelay(attempt, env.random()), told), () => {
        if (mine === run) void tell("tick");
      });
      attempt += 1;
    },
    sendCancel: () => void sendCancel(run),
    next: () => deps.onNext(),
    cleanUp: () => staging.dropStaged(job),
    tellDone: () => deps.onDone(entry(), kept.already),
    tellCancelled: () => deps.onCancelled(entry()),
    tellFailed: () =>
      deps.onFailed(
        entry(),
        kept.error === null ? new AppError("server.internal") : AppError.fromWire(kept.error),
      ),
  };

  async function tell(event: ImportEventType): Promise<boolean> {
    if (stopped) return false;
    const { from, to, effects: wanted, rule } = importStep(kept.state, event);
    if (rule < 0) return false;
    kept.state = to;
    const ended = to === "done" || to === "cancelled";
    if (ended) {
      kept.endedAt = clock.now();
      kept.error = null;
    } else if (from === "failed" || from === "paused" || event === "cancel") {
      kept.error = null;
      attempt = 0;
    }
    if (event === "online") attempt = 0;
    // what ends a run counts at once; what needs the state to be kept comes after it is
    if (wanted.includes("halt")) halt();
    show();
    const lasting = restored(from) !== restored(to);
    if (lasting) {
      await write().catch((error: unknown) => {
        env.report(`import: not written: ${error instanceof Error ? error.name : "unknown"}`);
      });
    }
    for (const effect of wanted) {
      if (effect === "halt" || stopped) continue;
      try {
        await effects[effect]();
      } catch (error) {
        env.report(`import: ${effect}: ${error instanceof Error ? error.name : "unknown"}`);
      }
    }
    return true;
  }

  const stopOnline = env.online.onChange((online) => {
    if (online) void tell("online");
  });

  return {
    key: job.key,
    stagedAt: job.stagedAt,
    state: () => kept.state,
    tell,
    wake() {
      show();
      if (kept.state === "cancelling") void sendCancel(run);
      // a core that died while it cleaned up
      if (kept.state === "done" || kept.state === "cancelled") {
        staging.dropStaged(job).catch(() => env.report("import: staged rows stay"));
      }
    },
    stop() {
      stopped = true;
      halt();
      stopOnline();
    },
  };
}
