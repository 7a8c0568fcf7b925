/**
 * Collects quality records (docs/server.md#quality-records) from websockets. Stores each batch once, accepts only records of the
 * call or conference that the ticket names, and removes records after 30 days.
 */
import { Gauge } from "prom-client";
import type { WebSocket } from "ws";
import { QUALITY_LIMITS, QUALITY_PATH, qualityQuerySchema } from "../../../shared/protocol/qoe.ts";
import { WS_CLOSE } from "../../../shared/protocol/signalling.ts";
import { createAfterLoss } from "../../base/cluster/after-loss.ts";
import type { ServerDeps, ServerModule, SocketClient } from "../../base/module.ts";
import {
  createQualityConnection,
  type QualityAdmission,
  type QualityConnection,
} from "./connection.ts";
import { createPlaces } from "./places.ts";
import { createQualityStore } from "./store.ts";
import { createQualityTickets } from "../tickets/quality-tickets.ts";

const DAY_MS = 86_400_000;
/** Milliseconds for which records are kept. */
export const RETENTION_MS = 30 * DAY_MS;
/** Most quality sockets per user. Another one is closed. */
export const SOCKETS_PER_USER = 4;

const PUT_OUT = "put out of the call or conference";
const placeOf = (userName: string, confrId: string): string => `${userName}\n${confrId}`;

export function createQualityModule(deps: ServerDeps): ServerModule {
  const { clock, config, db, directory, log, metrics } = deps;
  const store = createQualityStore(db);
  const tickets = createQualityTickets(config.APP_SECRET, clock);
  const connections = new Set<QualityConnection>();
  /** Closed sockets whose last batches are still being stored. */
  const settling = new Set<Promise<void>>();
  /** Logins and places that ended while a ticket was being checked; it may be one of theirs. */
  const ended = new Set<string>();
  const places = createPlaces(deps);
  const startedAt = clock.now();
  let checking = 0;
  let stopped = false;

  metrics.registerMetric(
    new Gauge({
      name: "quality_sockets",
      help: "Open quality upload websockets whose ticket was accepted",
      registers: [],
      collect() {
        this.set([...connections].filter((connection) => connection.owner !== null).length);
      },
    }),
  );

  const openLogins = (): string[] =>
    [...connections].flatMap(({ owner }) => owner?.sessionId ?? []);
  const putOut = (connection: QualityConnection): void =>
    connection.close(WS_CLOSE.forbidden, PUT_OUT);
  const stopListening = directory.onAccessEnd((end) => {
    if (end.of === "login" && checking > 0) ended.add(end.sessionId);
    if (end.of === "place" && checking > 0) ended.add(placeOf(end.userName, end.confrId));
    for (const connection of connections) {
      const { owner } = connection;
      if (end.of === "login" && owner?.sessionId === end.sessionId) {
        connection.close(WS_CLOSE.unauthorised, "login session ended");
      }
      const isPlace = end.of === "place" && owner?.memName === end.userName;
      if (isPlace && owner.confrId === end.confrId) putOut(connection);
    }
  }, openLogins);

  async function closeForbidden(): Promise<void> {
    for (const connection of connections) {
      if (connection.owner === null || (await places.mayStay(connection.owner))) continue;
      putOut(connection);
    }
  }
  const afterLoss = createAfterLoss({
    ...deps,
    look: closeForbidden,
    failed: "people who were put out of a call or conference may still send quality records",
  });

  const refuse = (code: number, reason: string): QualityAdmission => ({
    owner: null,
    code,
    reason,
  });
  const unauthorised = (): QualityAdmission => refuse(WS_CLOSE.unauthorised, "bad ticket");

  async function admit(ticket: string, client: SocketClient): Promise<QualityAdmission> {
    checking += 1;
    try {
      const claims = await tickets.verify(ticket);
      if (claims === null || !(await directory.sessionAlive(claims.sessionId))) {
        return unauthorised();
      }
      const { memName, confrId } = claims;
      const person = await directory.personByChatName(memName);
      const mayStay = await places.mayStay(claims);
      if (person === null || ended.has(claims.sessionId)) return unauthorised();
      if (!mayStay || ended.has(placeOf(memName, confrId))) {
        return refuse(WS_CLOSE.forbidden, PUT_OUT);
      }
      const own = [...connections].filter(({ owner }) => owner?.memName === memName);
      if (own.length >= SOCKETS_PER_USER || !client.identify(memName)) {
        return refuse(WS_CLOSE.tooMany, "too many sockets");
      }
      return { owner: { ...claims, accountId: person.accountId } };
    } finally {
      checking -= 1;
      if (checking === 0) ended.clear();
    }
  }

  function accept(socket: WebSocket, url: URL, client: SocketClient): void {
    socket.on("error", () => undefined);
    if (stopped) {
      socket.close(WS_CLOSE.shutdown, "server is stopping");
      return;
    }
    const query = qualityQuerySchema.safeParse(Object.fromEntries(url.searchParams));
    if (!query.success) {
      socket.close(WS_CLOSE.unauthorised, "no ticket");
      return;
    }
    const connection = createQualityConnection(socket, {
      clock,
      store,
      startedAt,
      appKey: config.EASEMOB_APP_KEY,
      admit: () => admit(query.data.ticket, client),
      onError: (error) => log.error({ err: error }, "quality records could not be stored"),
      onGone(gone) {
        connections.delete(gone);
        const settled = gone.settled().finally(() => settling.delete(settled));
        settling.add(settled);
      },
    });
    connections.add(connection);
  }

  deps.tasks.add({
    id: "quality",
    every: DAY_MS,
    run: () => store.prune(clock.now() - RETENTION_MS),
  });

  return {
    name: "quality",
    sockets: [
      {
        path: QUALITY_PATH,
        maxPayload: QUALITY_LIMITS.frameBytes,
        accept: (socket, _request, url, client) => accept(socket, url, client),
      },
    ],
    async stop() {
      if (stopped) return;
      stopped = true;
      stopListening();
      const looked = afterLoss.stop();
      const open = [...connections];
      for (const connection of open) connection.close(WS_CLOSE.shutdown, "server is stopping");
      await Promise.all([looked, ...open.map((connection) => connection.settled()), ...settling]);
    },
  };
}
