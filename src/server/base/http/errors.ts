/** Every error of a request as the envelope of docs/server.md#rest: `{ code, msg, error }`, with nothing of the inside. */
import type { IncomingMessage } from "node:http";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { HTTPException } from "hono/http-exception";
import { AppError, ERROR_CATALOGUE } from "../../../shared/errors.ts";
import type { HttpEnv } from "../module.ts";

/** The code of every envelope of a failed call. The field `error` names the error. */
export const FAILURE = 1;

/** @param status replaces the status of the catalogue, for calls that report failure by a code within a 200 */
export function errorResponse(
  c: Context,
  error: AppError,
  status?: ContentfulStatusCode,
): Response {
  const http = ERROR_CATALOGUE[error.code].http;
  const retryAfter = error.details?.["retryAfter"];
  if (typeof retryAfter === "number") c.header("retry-after", String(Math.ceil(retryAfter)));
  c.header("cache-control", "no-store");
  return c.json(
    {
      code: FAILURE,
      msg: error.message,
      error: error.code,
      ...(error.details === undefined ? {} : { details: error.details }),
    },
    // Error codes of the browser side have no HTTP status. Here they can only be a mistake.
    status ?? ((http === 0 ? 500 : http) as ContentfulStatusCode),
  );
}

/** Error codes for errors of Hono's middleware that a client can cause. */
const BY_STATUS: Record<number, ConstructorParameters<typeof AppError>[0]> = {
  400: "request.invalid",
  413: "request.too-large",
  504: "server.unavailable",
};

/** PostgreSQL's code for a cancelled statement: it timed out, or an administrator cancelled it. */
const CANCELLED = "57014";

function isCancelled(error: unknown): boolean {
  for (let e: unknown = error; e instanceof Error; e = e.cause) {
    if ("code" in e && e.code === CANCELLED) return true;
  }
  return false;
}

/** The connection broke before the whole request arrived. Any error after that is a consequence. */
export function isAborted(c: Context): boolean {
  const { incoming } = (c.env ?? {}) as { incoming?: IncomingMessage };
  return incoming !== undefined && incoming.destroyed && !incoming.complete;
}

export function handleError(error: Error, c: Context<HttpEnv>): Response {
  // The client is gone; nobody reads this answer.
  if (isAborted(c)) return errorResponse(c, new AppError("request.invalid"));
  if (isCancelled(error)) {
    c.var.log.warn({ route: c.req.routePath }, "a statement took too long");
    return errorResponse(c, new AppError("server.unavailable"));
  }
  if (error instanceof AppError && ERROR_CATALOGUE[error.code].http !== 0) {
    if (error.code === "server.internal") c.var.log.error({ err: error }, "request failed");
    return errorResponse(c, error);
  }
  if (error instanceof HTTPException) {
    return errorResponse(c, new AppError(BY_STATUS[error.status] ?? "server.internal"));
  }
  c.var.log.error({ err: error }, "request failed");
  return errorResponse(c, new AppError("server.internal"));
}
