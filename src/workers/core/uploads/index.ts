/**
 * One queue of uploads for all tabs (docs/session.md#uploads): two at once, those of chat among them, the oldest first. What is in it survives its tab, an outage and the
 * core; a logout drops it.
 */
import {
  type UploadEffect,
  type UploadEvent,
  uploadTable,
} from "../../../shared/domain/upload-queue.ts";
import { AppError } from "../../../shared/errors.ts";
import type { Handlers } from "../../../shared/protocol/core-rpc.ts";
import { tabLock } from "../../../shared/protocol/port-names.ts";
import type { CoreEnv, Session, SessionUser, Store, Tabs, Timer } from "../contracts.ts";
import { TAKEN_BACK } from "../parts/index.ts";
import type { TransferSlots } from "../transfers/slots.ts";
import { judgeFault } from "../transfers/faults.ts";
import { entryOf, halt, type Item, newItem } from "./item.ts";
import { createProgress } from "../transfers/progress.ts";
import { createTransferQueue } from "../transfers/queue.ts";
import { createRecords, type Records, type UploadRecord } from "./records.ts";
import type { SendFile } from "./send.ts";

/** Most files in the queue. */
const MOST = 200;
/** ms between attempts to read a list that could not be read. */
const READ_AGAIN_MS = 5_000;
/** ms after which the next core no longer takes up what an earlier one had. */
const KEPT = 7 * 24 * 60 * 60_000;

export interface Uploads {
  readonly handlers: Handlers<"uploads">;
  /** Takes up the uploads of the person who is logged in. */
  start(): void;
  /** Stops sending. Idempotent. The next core goes on. */
  stop(): void;
}

