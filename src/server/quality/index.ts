/**
 * Collector of call quality (conferencing spec §3, §7 "Statistics upload"): a websocket a user, batches of records that are
 * stored once and only for calls the user belongs to, and their removal after 30 days.
 */
import { Gauge } from "prom-client";
import type { WebSocket } from "ws";
import { AppError } from "../../shared/errors.ts";
import { QUALITY_LIMITS, QUALITY_PATH, qualityQuerySchema } from "../../shared/protocol/qoe.ts";
import { WS_CLOSE } from "../../shared/protocol/signalling.ts";
import type { ServerDeps, ServerModule } from "../module.ts";
import { createQualityConnection, type QualityConnection } from "./connection.ts";
import { createQualityStore } from "./store.ts";

const DAY_MS = 86_400_000;
export const RETENTION_MS = 30 * DAY_MS;
/** Quality sockets of one user. */
export const SOCKETS_PER_USER = 4;

export function createQualityModule(deps: ServerDeps): ServerModule {
  const { clock, db, directory, log, metrics } = deps;
  const store = createQualityStore(db);
  const connections = new Set<QualityConnection>();
  /** Sockets that are gone while something they sent is still being stored. */
  const settling = new Set<Promise<void>>();
  const endedWhileOpening = new Set<string>();
  let opening = 0;
  let pruned: Promise<void> = Promise.resolve();
  let pruning: { cancel(): void } = { cancel: () => undefined };
  let stopped = false;

  metrics.registerMetric(
    new Gauge({
      name: "quality_sockets",
      help: "Open quality upload websockets",
      registers: [],
      collect() {
        this.set(connections.size);
      },
    }),
  );

  const stopListening = directory.onSessionEnd(({ sessionId }) => {
    if (opening > 0) endedWhileOpening.add(sessionId);
    for (const connection of connections) {
      if (connection.principal.sessionId === sessionId) {
        connection.close(WS_CLOSE.unauthorised, "login session ended");
      }
    }
  });

  async function open(socket: WebSocket, url: URL): Promise<void> {
    const query = qualityQuerySchema.safeParse(Object.fromEntries(url.searchParams));
    if (!query.success) {
      socket.close(WS_CLOSE.badFrames, "bad query");
      return;
    }
    const principal = await directory.authenticate(query.data.access_token);
    if (endedWhileOpening.has(principal.sessionId)) {
      socket.close(WS_CLOSE.unauthorised, "login session ended");
      return;
    }
    if (principal.chatUserName !== query.data.memName) {
      socket.close(WS_CLOSE.forbidden, "not your member name");
      return;
    }
    const own = [...connections].filter((c) => c.principal.accountId === principal.accountId);
    if (own.length >= SOCKETS_PER_USER) {
      socket.close(WS_CLOSE.tooMany, "too many sockets");
      return;
    }
    if (stopped) {
      socket.close(WS_CLOSE.shutdown, "server is stopping");
      return;
    }
    // closed while it was being checked: its close event has passed, nobody would ever take it out of the set
    if (socket.readyState !== socket.OPEN) return;
    const connection = createQualityConnection(socket, principal, {
      clock,
      store,
      directory,
      onError: (error) => log.error({ err: error }, "quality samples could not be stored"),
      onGone(gone) {
        connections.delete(gone);
        const settled = gone.settled().finally(() => settling.delete(settled));
        settling.add(settled);
      },
    });
    connections.add(connection);
  }

  async function prune(): Promise<void> {
    try {
      const gone = await store.prune(clock.now() - RETENTION_MS);
      if (gone > 0) log.info({ gone }, "removed old quality samples");
    } catch (error) {
      log.error({ err: error }, "old quality samples could not be removed");
    }
    if (!stopped) pruning = clock.setTimeout(() => void (pruned = prune()), DAY_MS);
  }

  return {
    name: "quality",
    sockets: [
      {
        path: QUALITY_PATH,
        maxPayload: QUALITY_LIMITS.frameBytes,
        accept(socket, _request, url) {
          // nothing is read before it is known who sends it
          socket.pause();
          socket.on("error", () => undefined);
          opening += 1;
          void open(socket, url)
            .catch((error: unknown) => {
              const refused = error instanceof AppError && error.code.startsWith("auth.");
              if (!refused) log.error({ err: error }, "a quality socket could not be opened");
              socket.close(refused ? WS_CLOSE.unauthorised : 1011, "not authenticated");
            })
            .finally(() => {
              socket.resume();
              opening -= 1;
              if (opening === 0) endedWhileOpening.clear();
            });
        },
      },
    ],
    async start() {
      await prune();
    },
    async stop() {
      if (stopped) return;
      stopped = true;
      stopListening();
      pruning.cancel();
      const open = [...connections];
      for (const connection of open) connection.close(WS_CLOSE.shutdown, "server is stopping");
      await Promise.all([...open.map((connection) => connection.settled()), ...settling, pruned]);
    },
  };
}
