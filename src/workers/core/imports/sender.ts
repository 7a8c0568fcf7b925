/** Sends one import: runs the effects of its state table (shared/domain/import-job.ts) with server, storage and clock. */
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
  type ImportChunkResult,
  importCreateCall,
  type ImportJob,
} from "../../../shared/protocol/rest/index.ts";
import type { ImportEntry } from "../../../shared/protocol/state.ts";
import type { CoreEnv, Http, Session, Timer } from "../contracts.ts";
import { entryOf, rowsOf } from "./entry.ts";
import { sendChunks } from "./lanes.ts";
import { createRate } from "./rate.ts";
import type { KeptImport, Staging } from "./staging.ts";

export interface SenderDeps {
  readonly env: Pick<CoreEnv, "clock" | "random" | "online" | "log">;
  readonly staging: Staging;
  readonly http: Http;
  readonly session: Pick<Session, "user">;
  readonly show: (entry: ImportEntry) => void;
  /** @param already whether the server had all rows before this core sent anything */
  readonly onDone: (entry: ImportEntry, already: boolean) => void;
  readonly onCancelled: (entry: ImportEntry) => void;
  readonly onFailed: (entry: ImportEntry, error: AppError) => void;
  /** The next import may start. */
  readonly onNext: () => void;
}

export interface Sender {
  readonly key: string;
  readonly stagedAt: number;
  state(): ImportState;
  /** Runs an event. Resolves after the change is stored. @returns whether the table has a rule for it */
  dispatch(event: ImportEventType): Promise<boolean>;
  /** Shows the import and resumes unfinished work after a start of the core. */
  wake(): void;
  /** From now on nothing is sent, shown or stored. */
  stop(): void;
}

/** The state after a restart of the core: an import that was being sent waits for its turn again. */
const restored = (state: ImportState): ImportState =>
  state === "sending" || state === "waiting" ? "staged" : state;

