/**
 * What only operations need (metrics, the contract): on the platform's own port, or on an address of its own, and behind a token
 * where one is set. Browsers ask for the token as a password, so that the page of the contract opens there too.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono, type MiddlewareHandler } from "hono";
import { Registry } from "prom-client";
import type { HttpEnv } from "../module.ts";
import type { Clients } from "./client.ts";
import { checkEvery, CONNECTION_LIMITS, guardConnections } from "./connections.ts";
import { securityHeaders } from "./security.ts";

type AddRoutes = (app: Hono<HttpEnv>) => void;

/** Where operations are asked, from OPS_LISTEN. */
export interface OpsAddress {
  readonly host: string;
  readonly port: number;
}

/** @returns null when the text is no port, with or without an address before it */
export function parseOpsAddress(text: string): OpsAddress | null {
  const match = /^(?:(\[[0-9a-f:.]+\]|[a-z0-9.-]+):)?(\d{1,5})$/i.exec(text);
  const port = Number(match?.[2]);
  if (match === null || port > 65_535) return null;
  return { host: (match[1] ?? "127.0.0.1").replaceAll(/[[\]]/g, ""), port };
}

/** Binds the routes to an app behind the token. @param token undefined: none is needed */
export function addOperations(
  app: Hono<HttpEnv>,
  routes: readonly AddRoutes[],
  token: string | undefined,
): void {
  const inner = new Hono<HttpEnv>();
  for (const add of routes) add(inner);
  // one by one, so that the guard stands before these paths alone
  for (const { method, path, handler } of inner.routes) {
    app.on(method, path, requireToken(token), handler);
  }
}

const CONNECTIONS = { ...CONNECTION_LIMITS, total: 200, perAddress: 50 };

/** A server of these routes alone. The caller listens and closes. */
export function createOperationsServer(
  routes: readonly AddRoutes[],
  deps: { readonly token: string | undefined; readonly clients: Clients },
): Server {
  const app = new Hono<HttpEnv>();
  app.use(securityHeaders([]));
  addOperations(app, routes, deps.token);
  const answer = getRequestListener(app.fetch);
  const server = createServer(
    { connectionsCheckingInterval: checkEvery(CONNECTIONS) },
    (request, response) => void answer(request, response),
  );
  // its figures would mix with those of the platform
  guardConnections(server, CONNECTIONS, { clients: deps.clients, metrics: new Registry() });
  return server;
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

function requireToken(token: string | undefined): MiddlewareHandler<HttpEnv> {
  if (token === undefined) return (_c, next) => next();
  const wanted = digest(token);
  return async (c, next) => {
    if (timingSafeEqual(digest(tokenOf(c.req.header("authorization") ?? "")), wanted)) {
      await next();
      return;
    }
    return c.text("401", 401, {
      "www-authenticate": 'Basic realm="operations"',
      "cache-control": "no-store",
    });
  };
}

/** Of a bearer token, or the password of basic authentication whatever the name. */
function tokenOf(header: string): string {
  const [, scheme = "", value = ""] = /^(\w+) +(\S+)$/.exec(header) ?? [];
  if (scheme.toLowerCase() === "bearer") return value;
  if (scheme.toLowerCase() !== "basic") return "";
  const text = Buffer.from(value, "base64").toString("utf8");
  return text.slice(text.indexOf(":") + 1);
}
