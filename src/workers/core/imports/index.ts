/**
 * Batch imports (docs/import.md#sending): sends what the import worker has staged, one import at a time, and continues after the loss of a
 * tab, the core, the network or the server. An import belongs to the account and company that staged it, and waits for their next login.
 */
import { AppError } from "../../../shared/errors.ts";
import { IMPORT_OVER } from "../../../shared/domain/import-job.ts";
import type { Handlers } from "../../../shared/protocol/core-rpc.ts";
import type { StagedJob } from "../../../shared/protocol/import-staging.ts";
import {
  importCancelCall,
  importContextCall,
  importListCall,
  importTakenCall,
} from "../../../shared/protocol/rest/index.ts";
import {
  type NoticeArgs,
  type NoticeKey,
  noticeFields,
} from "../../../shared/domain/notice-texts.ts";
import type { ImportEntry, Notice } from "../../../shared/protocol/state.ts";
import type { CoreEnv, Http, Session, SessionUser, Store } from "../contracts.ts";
import { createSender, type Sender } from "./sender.ts";
import { createStaging, type KeptImport, newKept, type StagingKv } from "./staging.ts";

export { createStagingKv, type StagingKv } from "./staging.ts";

export interface ImportsDeps {
  readonly env: Pick<CoreEnv, "clock" | "random" | "online" | "log">;
  readonly staging: StagingKv;
  readonly store: Store;
  readonly http: Http;
  readonly session: Pick<Session, "user" | "onUser">;
}

export interface Imports {
  readonly handlers: Handlers<"imports">;
  /** Takes up the staged imports of the person who is logged in. */
  start(): void;
  /** Stops sending. Idempotent. The next core continues unfinished imports. */
  stop(): void;
}

