/**
 * The server's side of the embedded media node. It runs in a child process, so that a crash of its native code does not crash
 * the server. The process starts at first use (or earlier, by `warm`) and is restarted when it exits or hangs.
 */
import { type ChildProcess, fork } from "node:child_process";
import type { Logger } from "pino";
import { AppError } from "../../../../shared/errors.ts";
import type { Clock } from "../../../base/module.ts";
import { sourcePath } from "../../../base/source-path.ts";
import type { Impairment, MediaNode, NodeEvent, NodeStats } from "../contracts.ts";
import { createListeners } from "../listeners.ts";
import { NO_STATS } from "../stats.ts";
import {
  fromProcessSchema,
  descriptionSchema,
  publishedSchema,
  statsSchema,
  type ProcessOptions,
  type ToProcess,
} from "./protocol.ts";

export interface EmbeddedNode extends MediaNode {
  readonly kind: "embedded";
  /** Pid of the media process; null while none runs. */
  readonly pid: number | null;
  /** For tests and benchmarks. The impairment stays in force after a restart of the process. */
  impair(to: Impairment): void;
  /** Starts the process before its first use. @throws AppError conference.media-unavailable */
  warm(): Promise<void>;
}

const ENTRY = sourcePath("src/server/modules/media-node/embedded/process-entry.mjs");
const START_MS = 20_000;
const REQUEST_MS = 10_000;
/** The process sends its figures every second. After this long without a message it counts as hung and is killed. */
const HUNG_MS = 15_000;
const END_MS = 2000;
const RESTART_MS = [100, 500, 2000, 5000] as const;
/** A process that ran this long had started properly, so the next restart uses the shortest delay. */
const STEADY_MS = 30_000;

const unavailable = (reason: string): AppError =>
  new AppError("conference.media-unavailable", { details: { reason } });

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: AppError) => void;
  readonly late: { cancel(): void };
}
/** One run of the process. */
interface Life {
  readonly child: ChildProcess;
  readonly ready: Promise<void>;
  readonly since: number;
  heard: number;
}

