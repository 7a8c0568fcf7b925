/** The HTTP server of the platform: which requests the app answers, and which a middleware gets first. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import type { HttpEnv } from "../module.ts";
import { enterBase } from "./base-path.ts";
import { checkEvery, type ConnectionLimits } from "./connections.ts";
import { ConsoleRequest } from "./requests.ts";

/** The middleware signature of connect and vite. */
export type Middleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/** @returns a server that does not listen yet and takes no upgrade. The caller closes it. */
export function createAppServer(
  app: Hono<HttpEnv>,
  options: {
    readonly limits: ConnectionLimits;
    /** BASE_PATH, which requests lose before the app or the middleware sees them. */
    readonly basePath: string;
    /** Handles requests that no route takes. Requests that it passes on return to the app. */
    readonly middleware: Middleware | undefined;
  },
): Server {
  const { limits, basePath, middleware } = options;
  const isRoute = (method: string, path: string): boolean =>
    app.router.match(method, path)[0].some(([[, route]]) => route.method !== "ALL");
  const answer = getRequestListener(app.fetch);
  return createServer(
    { connectionsCheckingInterval: checkEvery(limits), IncomingMessage: ConsoleRequest },
    (request, response) => {
      enterBase(request, basePath);
      const path = (request.url ?? "/").split("?")[0] ?? "/";
      if (middleware === undefined || isRoute(request.method ?? "GET", path)) {
        void answer(request, response);
      } else {
        middleware(request, response, () => void answer(request, response));
      }
    },
  );
}