export function createImports(deps: ImportsDeps): Imports {
  const { env, store, http, session } = deps;
  const staging = createStaging(deps.staging, env.log);
  const senders = new Map<string, Sender>();
  /** Grows with each change of person or company. A scan of the storage that began before the change is ignored. */
  let owner = 0;
  let stopOnUser: (() => void) | null = null;
  let stopped = false;

  const isOwn = (job: StagedJob, user: SessionUser | null): boolean =>
    user !== null && job.accountId === user.accountId && job.supplierId === user.supplierId;

  /** Starts the oldest staged import if none is being sent. */
  const pump = (): void => {
    const all = [...senders.values()];
    if (all.some((one) => one.state() === "sending" || one.state() === "waiting")) return;
    const next = all
      .filter((one) => one.state() === "staged")
      .sort((a, b) => a.stagedAt - b.stagedAt)[0];
    void next?.dispatch("begin");
  };

  const notifyPerson = (
    key: NoticeKey,
    { mode, created, updated, refused, fileName }: ImportEntry,
    style: Notice["style"],
    more: NoticeArgs = {},
  ): void => {
    const dry = mode === "dry-run" ? 1 : 0;
    const args = { dry, created, updated, refused, file: fileName, ...more };
    store.notice({ style, ...noticeFields(key, args) });
  };

  const startSender = (kept: KeptImport): Sender => {
    const { key } = kept.job;
    senders.get(key)?.stop();
    const sender = createSender(
      {
        env,
        staging,
        http,
        session,
        show: (entry) => store.set(["imports", "byKey", key], entry),
        onDone: (entry, already) => {
          if (already) notifyPerson("import.already", entry, "info");
          else notifyPerson("import.done", entry, entry.refused > 0 ? "warning" : "success");
        },
        onCancelled: (entry) => notifyPerson("import.cancelled", entry, "info"),
        onFailed: (entry, { message, code }) =>
          notifyPerson("import.failed", entry, "error", { why: message, code }),
        onNext: pump,
      },
      kept,
    );
    senders.set(key, sender);
    sender.wake();
    return sender;
  };

  /** The stored import of a key; null when there is none of the current person and company. */
  const find = async (key: string): Promise<KeptImport | null> => {
    const { staged, kept } = await staging.read(key);
    const job = staged ?? kept?.job;
    if (job === undefined || !isOwn(job, session.user())) return null;
    if (kept === null) return newKept(job, env.clock.now());
    const restarted = staged !== null && staged.stagedAt !== kept.job.stagedAt;
    if (!restarted) return kept;
    // Staged again: a finished import starts over, and an unfinished one keeps its acknowledged chunks.
    const same = staged.chunks === kept.job.chunks && staged.rows === kept.job.rows;
    return IMPORT_OVER.has(kept.state) || !same
      ? newKept(staged, env.clock.now())
      : { ...kept, job: staged };
  };

  const scan = async (ownGeneration: number): Promise<void> => {
    for (const key of await staging.list()) {
      const kept = await find(key);
      if (ownGeneration !== owner || stopped) return;
      if (kept !== null && !senders.has(key)) startSender(kept);
    }
    pump();
  };
  const drop = (key: string): void => {
    senders.get(key)?.stop();
    senders.delete(key);
    store.del(["imports", "byKey", key]);
  };
  const follow = (): void => {
    owner += 1;
    for (const key of senders.keys()) drop(key);
    if (session.user() === null) return;
    scan(owner).catch((error: unknown) =>
      env.log("imports", "error", `storage: ${error instanceof Error ? error.name : "unknown"}`),
    );
  };

  let known = "";
  const onUser = (user: SessionUser | null): void => {
    // The event also comes after each load of the user info, which changes nothing for imports.
    const now = user === null ? "" : `${user.accountId} ${user.supplierId ?? ""}`;
    if (now === known) return;
    known = now;
    follow();
  };

  /** Cancels a job of the company whose rows are on another machine or lost. @throws AppError request.not-found */
  const cancelElsewhere = async (key: string): Promise<void> => {
    const { records } = await http.call(importListCall, { query: { limit: 1000 } });
    const job = records.find((one) => one.key === key);
    if (job === undefined) throw new AppError("request.not-found");
    await http.call(importCancelCall, { params: { id: job.id } });
  };
  /** @throws AppError request.not-found */
  const senderOf = (key: string): Sender => {
    const sender = senders.get(key);
    if (sender === undefined) throw new AppError("request.not-found");
    return sender;
  };

  return {
    handlers: {
      async start({ key }) {
        const before = senders.get(key);
        if (before !== undefined && !IMPORT_OVER.has(before.state())) return null;
        const kept = await find(key);
        if (kept === null) throw new AppError("request.not-found");
        // Another tab's request for the same import came first.
        const now = senders.get(key);
        if (now !== undefined && now !== before) return null;
        if (before?.state() === "failed" && kept.state === "failed")
          await before.dispatch("resume");
        else startSender(kept);
        pump();
        return null;
      },
      async pause({ key }) {
        await senderOf(key).dispatch("pause");
        return null;
      },
      async resume({ key }) {
        await senderOf(key).dispatch("resume");
        pump();
        return null;
      },
      async cancel({ key }) {
        const sender = senders.get(key);
        if (sender === undefined) await cancelElsewhere(key);
        else await sender.dispatch("cancel");
        return null;
      },
      async dismiss({ key }) {
        const sender = senderOf(key);
        if (!IMPORT_OVER.has(sender.state())) {
          throw new AppError("request.conflict", { message: "导入还没有结束，请先取消" });
        }
        const { staged, kept } = await staging.read(key);
        drop(key);
        const job = staged ?? kept?.job;
        // Cancel the job on the server too, since its remaining chunks will not come.
        if (job !== undefined && kept?.state === "failed" && kept.jobId !== null) {
          const { supplierId } = job;
          http
            .call(importCancelCall, { params: { id: kept.jobId } }, { supplierId })
            .catch(() =>
              env.log("imports", "warn", "a dismissed job could not be cancelled on the server"),
            );
        }
        if (job !== undefined) await staging.dropStaged(job);
        await staging.forget(key);
        return null;
      },
      context: () => http.call(importContextCall),
      taken: (body) => http.call(importTakenCall, { body }),
    },
    start() {
      if (stopOnUser !== null || stopped) return;
      stopOnUser = session.onUser(onUser);
      onUser(session.user());
    },
    stop() {
      stopped = true;
      owner += 1;
      stopOnUser?.();
      for (const sender of senders.values()) sender.stop();
      senders.clear();
    },
  };
}
