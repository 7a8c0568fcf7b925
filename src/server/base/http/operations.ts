/**
 * Routes for operators (metrics, the contract): on the platform's port, or on a separate address, and behind a token when one
 * is set. Browsers ask for the token as a basic-auth password, so the contract's page opens there too.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono, type MiddlewareHandler } from "hono";
import { Registry } from "prom-client";
import type { HttpEnv } from "../module.ts";
import { type Clients, clientOf } from "./client.ts";
import { checkEvery, CONNECTION_LIMITS, guardConnections } from "./connections.ts";
import { securityHeaders } from "./security.ts";

type AddRoutes = (app: Hono<HttpEnv>) => void;

/**
 * Binds the routes to an app behind the token.
 *
 * @param token undefined when none is required
 */
export function addOperations(
  app: Hono<HttpEnv>,
  routes: readonly AddRoutes[],
  token: string | undefined,
): void {
  const inner = new Hono<HttpEnv>();
  for (const add of routes) add(inner);
  // Bind each route on its own, so that the guard covers only these paths.
  for (const { method, path, handler } of inner.routes) {
    app.on(method, path, requireToken(token), handler);
  }
}

const CONNECTIONS = { ...CONNECTION_LIMITS, total: 200, perAddress: 50 };

/** A server with these routes only. The caller listens and closes it. */
export function createOperationsServer(
  routes: readonly AddRoutes[],
  deps: { readonly token: string | undefined; readonly clients: Clients },
): Server {
  const app = new Hono<HttpEnv>();
  app.use((c, next) => {
    c.set("client", clientOf(c, deps.clients));
    return next();
  });
  app.use(securityHeaders([]));
  addOperations(app, routes, deps.token);
  const answer = getRequestListener(app.fetch);
  const server = createServer(
    { connectionsCheckingInterval: checkEvery(CONNECTIONS) },
    (request, response) => void answer(request, response),
  );
  // A separate registry, because these connections must not mix with the platform's figures.
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

/** The bearer token, or the password of basic authentication with any user name. */
function tokenOf(header: string): string {
  const [, scheme = "", value = ""] = /^(\w+) +(\S+)$/.exec(header) ?? [];
  if (scheme.toLowerCase() === "bearer") return value;
  if (scheme.toLowerCase() !== "basic") return "";
  const text = Buffer.from(value, "base64").toString("utf8");
  return text.slice(text.indexOf(":") + 1);
}
