/**
 * Bounds on connections, whatever they carry: how many there are in all and from one address, and how long one may stand still.
 * Without them a few hundred slow senders hold the server's memory and its file descriptors for as long as they like.
 */
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { Counter, Gauge, type Registry } from "prom-client";
import type { Clients } from "./client.ts";

export interface ConnectionLimits {
  /** Connections in all. */
  readonly total: number;
  /** Connections from one address; a trusted proxy has only the total. */
  readonly perAddress: number;
  /** ms to send the headers of a request. */
  readonly headersMs: number;
  /** ms to send a whole request. */
  readonly requestMs: number;
  /** ms that a request's body may stand still. */
  readonly bodyIdleMs: number;
  /** ms that an answer may stand still, its making included. */
  readonly answerIdleMs: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  total: 10_000,
  perAddress: 1000,
  headersMs: 10_000,
  requestMs: 120_000,
  bodyIdleMs: 20_000,
  // longer than the server takes to give up a request
  answerIdleMs: 130_000,
};

/** ms between two looks of the HTTP server for what is over its time; an option of its constructor. */
export const checkEvery = (limits: ConnectionLimits): number =>
  Math.max(100, Math.floor(Math.min(limits.headersMs, limits.requestMs) / 4));

export interface ConnectionGuard {
  /** The socket no longer counts for its address. Idempotent. */
  release(socket: unknown): void;
}

export function guardConnections(
  server: Server,
  limits: ConnectionLimits,
  deps: { readonly clients: Clients; readonly metrics: Registry },
): ConnectionGuard {
  const { clients, metrics } = deps;
  const open = new Set<Socket>();
  const byAddress = new Map<string, number>();
  const counted = new Map<unknown, string>();
  const refused = new Counter({
    name: "http_connections_refused_total",
    help: "Connections that were closed at once, over the limit of all or of their address",
    labelNames: ["limit"],
    registers: [metrics],
  });
  metrics.registerMetric(
    new Gauge({
      name: "http_connections",
      help: "Open connections, those of websockets included",
      registers: [],
      collect() {
        this.set(open.size);
      },
    }),
  );
  server.headersTimeout = limits.headersMs;
  server.requestTimeout = limits.requestMs;

  function release(socket: unknown): void {
    const key = counted.get(socket);
    if (key === undefined) return;
    counted.delete(socket);
    const left = (byAddress.get(key) ?? 1) - 1;
    if (left > 0) byAddress.set(key, left);
    else byAddress.delete(key);
  }

  server.on("connection", (socket: Socket) => {
    const { remoteAddress = "" } = socket;
    const { key } = clients.of({ socket, headers: {} });
    const count = byAddress.get(key) ?? 0;
    const proxy = clients.isProxy(remoteAddress);
    const full = open.size >= limits.total;
    if (full || (!proxy && count >= limits.perAddress)) {
      refused.inc({ limit: full ? "total" : "address" });
      socket.destroy();
      return;
    }
    open.add(socket);
    if (!proxy) {
      byAddress.set(key, count + 1);
      counted.set(socket, key);
    }
    socket.once("close", () => {
      open.delete(socket);
      release(socket);
    });
  });
  server.on("request", (request) => {
    const { socket } = request;
    // without a listener for it, the server ends a connection that stood still
    socket.setTimeout(limits.bodyIdleMs);
    request.once("end", () => socket.setTimeout(limits.answerIdleMs));
  });

  return { release };
}
