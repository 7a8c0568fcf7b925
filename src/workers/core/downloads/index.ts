/**
 * One queue of downloads for all tabs (docs/session.md#downloads): two at once, the oldest first. A download survives its tab, which only
 * saves it at the end. Of a stored file only the rest is fetched after an outage. It does not survive the core: the tab begins again.
 */
import {
  type DownloadEffect,
  type DownloadEvent,
  downloadTable,
} from "../../../shared/domain/download-queue.ts";
import type { TransferState } from "../../../shared/domain/transfer-states.ts";
import { AppError, type ErrorCode, type WireError } from "../../../shared/errors.ts";
import type { DownloadSource } from "../../../shared/protocol/commands/downloads.ts";
import type { Handlers } from "../../../shared/protocol/core-rpc.ts";
import type { CoreEnv, Session, SessionUser, Store, Timer } from "../contracts.ts";
import { judgeFault } from "../transfers/faults.ts";
import { createProgress } from "../transfers/progress.ts";
import { createTransferQueue } from "../transfers/queue.ts";
import { createTransferSlots } from "../transfers/slots.ts";
import type { FetchPiece } from "./sources.ts";

/** Most files in the queue. */
const MOST = 50;
/** ms after which the header lists a download. */
const LISTED_AFTER = 700;
/** The file does not exist, so that no further attempt finds it. */
const FINAL: ReadonlySet<ErrorCode> = new Set(["request.not-found"]);

interface Item {
  readonly key: string;
  readonly name: string;
  readonly source: DownloadSource;
  readonly supplierId: string;
  readonly tabId: string;
  readonly at: number;
  state: TransferState;
  /** What has come, in order. */
  pieces: Blob[];
  size: number | null;
  /** Bytes, those of the piece that is on its way among them. */
  received: number;
  rate: number;
  error: WireError | null;
  listed: boolean;
  /** Attempts without progress, and faults since the last begin. */
  tries: number;
  faults: number;
  control: AbortController | null;
  timer: Timer | null;
  toList: Timer | null;
}

export interface Downloads {
  readonly handlers: Handlers<"downloads">;
  /** Ends all. Idempotent. */
  stop(): void;
}

const bytesOf = (pieces: readonly Blob[]): number =>
  pieces.reduce((sum, { size }) => sum + size, 0);