export function createEmbeddedNode(deps: {
  readonly options: ProcessOptions;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onStats: (stats: NodeStats) => void;
  readonly onRestart: () => void;
}): EmbeddedNode {
  const { clock, log } = deps;
  const listeners = createListeners<NodeEvent>(log);
  const pending = new Map<number, Pending>();
  let number = 0;
  let life: Life | null = null;
  let up = true;
  let closing: Promise<void> | null = null;
  let failures = 0;
  let stats: NodeStats = NO_STATS;
  let impairment: Impairment | null = null;
  let again: { cancel(): void } | null = null;
  let watch: { cancel(): void } | null = null;

  const settle = (n: number, use: (p: Pending) => void): void => {
    const p = pending.get(n);
    if (p === undefined) return;
    pending.delete(n);
    p.late.cancel();
    use(p);
  };

  const hear = (from: Life, raw: unknown, ready: () => void): void => {
    const parsed = fromProcessSchema.safeParse(raw);
    if (!parsed.success || life !== from) return;
    from.heard = clock.now();
    const m = parsed.data;
    switch (m.t) {
      case "ready":
        return ready();
      case "answered":
        return settle(m.n, (p) => p.resolve(m.value));
      case "refused":
        return settle(m.n, (p) => p.reject(AppError.fromWire(m.error)));
      case "stats":
        stats = m.stats;
        return deps.onStats(stats);
      case "event":
        return listeners.emit(m.event);
    }
  };

  const lost = (which: Life, why: string): void => {
    if (life !== which) return;
    life = null;
    watch?.cancel();
    stats = NO_STATS;
    deps.onStats(stats);
    for (const n of pending.keys()) settle(n, (p) => p.reject(unavailable(why)));
    if (closing !== null) return;
    log.error({ why }, "the media process ended; it is started again");
    failures = clock.now() - which.since > STEADY_MS ? 0 : failures + 1;
    deps.onRestart();
    if (up) {
      up = false;
      listeners.emit({ t: "down" });
    }
    again?.cancel();
    again = clock.setTimeout(
      () => {
        again = null;
        void start().catch(() => undefined);
      },
      RESTART_MS[Math.min(failures, RESTART_MS.length) - 1] ?? RESTART_MS[0],
    );
  };

  const keepWatch = (watched: Life): void => {
    watch = clock.setTimeout(() => {
      if (life !== watched) return;
      if (clock.now() - watched.heard > HUNG_MS) watched.child.kill("SIGKILL");
      else keepWatch(watched);
    }, HUNG_MS / 3);
  };

  /** @returns a promise that resolves when the process can be used */
  const start = (): Promise<void> => {
    if (closing !== null) return Promise.reject(unavailable("the node is closed"));
    if (life !== null) return life.ready;
    const child = fork(ENTRY, [JSON.stringify(deps.options)], {
      // The process must not get the secrets of the server's environment.
      env: Object.fromEntries(
        ["PATH", "HOME", "TMPDIR", "TZ", "LANG"].flatMap((name) => {
          const value = process.env[name];
          return value === undefined ? [] : [[name, value]];
        }),
      ),
      // Not the server's execArgv: `--import tsx` would be resolved from the current folder.
      execArgv: [],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    let ready: () => void = () => undefined;
    let failed: (error: AppError) => void = () => undefined;
    const started = new Promise<void>((resolve, reject) => {
      ready = resolve;
      failed = reject;
    });
    // Without a waiting caller, a failed start must not become an unhandled rejection.
    started.catch(() => undefined);
    const now = clock.now();
    const current: Life = { child, ready: started, since: now, heard: now };
    life = current;
    const late = clock.setTimeout(() => child.kill("SIGKILL"), START_MS);
    const end = (why: string): void => {
      late.cancel();
      failed(unavailable(why));
      lost(current, why);
    };
    child.on("message", (raw) =>
      hear(current, raw, () => {
        late.cancel();
        if (impairment !== null) send({ t: "impair", to: impairment });
        ready();
        keepWatch(current);
        if (!up) {
          up = true;
          listeners.emit({ t: "up" });
        }
      }),
    );
    child.once("error", (error) => end(error.message));
    child.once("exit", (code, signal) => end(`ended by ${signal ?? `code ${code}`}`));
    return started;
  };

  const send = (message: ToProcess): void => {
    const child = life?.child;
    // An exiting process receives nothing; its exit rejects the pending requests.
    if (child?.connected === true) child.send(message, () => undefined);
  };

  const ask = async (make: (n: number) => ToProcess): Promise<unknown> => {
    if (!up) throw unavailable("the media process is not up");
    await start();
    const n = (number += 1);
    return new Promise((resolve, reject) => {
      const late = clock.setTimeout(
        () => settle(n, (p) => p.reject(unavailable("the media process did not answer"))),
        REQUEST_MS,
      );
      pending.set(n, { resolve, reject, late });
      send(make(n));
    });
  };

  /** Sends once the process is ready, so that the messages arrive in the order of the calls. Dropped when no process runs. */
  const order = (message: ToProcess): void => {
    if (life === null) return;
    void life.ready.then(
      () => send(message),
      () => undefined,
    );
  };

  return {
    name: "embedded",
    kind: "embedded",
    get up() {
      return up && closing === null;
    },
    get load() {
      return (stats.publishers + stats.subscribers) / deps.options.capacity;
    },
    get pid() {
      return life?.child.pid ?? null;
    },
    warm: () => start(),
    async publish(request) {
      const { vcodes, maxVideoBitrate, held, ...rest } = request;
      const value = await ask((n) => ({
        t: "publish",
        n,
        request: {
          ...rest,
          vcodes: [...vcodes],
          ...(maxVideoBitrate === undefined ? {} : { maxVideoBitrate }),
          ...(held === undefined ? {} : { held }),
        },
      }));
      return publishedSchema.parse(value);
    },
    async subscribe(request) {
      return descriptionSchema.parse(await ask((n) => ({ t: "subscribe", n, request })));
    },
    // This node makes no offers.
    answer: () => Promise.reject(new AppError("conference.invalid")),
    candidates: (id, cands) => order({ t: "candidates", id, cands: [...cands] }),
    select: (id, wanted) => order({ t: "select", id, wanted }),
    hold: (id, held) => order({ t: "hold", id, held }),
    async restart(id, offer) {
      return descriptionSchema.parse(await ask((n) => ({ t: "restart", n, id, offer })));
    },
    closeConnection: (id) => order({ t: "closeConnection", id }),
    closeConference: (conferenceId) => order({ t: "closeConference", conferenceId }),
    async stats() {
      if (life === null) return NO_STATS;
      return statsSchema.parse(await ask((n) => ({ t: "stats", n })));
    },
    impair(to) {
      impairment = to;
      order({ t: "impair", to });
    },
    onEvent: listeners.add,
    close() {
      closing ??= (async () => {
        again?.cancel();
        watch?.cancel();
        const child = life?.child;
        if (child === undefined) return;
        const ended = new Promise<void>((resolve) => {
          if (child.exitCode !== null || child.signalCode !== null) resolve();
          else child.once("exit", () => resolve());
        });
        send({ t: "end" });
        const late = clock.setTimeout(() => child.kill("SIGKILL"), END_MS);
        await ended;
        late.cancel();
      })();
      return closing;
    },
  };
}
