/**
 * Sends state to one tab. Keeps the ops that the tab has not acknowledged and the slices that it needs as a whole ("dirty").
 *
 * A visible tab gets every op. A hidden tab gets only the ops of the URGENT slices, because it must still ring, hold its call or
 * conference, show new messages, answer the probe and log out; its other slices become dirty. A tab with more than BACK_PRESSURE_OPS unacknowledged
 * ops gets no ops of any slice. Dirty slices go out in one snapshot as soon as the tab may have them: when it becomes visible,
 * or when it acknowledges.
 * `seq` numbers the messages of this port, so that a tab can tell a lost message from a slice that was withheld.
 */
import { AppError } from "../../../shared/errors.ts";
import {
  BACK_PRESSURE_OPS,
  tabToCoreSchema,
  type CoreToTab,
  type Notice,
  type Op,
  type SliceName,
  type Slices,
  type TabToCore,
} from "../../../shared/protocol/state.ts";

/** The part of a MessagePort that is used. */
export interface PortLike {
  postMessage(message: unknown): void;
  onmessage: ((event: MessageEvent) => void) | null;
  close(): void;
}

export type Presence = Extract<TabToCore, { t: "presence" }>;

export interface SubscriberOptions {
  readonly port: PortLike;
  readonly epoch: string;
  readonly slices: Slices;
  readonly names: readonly SliceName[];
  readonly visible: boolean;
  readonly now: () => number;
  /** The tab asks for a full snapshot; flush pending ops first. */
  readonly onResync: () => void;
  readonly onPresence: (presence: Presence) => void;
  readonly onBad: (error: AppError) => void;
  readonly onSent: (ops: number) => void;
  /** ms from sending ops to their acknowledgement */
  readonly onLatency: (ms: number) => void;
}

export interface Subscriber {
  readonly visible: boolean;
  /** Number of ops that the tab has not acknowledged. */
  readonly unacked: number;
  ops(slice: SliceName, ops: readonly Op[]): void;
  /** Sends all slices as they are now. */
  snapshot(): void;
  setVisible(visible: boolean): void;
  notice(notice: Notice): void;
  retired(build: string | null): void;
  close(): void;
}

/** Slices whose ops a hidden tab gets too. */
const URGENT: ReadonlySet<SliceName> = new Set([
  "session",
  "call",
  "groupCall",
  "conference",
  "news",
  "probe",
]);

export function createSubscriber(options: SubscriberOptions): Subscriber {
  const { port, epoch, slices, now } = options;
  const dirty = new Set<SliceName>();
  const waiting: { seq: number; count: number; at: number }[] = [];
  let unacked = 0;
  let seq = 0;
  let visible = options.visible;
  let closed = false;

  const post = (message: CoreToTab): void => {
    if (!closed) port.postMessage(message);
  };
  const sendSnapshot = (names: readonly SliceName[]): void => {
    for (const name of names) dirty.delete(name);
    seq += 1;
    post({
      t: "snapshot",
      epoch,
      seq,
      slices: Object.fromEntries(names.map((name) => [name, slices[name]])),
    });
  };
  /** Sends the dirty slices that the tab may have now. */
  const sendDirty = (): void => {
    if (unacked > BACK_PRESSURE_OPS) return;
    const due = [...dirty].filter((name) => visible || URGENT.has(name));
    if (due.length > 0) sendSnapshot(due);
  };
  const acknowledged = (upTo: number): void => {
    let at: number | null = null;
    for (let first = waiting[0]; first !== undefined && first.seq <= upTo; first = waiting[0]) {
      unacked -= first.count;
      at = first.at;
      waiting.shift();
    }
    // One value per acknowledgement, because the tab acknowledges a burst once. Hidden tabs are left out: browsers throttle them.
    if (at !== null && visible) options.onLatency(now() - at);
    sendDirty();
  };

  port.onmessage = (event) => {
    const parsed = tabToCoreSchema.safeParse(event.data);
    if (!parsed.success) {
      options.onBad(new AppError("core.bad-message", { details: { port: "state" } }));
      return;
    }
    const message = parsed.data;
    switch (message.t) {
      case "ack":
        acknowledged(message.seq);
        break;
      case "resync":
        options.onResync();
        break;
      case "presence":
        options.onPresence(message);
        break;
    }
  };

  return {
    get visible() {
      return visible;
    },
    get unacked() {
      return unacked;
    },
    ops(slice, ops) {
      if (dirty.has(slice)) return;
      if (unacked > BACK_PRESSURE_OPS || !(visible || URGENT.has(slice))) {
        dirty.add(slice);
        return;
      }
      seq += 1;
      unacked += ops.length;
      const at = now();
      waiting.push({ seq, count: ops.length, at });
      post({ t: "ops", epoch, seq, ops: ops as Op[], at });
      options.onSent(ops.length);
    },
    snapshot() {
      waiting.length = 0;
      unacked = 0;
      sendSnapshot(options.names);
    },
    setVisible(next) {
      visible = next;
      sendDirty();
    },
    notice: (notice) => post({ t: "notice", notice }),
    retired: (build) => post({ t: "retired", build }),
    close() {
      if (closed) return;
      closed = true;
      port.onmessage = null;
      port.close();
    },
  };
}