export function createSender(deps: SenderDeps, given: KeptImport): Sender {
  const { env, staging, http } = deps;
  const { clock } = env;
  const { job } = given;
  const kept: KeptImport = { ...given, state: restored(given.state) };
  const acked = new Set(kept.acked);
  const rate = createRate();
  /** Grows with each halt. Results of an older run cause no event. */
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
  /** Stores the record. Writes run one after another, each with the state at its time. */
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
  /** The event that an error of a request causes; null: sending just stops. */
  const meaning = (error: AppError): ImportEventType | null => {
    if (error.code === "import.closed") return "cancelled";
    if (error.code.startsWith("auth.") && error.code !== "auth.forbidden") {
      // While the login is being renewed the request is tried again. After a logout nothing is sent.
      return isOwner() ? "lost" : null;
    }
    return error.retryable ? "lost" : "refused";
  };
  const failed = (ownRun: number, thrown: unknown): void => {
    if (ownRun !== run || stopped) return;
    // Errors other than AppError come from the storage, which may work again soon.
    const error = AppError.from(thrown, "core.gone");
    if (!(thrown instanceof AppError)) {
      env.log("imports", "warn", `${thrown instanceof Error ? thrown.name : "unknown"}`);
    }
    const event = meaning(error);
    if (event === null) return halt();
    kept.error = event === "cancelled" ? null : error.toWire();
    void dispatch(event);
  };

  const keepProgress = (answered: ImportJob): void => {
    // Answers to the lanes may arrive out of order.
    if (latest !== null && answered.chunksDone < latest.chunksDone) return;
    latest = answered;
    const { created, updated, refused } = answered;
    Object.assign(kept, { created, updated, refused });
  };
  const over = (answered: ImportJob): ImportEventType | null =>
    answered.state === "done" ? "done" : answered.state === "cancelled" ? "cancelled" : null;

  const create = async (): Promise<ImportJob> => {
    const { key, fileName, mode, isInvite, rows, chunks, fields } = job;
    const made = await http.call(
      importCreateCall,
      { body: { key, fileName, mode, isInvite, rows, chunks, fields } },
      { supplierId: job.supplierId },
    );
    if (stopped) return made;
    kept.jobId = made.id;
    keepProgress(made);
    await write();
    return made;
  };

  const acknowledge = async (index: number, result: ImportChunkResult): Promise<void> => {
    if (stopped) return;
    attempt = 0;
    acked.add(index);
    keepProgress(result.job);
    kept.error = null;
    rate.add(clock.now(), sentRows());
    show();
    await write();
    if (!stopped) await staging.dropChunks(job.key, [index]);
  };

  const send = async (ownRun: number): Promise<void> => {
    try {
      let { jobId } = kept;
      if (jobId === null) {
        const made = await create();
        if (ownRun !== run || stopped) return;
        const end = over(made);
        kept.already = end === "done" && acked.size === 0;
        if (end !== null) return void dispatch(end);
        jobId = made.id;
      }
      rate.clear();
      rate.add(clock.now(), sentRows());
      const pending = Array.from({ length: job.chunks }, (_, i) => i).filter((i) => !acked.has(i));
      // An earlier core may have died after storing an acknowledgement and before deleting the chunk.
      if (!swept) await staging.dropChunks(job.key, [...acked]);
      swept = true;
      const lanes = {
        env,
        staging,
        http,
        job,
        isAcked: (index: number) => acked.has(index),
        onAnswer: acknowledge,
      };
      await sendChunks(lanes, jobId, pending, () => ownRun !== run || stopped);
      if (ownRun === run && !stopped && acked.size >= job.chunks) void dispatch("done");
    } catch (thrown) {
      failed(ownRun, thrown);
    }
  };

  const sendCancel = async (ownRun: number): Promise<void> => {
    try {
      // A job may exist although the answer to its creation was lost.
      const id = kept.jobId ?? (await create()).id;
      if (ownRun !== run || stopped) return;
      const end = await http.call(
        importCancelCall,
        { params: { id } },
        { supplierId: job.supplierId },
      );
      if (ownRun !== run || stopped) return;
      keepProgress(end);
      void dispatch(end.state === "done" ? "done" : "cancelled");
    } catch (thrown) {
      const error = AppError.from(thrown);
      // There is no job to cancel.
      const gone = error.code === "request.not-found" || kept.jobId === null;
      if (gone && !error.retryable && ownRun === run) void dispatch("cancelled");
      else failed(ownRun, thrown);
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
      const ownRun = run;
      const serverWait = Number(kept.error?.details?.["retryAfter"] ?? 0) * 1000;
      timer = clock.after(Math.max(reconnectDelay(attempt, env.random()), serverWait), () => {
        if (ownRun === run) void dispatch("tick");
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

  async function dispatch(event: ImportEventType): Promise<boolean> {
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
    // Halt at once. The other effects run only after the new state is stored.
    if (wanted.includes("halt")) halt();
    show();
    const lasting = restored(from) !== restored(to);
    if (lasting) {
      await write().catch((error: unknown) => {
        env.log(
          "imports",
          "error",
          `could not be stored: ${error instanceof Error ? error.name : "unknown"}`,
        );
      });
    }
    for (const effect of wanted) {
      if (effect === "halt" || stopped) continue;
      try {
        await effects[effect]();
      } catch (error) {
        env.log("imports", "warn", `${effect}: ${error instanceof Error ? error.name : "unknown"}`);
      }
    }
    return true;
  }

  const stopOnline = env.online.onChange((online) => {
    if (online) void dispatch("online");
  });

  return {
    key: job.key,
    stagedAt: job.stagedAt,
    state: () => kept.state,
    dispatch,
    wake() {
      show();
      if (kept.state === "cancelling") void sendCancel(run);
      // An earlier core may have died before it deleted the staged rows.
      if (kept.state === "done" || kept.state === "cancelled") {
        staging
          .dropStaged(job)
          .catch(() => env.log("imports", "error", "staged rows could not be deleted"));
      }
    },
    stop() {
      stopped = true;
      halt();
      stopOnline();
    },
  };
}
