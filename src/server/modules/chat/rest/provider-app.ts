/** What all REST calls of the provider share: their context, how a body is parsed, and errors in the provider's format. */
import { Hono } from "hono";
import type { Context } from "hono";
import { z } from "zod";
import type { Logger } from "pino";
import { isAborted } from "../../../base/http/errors.ts";
import type { Clock, HttpEnv } from "../../../base/module.ts";
import type { ChatIdentity } from "../credentials.ts";

export type Env = { Variables: HttpEnv["Variables"] & { identity: ChatIdentity } };

/** A refusal. The SDK recognises its kind by the text of `error`. */
export class ProviderError extends Error {
  readonly status: 400 | 401 | 403 | 404 | 413 | 429;
  readonly error: string;
  constructor(status: 400 | 401 | 403 | 404 | 413 | 429, error: string, description: string) {
    super(description);
    this.status = status;
    this.error = error;
  }
}

/** Characters of a request's body. */
const MAX_BODY = 64 * 1024;

/** An app without routes that answers errors as the provider does. */
export function createProviderApp(deps: {
  readonly clock: Clock;
  readonly log: Logger;
}): Hono<Env> {
  const { clock, log } = deps;
  const app = new Hono<Env>();
  app.onError((error, c) => {
    if (error instanceof ProviderError) {
      return c.json(
        {
          error: error.error,
          exception: error.error,
          error_description: error.message,
          timestamp: clock.now(),
          duration: 0,
        },
        error.status,
      );
    }
    // Not an error of the server when the client disconnected during its request.
    if (!isAborted(c)) log.error({ err: error }, "chat REST call failed");
    return c.json(
      { error: "internal_error", error_description: "internal error", timestamp: clock.now() },
      500,
    );
  });
  return app;
}

/**
 * The body of a request: JSON, or a form.
 *
 * @throws ProviderError when it is too large or does not fit the schema
 */
export async function body<T extends z.ZodType>(c: Context<Env>, schema: T): Promise<z.infer<T>> {
  const text = await c.req.text();
  if (text.length > MAX_BODY) {
    throw new ProviderError(413, "request_entity_too_large", "the request is too large");
  }
  let value: unknown;
  try {
    value = text === "" ? {} : JSON.parse(text);
  } catch {
    // Profile updates are sent as a form.
    value = Object.fromEntries(new URLSearchParams(text));
  }
  // NUL and lone surrogates, which JSON writes as escapes, are no text for the database.
  if (/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/.test(JSON.stringify(value))) {
    throw new ProviderError(400, "illegal_argument", "invalid parameter: not a text");
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const first = parsed.error.issues[0];
  throw new ProviderError(
    400,
    "illegal_argument",
    `invalid parameter ${first?.path.join(".") ?? ""}: ${first?.message ?? ""}`,
  );
}
