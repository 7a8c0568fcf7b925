/** Counters behind the worker slice. They are summed as events come and evaluated once a second while there are tabs. */
import type { SocketLoss } from "../../../shared/domain/socket-losses.ts";
import { AppError } from "../../../shared/errors.ts";
import type { Clock, ConnectionState, CoreEnv, Stats, Store, Timer } from "../contracts.ts";
import type { ReportCounters } from "../reports/counters.ts";

const SECONDS = 120;
const ERRORS = 50;
const SAMPLES = 512;

/** The latest SAMPLES durations: enough for the 99th percentile, and bounded under any load. */
function createLatency() {
  const ring: number[] = [];
  let count = 0;
  let dirty = false;
  return {
    add(ms: number): void {
      ring[count % SAMPLES] = ms;
      count += 1;
      dirty = true;
    },
    /** null when nothing was added since the last read */
    read(): { count: number; p50: number; p99: number } | null {
      if (!dirty) return null;
      dirty = false;
      const sorted = ring.toSorted((a, b) => a - b);
      const at = (q: number): number =>
        sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;
      return { count, p50: at(0.5), p99: at(0.99) };
    },
  };
}

type SocketName = "chat" | "signalling" | "quality";

export interface StatsModule extends Stats {
  /** Evaluates the counters every second until stopped. */
  start(): void;
  stop(): void;
}

/**
 * @param deps.store a function, because the store itself counts its ops here and is created later
 * @param deps.reported counts the same for the reports to the server
 * @param deps.everySecond runs with each tick, for counters kept elsewhere
 */
export function createStats(deps: {
  readonly clock: Clock;
  readonly store: () => Store;
  readonly log: CoreEnv["log"];
  readonly reported?: ReportCounters;
  readonly everySecond?: () => void;
}): StatsModule {
  const { clock, reported } = deps;
  const commands = new Map<string, ReturnType<typeof createLatency>>();
  const fanOut = createLatency();
  const traffic = new Map<SocketName, { sent: number; received: number }>();
  let perSecond: { at: number; commands: number; messages: number; opsOut: number }[] = [];
  let second = { commands: 0, messages: 0, opsOut: 0 };
  let timer: Timer | null = null;

  const tick = (): void => {
    timer = clock.after(1_000, tick);
    const store = deps.store();
    perSecond = [...perSecond, { at: clock.now(), ...second }].slice(-SECONDS);
    second = { commands: 0, messages: 0, opsOut: 0 };
    store.set(["worker", "perSecond"], perSecond);
    for (const [name, latency] of commands) {
      const figures = latency.read();
      if (figures !== null) store.set(["worker", "commands", name], figures);
    }
    const fan = fanOut.read();
    if (fan !== null) store.set(["worker", "fanOut"], fan);
    for (const [name, counted] of traffic) {
      store.set(["worker", "sockets", name, "sent"], counted.sent);
      store.set(["worker", "sockets", name, "received"], counted.received);
    }
    deps.everySecond?.();
  };

  return {
    start() {
      timer ??= clock.after(1_000, tick);
    },
    stop() {
      timer?.cancel();
      timer = null;
    },
    socket(name: SocketName, state: ConnectionState, attempts = 0, lost?: SocketLoss) {
      reported?.socket(name, state, attempts, lost);
      const store = deps.store();
      const before = store.get("worker").sockets[name];
      if (before.state !== state) {
        store.set(["worker", "sockets", name, "state"], state);
        store.set(["worker", "sockets", name, "since"], clock.now());
      }
      store.set(["worker", "sockets", name, "attempts"], attempts);
    },
    socketTraffic(name, direction) {
      reported?.socketTraffic(name, direction);
      const counted = traffic.get(name) ?? { sent: 0, received: 0 };
      counted[direction] += 1;
      traffic.set(name, counted);
      second.messages += 1;
    },
    command(name, ms, failure) {
      reported?.command(name, ms, failure !== undefined);
      if (failure !== undefined) reported?.error(failure);
      let latency = commands.get(name);
      if (latency === undefined) commands.set(name, (latency = createLatency()));
      latency.add(ms);
      second.commands += 1;
    },
    fanOut(ms) {
      reported?.fanOut(ms);
      fanOut.add(ms);
    },
    takeover: () => reported?.takeover(),
    opsOut(count) {
      reported?.opsOut(count);
      second.opsOut += count;
    },
    refreshed() {
      reported?.refreshed();
      const store = deps.store();
      store.set(["worker", "refreshes"], store.get("worker").refreshes + 1);
    },
    error(error) {
      reported?.error(error instanceof AppError ? error.code : null);
      const message =
        typeof error === "string"
          ? error
          : error instanceof AppError
            ? `${error.code}: ${error.message}`
            : `${error.name}: ${error.message}`;
      deps.log("core", "warn", message);
      const store = deps.store();
      const entry = { at: clock.now(), message: message.slice(0, 500) };
      store.set(["worker", "errors"], [...store.get("worker").errors, entry].slice(-ERRORS));
    },
  };
}
