/**
 * The only writer of the state that tabs mirror. Every set and del makes an op on plain entities. Ops are sent per slice after a
 * short wait, so that consecutive changes of a path become one op. A late tab is registered and gets its snapshot in the same turn.
 */
import { deleteAt, setAt, valueAt } from "../../../shared/domain/ops.ts";
import type { AppError } from "../../../shared/errors.ts";
import {
  noticeSchema,
  SLICE_NAMES,
  type Notice,
  type SliceName,
  type Slices,
} from "../../../shared/protocol/state.ts";
import type { Clock, Store, Timer } from "../contracts.ts";
import { createPending } from "./pending.ts";
import { createSubscriber, type PortLike, type Presence, type Subscriber } from "./subscriber.ts";

export { emptySession, initialSlices } from "../../../shared/protocol/initial-state.ts";
export type { PortLike, Presence } from "./subscriber.ts";

/** ms that a change waits for others of its slice; 0: until the end of the current turn. */
export const COALESCE_MS: Readonly<Record<SliceName, number>> = {
  call: 0,
  groupCall: 0,
  session: 0,
  probe: 0,
  reach: 0,
  news: 50,
  alerts: 0,
  tabs: 16,
  chat: 16,
  imports: 100,
  uploads: 100,
  downloads: 100,
  conference: 0,
  quality: 1_000,
  worker: 1_000,
};

/** ms that a notice is kept when no tab is visible, for the next tab that becomes visible. */
const NOTICE_KEPT_MS = 60_000;
/** Notices kept for that time; the oldest are dropped. */
const NOTICES_KEPT = 20;

export interface Subscription {
  /** Number of ops that the tab has not acknowledged. */
  readonly unacked: number;
  setVisible(visible: boolean): void;
  close(): void;
}

export interface CoreStore extends Store {
  /** Registers a tab's state port and sends the snapshot in the same turn. */
  attach(options: {
    readonly port: PortLike;
    readonly visible: boolean;
    readonly onPresence: (presence: Presence) => void;
    readonly onBad: (error: AppError) => void;
  }): Subscription;
  /** Reports to all present and future tabs that a newer build is waiting; null: no longer. */
  retire(build: string | null): void;
}

export interface StoreDeps {
  readonly clock: Clock;
  /** The core's id. A tab that mirrored another core needs a snapshot. */
  readonly epoch: string;
  readonly newId: () => string;
  readonly slices: Slices;
  /** Called with the number of ops sent to a tab. */
  readonly onSent?: (ops: number) => void;
  /** Called with the time from sending ops to their acknowledgement. */
  readonly onLatency?: (ms: number) => void;
}

export function createStore(deps: StoreDeps): CoreStore {
  const { clock, slices } = deps;
  const subscribers = new Set<Subscriber>();
  const queues = Object.fromEntries(
    SLICE_NAMES.map((name) => [name, { pending: createPending(), timer: null as Timer | null }]),
  ) as Record<SliceName, { pending: ReturnType<typeof createPending>; timer: Timer | null }>;
  let kept: { notice: Notice; at: number }[] = [];
  let newerBuild: string | null = null;

  const flushSlice = (name: SliceName): void => {
    const queue = queues[name];
    queue.timer?.cancel();
    queue.timer = null;
    const ops = queue.pending.drain();
    if (ops.length === 0) return;
    for (const subscriber of subscribers) subscriber.ops(name, ops);
  };
  const schedule = (name: SliceName): void => {
    const queue = queues[name];
    if (queue.timer !== null) return;
    const wait = COALESCE_MS[name];
    if (wait > 0) {
      queue.timer = clock.after(wait, () => flushSlice(name));
      return;
    }
    let cancelled = false;
    queue.timer = {
      cancel: () => {
        cancelled = true;
      },
    };
    queueMicrotask(() => {
      if (!cancelled) flushSlice(name);
    });
  };
  const flush = (): void => {
    for (const name of SLICE_NAMES) flushSlice(name);
  };

  const deliverKept = (subscriber: Subscriber): void => {
    const due = kept.filter((entry) => clock.now() - entry.at <= NOTICE_KEPT_MS);
    kept = [];
    for (const entry of due) subscriber.notice(entry.notice);
  };

  return {
    get: (name) => slices[name],
    set(path, given) {
      const [name] = path;
      // copy, because later changes to the caller's object must not change the state without an op
      const value = typeof given === "object" && given !== null ? structuredClone(given) : given;
      const before = valueAt(slices as never, path);
      if (before === value && (value !== undefined || path.length === 1)) return;
      setAt(slices as never, path, value);
      queues[name].pending.set(path, value, before);
      schedule(name);
    },
    del(path) {
      const [name] = path;
      const parentPath = path.slice(0, -1);
      const parent = valueAt(slices as never, parentPath);
      if (valueAt(slices as never, path) === undefined && !Array.isArray(parent)) return;
      deleteAt(slices as never, path);
      // Removing an element moves the indexes, so send the whole array; then the order of ops in one message does not matter.
      if (Array.isArray(parent)) queues[name].pending.set(parentPath, parent, parent);
      else queues[name].pending.del(path);
      schedule(name);
    },
    flush,
    notice(input) {
      const notice = noticeSchema.parse({ ...input, id: deps.newId() });
      const visible = [...subscribers].filter((subscriber) => subscriber.visible);
      if (visible.length === 0) {
        kept = [...kept, { notice, at: clock.now() }].slice(-NOTICES_KEPT);
        return;
      }
      for (const subscriber of visible) subscriber.notice(notice);
    },
    attach({ port, visible, onPresence, onBad }) {
      // present tabs get the pending changes as ops; the new tab has them in its snapshot
      flush();
      const subscriber = createSubscriber({
        port,
        epoch: deps.epoch,
        slices,
        names: SLICE_NAMES,
        visible,
        now: clock.now,
        onResync: () => {
          flush();
          subscriber.snapshot();
        },
        onPresence,
        onBad,
        onSent: (ops) => deps.onSent?.(ops),
        onLatency: (ms) => deps.onLatency?.(ms),
      });
      subscribers.add(subscriber);
      subscriber.snapshot();
      if (newerBuild !== null) subscriber.retired(newerBuild);
      if (visible) deliverKept(subscriber);
      return {
        get unacked() {
          return subscriber.unacked;
        },
        setVisible(next) {
          subscriber.setVisible(next);
          if (next) deliverKept(subscriber);
        },
        close() {
          subscribers.delete(subscriber);
          subscriber.close();
        },
      };
    },
    retire(build) {
      newerBuild = build;
      for (const subscriber of subscribers) subscriber.retired(build);
    },
  };
}
