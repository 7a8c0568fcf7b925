/** Lets pages of the allowed origins make calls (docs/server.md#other-origins). */
import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import type { HttpEnv } from "../module.ts";

/** Seconds for which a browser keeps the answer to a preflight. */
const PREFLIGHT_SECONDS = 600;

/**
 * CORS headers for the allowed origins. An answer names the one origin that asked, so it is never shared between origins. Cookies stay
 * out: no call is authorised by one, and without the header for credentials a browser keeps their answers from foreign pages.
 */
export function corsFor(allowed: readonly string[]): MiddlewareHandler<HttpEnv> {
  const share = cors({
    origin: [...allowed],
    allowMethods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
    exposeHeaders: [
      "retry-after",
      "content-disposition",
      // of files that are fetched in parts
      "content-range",
      "x-request-id",
      // of files that come in parts
      "location",
      "upload-offset",
      "upload-length",
    ],
    maxAge: PREFLIGHT_SECONDS,
  });
  return async (c, next) => {
    if (allowed.includes(c.req.header("origin") ?? "")) return share(c, next);
    await next();
    // A cache must not give this answer to an allowed origin.
    c.res.headers.append("vary", "Origin");
  };
}
