/**
 * The upload of quality records (docs/calls.md#quality-upload): one socket, batches every 500 ms, each kept until the server has
 * acknowledged it and sent again after a loss. The queue is bounded: old periodic records go first, events last.
 */
import {
  QUALITY_RESULT,
  type QualityRecord,
  qualityAckSchema,
} from "../../../shared/protocol/qoe.ts";
import type { ConnectionState } from "../../../shared/protocol/state.ts";
import type { CoreEnv, Session, Stats, Timer } from "../contracts.ts";
import { createJsonSocket } from "../sockets/index.ts";

export const UPLOAD_CONFIG = {
  uploadTickMillis: 500,
  reconnectDelay: 5_000,
  reconnect: 10,
  batchRecords: 500,
  /** Maximum number of waiting records, including those in batches. */
  queueRecords: 5_000,
  /** ms without acknowledgement after which the batch is sent again. */
  ackTimeoutMillis: 5_000,
  stopAfterMillis: 3_000,
} as const;

export interface UploadDeps {
  readonly env: Pick<
    CoreEnv,
    "clock" | "openSocket" | "online" | "random" | "newId" | "log" | "home" | "config"
  >;
  readonly session: Pick<Session, "accessToken">;
  readonly stats: Pick<Stats, "socket" | "socketTraffic">;
  readonly url: string;
  readonly memName: string;
  readonly onState: (state: ConnectionState, attempts: number) => void;
  /** Another process of the server collects the records, which started after the one before; the time of the loss. */
  readonly onRestarted: (lostAt: number) => void;
  readonly onQueued: (records: number) => void;
}
export interface Upload {
  push(record: QualityRecord): void;
  /** Continues for 3 s, then closes. */
  stop(): void;
  close(): void;
}

/** Whether the address says by itself whose records follow. Otherwise the access token does. */
const namesOwner = (url: string): boolean => /[?&]ticket=[^&]/.test(url);

/**
 * The upload address with its query; orgName and appName are the app key split at '#'.
 *
 * @param who.token null: left out
 */
export function uploadAddress(
  url: string,
  base: { gatewayBaseUrl: string; home: string; appKey: string },
  who: { memName: string; ts: number; token: string | null },
): string {
  const address = new URL(url, new URL(base.gatewayBaseUrl, base.home));
  const [orgName = "", appName = ""] = base.appKey.split("#");
  const query = {
    orgName,
    appName,
    memName: who.memName,
    ts: String(who.ts),
    ...(who.token === null ? {} : { access_token: who.token }),
  };
  for (const [key, value] of Object.entries(query)) address.searchParams.set(key, value);
  return address.toString().replace(/^http/, "ws");
}

interface Batch {
  readonly id: string;
  readonly records: readonly QualityRecord[];
  sentAt: number | null;
}

export function createUpload(deps: UploadDeps): Upload {
  const { env } = deps;
  const { clock } = env;
  const config = UPLOAD_CONFIG;
  let queue: QualityRecord[] = [];
  let batches: Batch[] = [];
  let tick: Timer | null = null;
  let stopping: Timer | null = null;
  let closed = false;
  let lastReported = 0;
  let heardAt = 0;
  let serverStart: number | null = null;
  /** When the socket was lost; null since the last answer. */
  let lostAt: number | null = null;

  const size = (): number => queue.length + batches.reduce((n, b) => n + b.records.length, 0);
  const reportQueued = (): void => {
    const now = size();
    if (now !== lastReported) deps.onQueued(now);
    lastReported = now;
  };

  const socket = createJsonSocket({
    env,
    name: "quality",
    stats: deps.stats,
    url: async () =>
      uploadAddress(
        deps.url,
        {
          gatewayBaseUrl: env.config.gatewayBaseUrl,
          home: env.home,
          appKey: env.config.easemob.appKey,
        },
        {
          memName: deps.memName,
          ts: clock.now(),
          token: namesOwner(deps.url) ? null : await deps.session.accessToken(),
        },
      ),
    delays: (attempt) => (attempt >= config.reconnect ? null : config.reconnectDelay),
    onOpen: () => {
      for (const batch of batches) batch.sentAt = null;
      flush();
    },
    onMessage: (message) => {
      heardAt = clock.now();
      const ack = qualityAckSchema.safeParse(message);
      if (!ack.success) return env.log("quality", "warn", "an answer could not be understood");
      const { batch, result, startedAt } = ack.data;
      noteStart(startedAt ?? null);
      // the server asks to retry later: the next tick does
      if (result === QUALITY_RESULT.busy || result === QUALITY_RESULT.unavailable) return;
      if (result !== QUALITY_RESULT.ok)
        env.log("quality", "warn", `a batch was refused (${result})`);
      // The acknowledgement of an unreadable frame names no batch. Drop the oldest sent batch, because a retry would fail too.
      const id = batch === "" ? batches.find((b) => b.sentAt !== null)?.id : batch;
      batches = batches.filter((b) => b.id !== id);
      reportQueued();
    },
    onGiveUp: () => env.log("quality", "error", "upload gave up"),
    onState(state, attempts) {
      if (state !== "open" && lostAt === null) lostAt = clock.now();
      deps.onState(state, attempts);
    },
  });

  /** A server that says when it started, later than the one before did, was restarted since the socket was lost. */
  function noteStart(startedAt: number | null): void {
    if (serverStart !== null && startedAt !== null && startedAt > serverStart)
      deps.onRestarted(lostAt ?? clock.now());
    serverStart = startedAt ?? serverStart;
    lostAt = null;
  }

  /** Moves all waiting records into batches, so that the backlog cannot grow with the number of streams. */
  function flush(): void {
    while (queue.length > 0) {
      batches.push({
        id: env.newId(),
        records: queue.slice(0, config.batchRecords),
        sentAt: null,
      });
      queue = queue.slice(config.batchRecords);
    }
    const now = clock.now();
    for (const batch of batches) {
      if (batch.sentAt !== null) {
        if (now - batch.sentAt < config.ackTimeoutMillis) continue;
        // A machine with another address has a socket that leads nowhere, and hears of it only after minutes.
        if (heardAt < batch.sentAt) {
          socket.reconnect("records were not answered");
          break;
        }
      }
      if (!socket.send({ batch: batch.id, records: batch.records })) break;
      batch.sentAt = now;
    }
    reportQueued();
  }
  const arm = (): void => {
    if (closed || tick !== null || size() === 0) return;
    tick = clock.after(config.uploadTickMillis, () => {
      tick = null;
      if (socket.state === "open") flush();
      arm();
    });
  };

  const makeSpace = (): void => {
    if (size() < config.queueRecords) return;
    const at = queue.findIndex((record) => record.kind === 1);
    if (at >= 0) queue.splice(at, 1);
    else if (batches.length > 0) batches.shift();
    else queue.shift();
  };
  const close = (): void => {
    closed = true;
    stopListening();
    tick?.cancel();
    stopping?.cancel();
    tick = stopping = null;
    socket.close();
  };

  socket.open();
  // also after giving up: one listener for the whole life of the upload (open() does nothing while the socket is trying)
  const stopListening = env.online.onChange((online) => {
    if (online && !closed) socket.open();
  });
  return {
    push(record) {
      if (closed) return;
      makeSpace();
      queue.push(record);
      reportQueued();
      arm();
    },
    stop() {
      if (closed || stopping !== null) return;
      stopping = clock.after(config.stopAfterMillis, close);
    },
    close,
  };
}