export function createDownloads(deps: {
  readonly env: Pick<CoreEnv, "clock" | "random" | "online">;
  readonly store: Pick<Store, "get" | "set" | "del" | "flush">;
  readonly session: Pick<Session, "user" | "onUser">;
  readonly fetchPiece: FetchPiece;
}): Downloads {
  const { env, store, session } = deps;
  const items = new Map<string, Item>();
  const slots = createTransferSlots();
  let accountId = session.user()?.accountId ?? null;

  const show = (item: Item): void => {
    const { key, name, received, size, rate, state, error, at, tabId, listed } = item;
    const entry = { name, received, size, rate, state, error, at, tabId, listed };
    store.set(["downloads", "byKey", key], entry);
  };

  const { dispatch, beginNext, resume } = createTransferQueue<Item, DownloadEvent, DownloadEffect>({
    env,
    slots,
    table: downloadTable,
    all: () => items.values(),
    queuedAt: ({ at }) => at,
    onMoved(item) {
      if (item.state === "paused" || item.state === "failed") item.listed = true;
      show(item);
    },
    effects: { fetch: (item) => void run(item) },
  });

  async function run(item: Item): Promise<void> {
    const control = new AbortController();
    item.control = control;
    const isCurrent = (): boolean => item.control === control;
    const progress = createProgress(env.clock, ({ bytes, rate }) => {
      if (!isCurrent()) return;
      Object.assign(item, { received: bytes, rate });
      show(item);
    });
    try {
      for (;;) {
        const from = bytesOf(item.pieces);
        const piece = await deps.fetchPiece({
          source: item.source,
          supplierId: item.supplierId,
          from,
          onReceived(received, size) {
            if (!isCurrent()) return;
            item.size = size ?? item.size;
            progress.reached(from + received, item.size);
          },
          signal: control.signal,
        });
        if (!isCurrent()) return;
        item.tries = 0;
        item.pieces = piece.whole ? [piece.blob] : [...item.pieces, piece.blob];
        item.received = bytesOf(item.pieces);
        item.size = piece.size;
        const isStuck = !piece.whole && piece.blob.size === 0;
        if (isStuck && item.received !== piece.size) throw new AppError("server.internal");
        if (piece.whole || item.received === piece.size) break;
        show(item);
      }
      item.control = null;
      item.size = item.received;
      dispatch(item, "received");
      // The tab that waits for it saves it at once.
      store.flush();
    } catch (thrown) {
      if (!isCurrent()) return;
      item.control = null;
      item.received = bytesOf(item.pieces);
      const error = AppError.from(thrown);
      const judged = judgeFault(error, item.faults, FINAL);
      item.faults = judged.faults;
      if (judged.passing) return dispatch(item, "broke");
      const { code, message, retryable } = error;
      Object.assign(item, { error: { code, message, retryable }, pieces: [], received: 0 });
      dispatch(item, "refused");
    } finally {
      progress.stop();
    }
  }

  const remove = (item: Item): void => {
    const { control } = item;
    item.control = null;
    item.timer?.cancel();
    item.toList?.cancel();
    control?.abort();
    items.delete(item.key);
    store.del(["downloads", "byKey", item.key]);
    slots.release(item);
  };
  const clear = (): void => {
    for (const item of items.values()) remove(item);
  };
  /** The end of a login is waited out by who comes back; a logout and another person end all. */
  const onUser = (user: SessionUser | null): void => {
    if (user === null && store.get("session").left !== "logout") return;
    if (user !== null && user.accountId === accountId) return;
    accountId = user?.accountId ?? null;
    clear();
  };
  const ends = [
    session.onUser(onUser),
    env.online.onChange((online) => {
      if (online) resume();
    }),
  ];

  return {
    handlers: {
      start({ key, name, source }, { tabId }) {
        const { supplierId } = store.get("session");
        if (supplierId === null) throw new AppError("auth.required");
        if (items.has(key)) return Promise.resolve(null);
        if (items.size >= MOST) throw new AppError("file.too-many");
        const item: Item = {
          key,
          name,
          source,
          supplierId,
          tabId,
          at: env.clock.now(),
          state: "waiting",
          pieces: [],
          size: null,
          received: 0,
          rate: 0,
          error: null,
          listed: false,
          tries: 0,
          faults: 0,
          control: null,
          timer: null,
          toList: null,
        };
        item.toList = env.clock.after(LISTED_AFTER, () => {
          item.listed = true;
          show(item);
        });
        items.set(key, item);
        show(item);
        beginNext();
        // A tab that knows that its file is in the queue finds it there.
        store.flush();
        return Promise.resolve(null);
      },
      collect({ key }) {
        const item = items.get(key);
        if (item?.state !== "done") return Promise.resolve(null);
        const [first] = item.pieces;
        const type = first?.type ?? "";
        remove(item);
        return Promise.resolve(
          item.pieces.length === 1 && first !== undefined ? first : new Blob(item.pieces, { type }),
        );
      },
      cancel({ key }) {
        const item = items.get(key);
        if (item === undefined) return Promise.resolve(false);
        remove(item);
        beginNext();
        return Promise.resolve(true);
      },
      retry({ key }) {
        const item = items.get(key);
        if (item === undefined) return Promise.resolve(false);
        Object.assign(item, { error: null, tries: 0, faults: 0 });
        dispatch(item, "retry");
        return Promise.resolve(true);
      },
      clear() {
        for (const item of items.values()) if (item.state === "failed") remove(item);
        return Promise.resolve(null);
      },
    },
    stop() {
      for (const end of ends) end();
      clear();
    },
  };
}
