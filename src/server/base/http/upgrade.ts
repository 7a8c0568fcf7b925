/** WebSocket upgrades by exact path. Every invalid request is refused before a socket exists. */
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { Counter, type Registry } from "prom-client";
import type { Logger } from "pino";
import { WebSocketServer } from "ws";
import { systemClock } from "../clock.ts";
import type { Clock, SocketClient, SocketRoute } from "../module.ts";
import { carryUpgrade } from "../cluster/carry.ts";
import type { Marks } from "../cluster/trust.ts";
import { enterBase } from "./base-path.ts";
import { type Clients, createClients } from "./client.ts";
import { mayOpenSocket } from "./origins.ts";
import { createOriginNotes } from "./refused-origins.ts";

/**
 * Sockets per address whose account is still unknown. Modules close sockets that do not authenticate within seconds. An office
 * that reconnects after an outage opens three per person at once.
 */
export const UNKNOWN_PER_ADDRESS = 1000;
/** Sockets per account over all its browsers. A browser has three. */
export const SOCKETS_PER_ACCOUNT = 40;

export interface UpgradeRouter {
  /** Idempotent. Closes all open sockets. */
  close(): void;
}

/**
 * The server's requests must be `ConsoleRequest`s: an upgrade to anything but websocket does not come here.
 *
 * @param options.leave selects upgrades that another handler on the same server takes (vite's reload socket)
 */
