/**
 * The HTTP side: one Hono app with the middleware that every request passes (request id, log, metrics, security headers,
 * limits), the routes of the modules, and the built console for all other paths. Pages of other origins are let in by configuration
 * alone.
 */
import { randomUUID } from "node:crypto";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { matchedRoutes } from "hono/route";
import { timeout } from "hono/timeout";
import { Counter, Histogram, type Registry } from "prom-client";
import type { Logger } from "pino";
import { AppError } from "../../../shared/errors.ts";
import { type RestCall, restCalls } from "../../../shared/protocol/rest/index.ts";
import type { BodyLimit, HttpEnv } from "../module.ts";
import { type Clients, clientOf } from "./client.ts";
import { corsFor } from "./cors.ts";
import { errorResponse, handleError, isAborted } from "./errors.ts";
import type { RequestsInFlight } from "./requests-in-flight.ts";
import { securityHeaders } from "./security.ts";
import { createStaticHandler } from "./static.ts";

/** Largest request body in bytes, unless a call declares its own limit. */
export const BODY_LIMIT = 1024 * 1024;
/** ms that one request may take (docs/server.md#rest). */
export const REQUEST_TIMEOUT = 120_000;

export interface HttpAppDeps {
  readonly log: Logger;
  readonly metrics: Registry;
  readonly clients: Clients;
  /** Folder of the built console. */
  readonly dist: string | undefined;
  /** BASE_PATH, which the addresses in the page begin with. Requests come without it. Default: none. */
  readonly basePath?: string;
  /** Origins beyond its own that the console talks to. */
  readonly connect: readonly string[];
  /** Other origins whose pages may make calls. */
  readonly origins?: readonly string[];
  readonly requestTimeout?: number;
  /** Paths with a limit of their own that are no calls of `restCalls`. */
  readonly bodyLimits?: readonly BodyLimit[];
  /** Counts the requests in flight, for work that lets them pass. Left out: they are not counted. */
  readonly requests?: Pick<RequestsInFlight, "begin">;
}

export function createHttpApp(
  deps: HttpAppDeps,
  routes: readonly ((app: Hono<HttpEnv>) => void)[],
): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const total = new Counter({
    name: "http_requests_total",
    help: "HTTP requests by method, route and status",
    labelNames: ["method", "route", "status"],
    registers: [deps.metrics],
  });
  const seconds = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time to answer",
    labelNames: ["method", "route"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers: [deps.metrics],
  });

  app.use(async (c, next) => {
    const requestId = randomUUID();
    const started = performance.now();
    c.set("requestId", requestId);
    c.set("log", deps.log.child({ requestId }));
    c.set("client", clientOf(c, deps.clients));
    await next();
    const elapsed = performance.now() - started;
    const route = routeOf(c);
    const method = METHODS.has(c.req.method) ? c.req.method : "other";
    c.res.headers.set("x-request-id", requestId);
    // The rest of the body is not read, so the connection cannot carry another request.
    if (c.res.status === 413) c.res.headers.set("connection", "close");
    // A download must never be rendered as a page of this origin.
    if (c.res.headers.get("content-disposition")?.startsWith("attachment") === true) {
      c.res.headers.set("content-security-policy", "default-src 'none'; sandbox");
    }
    const status = isAborted(c) ? ABORTED : c.res.status;
    total.inc({ method, route, status: String(status) });
    seconds.observe({ method, route }, elapsed / 1000);
    // Log the route pattern, not the path: a path or query may contain secrets.
    c.var.log.info({ method, route, status, ms: Math.round(elapsed) }, "request");
  });
  app.use(securityHeaders(deps.connect));
  const { origins = [] } = deps;
  if (origins.length > 0) app.use(corsFor(origins));
  app.use(timeout(deps.requestTimeout ?? REQUEST_TIMEOUT));
  const limitBody = (maxSize: number): MiddlewareHandler<HttpEnv> =>
    bodyLimit({ maxSize, onError: (c) => errorResponse(c, new AppError("request.too-large")) });
  const general = limitBody(BODY_LIMIT);
  const calls = Object.values<RestCall>(restCalls).flatMap(({ method, path, bodyLimit: size }) =>
    size === undefined ? [] : [{ method, path, size }],
  );
  const own = [...calls, ...(deps.bodyLimits ?? [])].map(({ method, path, size }) => ({
    method,
    path: pathPattern(path),
    limit: limitBody(size),
  }));
  app.use(async (c, next) => {
    const { method, path } = c.req;
    const found = own.find((one) => one.method === method && one.path.test(path));
    if (found !== undefined) return found.limit(c, next);
    // Bodies with a limit of their own are chunks of imports and files, which arrive slowly by themselves.
    const end = deps.requests?.begin();
    try {
      return await general(c, next);
    } finally {
      end?.();
    }
  });
  for (const add of routes) add(app);
  app.notFound(createStaticHandler(deps.dist, deps.basePath));
  app.onError(handleError);
  return app;
}

/** A pattern that matches the paths of a call. */
const pathPattern = (path: string): RegExp => {
  const plain = path.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${plain.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
};

/** Status in logs and metrics for a request whose client disconnected; nginx uses the same number. */
const ABORTED = 499;
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * The route pattern that matched, so that ids in paths do not create new metrics. Of `/list` and `/:id`, which match both, the one that
 * was bound first answers.
 */
function routeOf(c: Context): string {
  const route = matchedRoutes(c).find((r) => r.method !== "ALL");
  return route?.path ?? "static";
}