export function createUploads(deps: {
  readonly env: Pick<CoreEnv, "clock" | "kv" | "random" | "online" | "locks" | "log">;
  readonly store: Pick<Store, "get" | "set" | "del" | "flush">;
  readonly session: Pick<Session, "user" | "onUser">;
  readonly tabs: Pick<Tabs, "onLeave">;
  readonly files: SendFile;
  readonly slots: TransferSlots;
}): Uploads {
  const { env, store, session, slots } = deps;
  const items = new Map<string, Item>();
  /** Of the person who is logged in; null for nobody. */
  let own: { readonly accountId: string; readonly records: Records } | null = null;
  /** Resolves once the storage of the person was read. */
  let restored: Promise<void> = Promise.resolve();
  let rereading: Timer | null = null;
  let ends: (() => void)[] = [];

  const show = (item: Item): void =>
    store.set(["uploads", "byKey", item.record.key], entryOf(item));
  const save = (): void => {
    const all = [...items.values()].map(({ record }) => record);
    own?.records.write(all).catch(() => env.log("storage", "error", "uploads were not stored"));
  };

  const { dispatch, beginNext, resume } = createTransferQueue<Item, UploadEvent, UploadEffect>({
    env,
    slots,
    table: uploadTable,
    all: () => items.values(),
    queuedAt: ({ record }) => record.at,
    onMoved: show,
    effects: {
      send: (item) => void run(item),
      save,
      "drop contents": ({ record }) => void own?.records.drop(record.key),
    },
  });

  const failed = (item: Item, error: AppError): void => {
    const judged = judgeFault(error, item.faults);
    item.faults = judged.faults;
    if (judged.passing) return dispatch(item, "broke");
    const { code, message, retryable } = error;
    Object.assign(item.record, { over: "failed", error: { code, message, retryable } });
    // What the server had of it is gone with the refusal.
    item.accepted = 0;
    void own?.records.resume(item.record.key).write(null);
    dispatch(item, "refused");
  };

  async function run(item: Item): Promise<void> {
    const { record } = item;
    const records = own?.records;
    if (records === undefined) return;
    const control = new AbortController();
    item.control = control;
    const isCurrent = (): boolean => item.control === control;
    const progress = createProgress(env.clock, ({ bytes: sent, rate }) => {
      if (!isCurrent()) return;
      item.tries = 0;
      Object.assign(item, { sent, rate });
      store.set(["uploads", "byKey", record.key, "sent"], sent);
      store.set(["uploads", "byKey", record.key, "rate"], rate);
    });
    try {
      const file = item.file ?? (await records.contents(record.key));
      if (!isCurrent()) return;
      if (file === null) throw new AppError("file.gone");
      const fileName = await deps.files.send({
        file,
        name: record.name,
        supplierId: record.supplierId,
        onSent: (sent) => progress.reached(Math.min(sent, record.size), record.size),
        onAccepted(accepted) {
          if (isCurrent()) item.accepted = accepted;
        },
        signal: control.signal,
        resume: records.resume(record.key),
      });
      if (!isCurrent()) return;
      item.control = null;
      item.sent = record.size;
      Object.assign(record, { over: "done", fileName });
      void records.resume(record.key).write(null);
      dispatch(item, "stored");
    } catch (error) {
      if (!isCurrent()) return;
      item.control = null;
      // What was on its way is sent again. So every tab shows what the server has while the upload waits.
      item.sent = item.accepted;
      failed(item, AppError.from(error));
    } finally {
      progress.stop();
    }
  }

  const add = (record: UploadRecord, file: Blob | null): Item => {
    const item = newItem(record, file);
    items.set(record.key, item);
    show(item);
    return item;
  };

  /** Ends what is under way, and forgets it. */
  const remove = (item: Item): void => {
    const { key, supplierId } = item.record;
    halt(item, TAKEN_BACK);
    items.delete(key);
    slots.release(item);
    store.del(["uploads", "byKey", key]);
    const records = own?.records;
    if (records === undefined) return;
    void records.drop(key);
    const resume = records.resume(key);
    const dropParts = async (): Promise<void> => {
      const address = await resume.read();
      if (address === null) return;
      await resume.write(null);
      await deps.files.drop(address, supplierId);
    };
    void dropParts();
  };

  /** @param forGood the person has logged out: nothing stays on the machine */
  const close = (forGood: boolean): void => {
    const left = [...items.values()];
    for (const item of left) halt(item);
    if (forGood && own !== null) {
      for (const key of items.keys()) {
        void own.records.drop(key);
        void own.records.resume(key).write(null);
      }
      void own.records.clear();
    }
    items.clear();
    own = null;
    for (const item of left) slots.release(item);
    store.set(["uploads", "ready"], false);
    store.set(["uploads", "byKey"], {});
  };

  const restore = async (records: Records): Promise<void> => {
    const isCurrent = (): boolean => own?.records === records;
    let stored: readonly UploadRecord[];
    try {
      stored = await records.read();
    } catch {
      env.log("storage", "error", "the uploads could not be read");
      rereading?.cancel();
      rereading = env.clock.after(READ_AGAIN_MS, () => {
        if (isCurrent()) restored = restore(records);
      });
      return;
    }
    for (const record of stored) {
      const isOld = record.at < env.clock.now() - KEPT;
      const isLost = !record.survives && !(await env.locks.held(tabLock(record.tabId)));
      if (!isCurrent()) return;
      if (items.has(record.key)) continue;
      if (isOld || isLost) void records.drop(record.key);
      else add(record, null);
    }
    if (!isCurrent()) return;
    const before = new Set(stored.map(({ key }) => key));
    if (items.size !== stored.length || [...items.keys()].some((key) => !before.has(key))) save();
    store.set(["uploads", "ready"], true);
    beginNext();
  };
  const onUser = (user: SessionUser | null): void => {
    if (user !== null && own?.accountId === user.accountId) return;
    close(user === null && store.get("session").left === "logout");
    if (user === null) return;
    const records = createRecords(env.kv, user.accountId);
    own = { accountId: user.accountId, records };
    restored = restore(records);
  };

  return {
    handlers: {
      async start({ key, file, name, survives }, { tabId }) {
        await restored;
        const { supplierId } = store.get("session");
        if (own === null || supplierId === null) throw new AppError("auth.required");
        if (items.has(key)) return null;
        if (file.size === 0) throw new AppError("file.empty");
        if (items.size >= MOST) throw new AppError("file.too-many");
        const { records } = own;
        const item = add(
          {
            key,
            name,
            size: file.size,
            supplierId,
            at: env.clock.now(),
            survives,
            tabId,
            over: null,
            error: null,
            fileName: null,
          },
          file,
        );
        // A tab that knows that its file is in the queue finds it there.
        store.flush();
        beginNext();
        await records.keep(key, file);
        item.file = null;
        // Ended or done meanwhile.
        if (items.get(key) !== item || item.state === "done") await records.drop(key);
        save();
        return null;
      },
      async cancel({ key }) {
        await restored;
        const item = items.get(key);
        if (item === undefined) return false;
        remove(item);
        save();
        beginNext();
        return true;
      },
      async retry({ key }) {
        await restored;
        const item = items.get(key);
        if (item === undefined) return false;
        if (item.state === "failed") Object.assign(item.record, { over: null, error: null });
        Object.assign(item, { tries: 0, faults: 0 });
        dispatch(item, "retry");
        return true;
      },
      async clear() {
        await restored;
        for (const item of items.values()) if (item.record.over !== null) remove(item);
        save();
        return null;
      },
    },
    start() {
      ends = [
        slots.onFree(beginNext),
        session.onUser(onUser),
        deps.tabs.onLeave((tabId) => {
          const left = [...items.values()].filter(
            ({ record }) => !record.survives && record.tabId === tabId,
          );
          for (const item of left) remove(item);
          if (left.length === 0) return;
          save();
          beginNext();
        }),
        env.online.onChange((online) => {
          if (online) resume();
        }),
      ];
      onUser(session.user());
    },
    stop() {
      for (const end of ends) end();
      ends = [];
      rereading?.cancel();
      close(false);
    },
  };
}