export function createUpgradeRouter(
  server: Server,
  routes: readonly SocketRoute[],
  options: {
    readonly log: Logger;
    readonly metrics: Registry;
    readonly clock?: Pick<Clock, "now">;
    /** Default: no proxy is trusted. */
    readonly clients?: Clients;
    /** BASE_PATH. Default: none. */
    readonly basePath?: string;
    /** Other origins whose pages may open sockets. */
    readonly origins?: readonly string[];
    readonly perAddress?: number;
    readonly perAccount?: number;
    /** Called when a socket's connection no longer counts towards its address. */
    readonly onKnown?: (socket: Duplex) => void;
    readonly leave?: (request: IncomingMessage) => boolean;
    /** When set, sockets are relayed to other processes, and sockets that other processes relay here are accepted. */
    readonly marks?: Marks;
  },
): UpgradeRouter {
  const clients = options.clients ?? createClients({ hops: 0 });
  const unknown = createCounts(options.perAddress ?? UNKNOWN_PER_ADDRESS);
  const accounts = createCounts(options.perAccount ?? SOCKETS_PER_ACCOUNT);
  const refused = new Counter({
    name: "websocket_refused_total",
    help: "Websocket upgrades that were refused",
    labelNames: ["reason"],
    registers: [options.metrics],
  });
  const { marks, origins = [] } = options;
  const noteOrigin = createOriginNotes({ log: options.log, clock: options.clock ?? systemClock });
  const carried = new Set<Duplex>();
  const byPath = new Map<string, { route: SocketRoute; upgrader: WebSocketServer }>();
  for (const route of routes) {
    if (byPath.has(route.path)) throw new Error(`two modules take the socket path ${route.path}`);
    const upgrader = new WebSocketServer({ noServer: true, maxPayload: route.maxPayload });
    upgrader.on("wsClientError", (_error, socket) => refuse(socket, 400, "Bad Request"));
    byPath.set(route.path, { route, upgrader });
  }

  function refuse(socket: Duplex, status: number, reason: string): void {
    refused.inc({ reason: String(status) });
    socket.end(
      `HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
      () => socket.destroy(),
    );
  }

  /** Counts a socket towards its address until its account is known, then towards the account. */
  function holderOf(
    socket: Duplex,
    address: string,
    key: string,
  ): { readonly client: SocketClient; release(): void } {
    let account: string | null = null;
    let released = false;
    const release = (): void => {
      if (released) return;
      released = true;
      unknown.remove(key);
      options.onKnown?.(socket);
    };
    socket.once("close", () => {
      release();
      if (account !== null) accounts.remove(account);
    });
    return {
      release,
      client: {
        address,
        identify(userName) {
          if (account !== null) return true;
          if (socket.destroyed) return false;
          if (!accounts.tryAdd(userName)) {
            refused.inc({ reason: "account" });
            return false;
          }
          account = userName;
          release();
          return true;
        },
      },
    };
  }

  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if (options.leave?.(request) === true) return;
    // A reset during the handshake must not end the process.
    socket.on("error", () => socket.destroy());
    enterBase(request, options.basePath ?? "");
    const url = parseUrl(request);
    const found = url === null ? undefined : byPath.get(url.pathname);
    if (url === null || found === undefined) {
      refuse(socket, 404, "Not Found");
      return;
    }
    const carriedFrom = marks?.read(request) ?? null;
    const direct = clients.clientOf(request);
    const { origin } = request.headers;
    // The process that relays a socket has compared its origin, and knows which proxies it trusts.
    if (carriedFrom === null && !mayOpenSocket(origin, direct.hosts, origins)) {
      noteOrigin(origin ?? "", direct, clients.isProxy(request.socket.remoteAddress ?? ""));
      refuse(socket, 403, "Forbidden");
      return;
    }
    const client = carriedFrom === null ? direct : { address: carriedFrom, key: carriedFrom };
    if (!unknown.tryAdd(client.key)) {
      refuse(socket, 429, "Too Many Requests");
      return;
    }
    const holder = holderOf(socket, client.address, client.key);
    const acceptHere = (): void =>
      found.upgrader.handleUpgrade(request, socket, head, (ws) => {
        ws.on("error", (error) =>
          options.log.debug({ err: error, path: url.pathname }, "socket error"),
        );
        try {
          found.route.accept(ws, request, url, holder.client);
        } catch (error) {
          options.log.error({ err: error, path: url.pathname }, "a socket could not be accepted");
          ws.close(1011);
        }
      });
    const { elsewhere } = found.route;
    // A relayed socket stays here. Otherwise two processes that each believe the other is the home would relay it back and forth.
    if (marks === undefined || elsewhere === undefined || carriedFrom !== null) {
      acceptHere();
      return;
    }
    const carryOrTake = async (): Promise<void> => {
      const home = await elsewhere(url);
      if (socket.destroyed) return;
      if (home === null) {
        acceptHere();
        return;
      }
      carried.add(socket);
      socket.once("close", () => carried.delete(socket));
      // From here on the other process counts it.
      holder.release();
      const mark = marks.make("GET", request.url ?? "", client.key);
      carryUpgrade(home, { request, socket, head }, mark, () =>
        refuse(socket, 503, "Service Unavailable"),
      );
    };
    carryOrTake().catch((error: unknown) => {
      options.log.error({ err: error, path: url.pathname }, "a socket found no home");
      refuse(socket, 503, "Service Unavailable");
    });
  };
  server.on("upgrade", onUpgrade);

  return {
    close() {
      server.off("upgrade", onUpgrade);
      for (const socket of carried) socket.destroy();
      for (const { upgrader } of byPath.values()) {
        for (const client of upgrader.clients) client.terminate();
        upgrader.close();
      }
    },
  };
}

/** Counts per key, up to a limit. */
function createCounts(limit: number): { tryAdd(key: string): boolean; remove(key: string): void } {
  const counts = new Map<string, number>();
  return {
    tryAdd(key) {
      const count = counts.get(key) ?? 0;
      if (count >= limit) return false;
      counts.set(key, count + 1);
      return true;
    },
    remove(key) {
      const left = (counts.get(key) ?? 1) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    },
  };
}

function parseUrl(request: IncomingMessage): URL | null {
  // Parse the request's own text. Resolved against a base, "//host/path" would become a host.
  const target = request.url ?? "";
  if (!target.startsWith("/")) return null;
  try {
    return new URL(`http://host${target}`);
  } catch {
    return null;
  }
}
