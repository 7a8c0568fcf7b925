/** Every error of a request as the envelope of console spec §7: `{ code, msg, error }`, with nothing of the inside. */
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { HTTPException } from "hono/http-exception";
import { AppError, ERROR_CATALOGUE } from "../../shared/errors.ts";
import type { HttpEnv } from "../module.ts";

/** Code of every envelope that is not a success; which error it is says `error`. */
export const FAILURE = 1;

/** @param status replaces the catalogue's, for calls whose failure is a code within a 200 */
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
    // codes of the browser's side have no status; here they can only be a mistake
    status ?? ((http === 0 ? 500 : http) as ContentfulStatusCode),
  );
}

/** Errors of Hono's own middleware that a client can cause. */
const BY_STATUS: Record<number, ConstructorParameters<typeof AppError>[0]> = {
  400: "request.invalid",
  413: "request.too-large",
  504: "server.unavailable",
};

export function handleError(error: Error, c: Context<HttpEnv>): Response {
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
