/**
 * Limits on connections of any kind: how many there are in total and per address, and how long one may stall. Without them a
 * few hundred slow senders could hold the server's memory and file descriptors indefinitely.
 */
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { Counter, Gauge, type Registry } from "prom-client";
import type { Clients } from "./client.ts";

export interface ConnectionLimits {
  /** Connections in all. */
  readonly total: number;
  /** Connections per address. A trusted proxy is limited by the total only. */
  readonly perAddress: number;
  /** Milliseconds to send the headers of a request. */
  readonly headersMs: number;
  /** Milliseconds to send a whole request. */
  readonly requestMs: number;
  /** Milliseconds that a request's body may stall once the server reads it. */
  readonly bodyIdleMs: number;
  /** Milliseconds that an answer may stall, including the time to compute it. */
  readonly answerIdleMs: number;
  /**
   * Milliseconds that a connection may wait for its next request. It must be longer than in clients and proxies: when the server closes
   * first, a request may be on its way already and fails (nginx keeps its connections to the server for 60 s).
   */
  readonly idleMs: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  total: 10_000,
  perAddress: 1000,
  headersMs: 10_000,
  requestMs: 120_000,
  bodyIdleMs: 20_000,
  // Longer than the request timeout of the server.
  answerIdleMs: 130_000,
  idleMs: 75_000,
};

/** Interval in ms at which the HTTP server looks for connections over their time limit; an option of its constructor. */
export const checkEvery = (limits: ConnectionLimits): number =>
  Math.max(100, Math.floor(Math.min(limits.headersMs, limits.requestMs) / 4));

export interface ConnectionGuard {
  /** The socket no longer counts towards the limit of its address. Idempotent. */
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
  server.keepAliveTimeout = limits.idleMs;

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
    const { key } = clients.clientOf({ socket, headers: {} });
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
  server.on("request", (request, response) => {
    const { socket } = request;
    const begun = performance.now();
    socket.setTimeout(limits.bodyIdleMs);
    request.once("end", () => socket.setTimeout(limits.answerIdleMs));
    response.on("timeout", () => {
      // Nothing has read the body yet: an import chunk waits for its turn, or the request has no body and its answer takes long.
      const unread = request.readableFlowing === null;
      const inTime = performance.now() - begun < limits.answerIdleMs;
      if (unread && inTime) socket.setTimeout(limits.bodyIdleMs);
      else socket.destroy();
    });
  });

  return { release };
}
