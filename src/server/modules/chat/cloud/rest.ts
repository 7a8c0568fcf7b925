/**
 * Asks the REST of Easemob's cloud, as the application (docs/chat.md#easemobs-cloud). Requests go to the configured address alone:
 * a redirect is an error.
 */
import type { z } from "zod";
import { AppError } from "../../../../shared/errors.ts";
import {
  cloudErrorSchema,
  appTokenRequestSchema,
  tokenAnswerSchema,
} from "../../../../shared/protocol/easemob-rest.ts";
import type { Clock } from "../../../base/module.ts";

/** ms that an answer may take. */
const PATIENCE = 10_000;
/** Seconds that the application's token lives, and by how many it is renewed earlier. */
const APP_TOKEN_TTL = 86_400;
const RENEW_EARLIER = 600;

/** The cloud refuses a request. */
export class CloudRefusal extends Error {
  readonly status: number;
  /** The cloud's name of the error. */
  readonly error: string;
  constructor(status: number, error: string, description: string) {
    super(`the chat provider answered ${status} ${error}: ${description}`);
    this.name = "CloudRefusal";
    this.status = status;
    this.error = error;
  }
}

export interface CloudAccess {
  /** Address without a path. */
  readonly apiUrl: string;
  readonly appKey: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface CloudRest {
  /**
   * @throws CloudRefusal for an error answer
   * @throws AppError server.unavailable when the cloud cannot be reached, is overloaded, or answers something else than documented
   */
  ask<T extends z.ZodType>(
    method: "GET" | "POST" | "PUT" | "DELETE",
    path: string,
    answer: T,
    body?: unknown,
  ): Promise<z.infer<T>>;
}

export function createCloudRest(
  access: CloudAccess,
  deps: { readonly clock: Pick<Clock, "now">; readonly fetch: typeof fetch },
): CloudRest {
  const { clock } = deps;
  const base = `${access.apiUrl}/${access.appKey.replace("#", "/")}`;
  let token: { value: string; until: number } | null = null;
  let renewing: Promise<string> | null = null;

  const unavailable = (cause: unknown): AppError =>
    new AppError("server.unavailable", { message: "聊天服务暂时不可用", cause });

  async function request(
    method: string,
    path: string,
    bearer: string | null,
    body: unknown,
  ): Promise<{ status: number; json: unknown }> {
    try {
      const response = await deps.fetch(`${base}${path}`, {
        method,
        headers: {
          accept: "application/json",
          "content-type": "application/json",
          ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        redirect: "error",
        signal: AbortSignal.timeout(PATIENCE),
      });
      const text = await response.text();
      return { status: response.status, json: text === "" ? {} : (JSON.parse(text) as unknown) };
    } catch (error) {
      throw unavailable(error);
    }
  }

  function read<T extends z.ZodType>(
    { status, json }: { status: number; json: unknown },
    answer: T,
  ): z.infer<T> {
    if (status !== 200) {
      const known = cloudErrorSchema.safeParse(json);
      const { error, error_description: text } = known.data ?? { error: "", error_description: "" };
      const refusal = new CloudRefusal(status, error, text);
      throw status === 429 || status >= 500 ? unavailable(refusal) : refusal;
    }
    const parsed = answer.safeParse(json);
    if (!parsed.success) throw unavailable(parsed.error);
    return parsed.data;
  }

  async function renew(): Promise<string> {
    const body: z.infer<typeof appTokenRequestSchema> = {
      grant_type: "client_credentials",
      client_id: access.clientId,
      client_secret: access.clientSecret,
      ttl: APP_TOKEN_TTL,
    };
    const got = read(await request("POST", "/token", null, body), tokenAnswerSchema);
    token = {
      value: got.access_token,
      until: clock.now() + Math.max(0, got.expires_in - RENEW_EARLIER) * 1000,
    };
    return got.access_token;
  }
  /** The application's token. Requests at the same moment share a renewal: the cloud bans who asks too often. */
  async function appToken(): Promise<string> {
    if (token !== null && token.until > clock.now()) return token.value;
    renewing ??= renew().finally(() => (renewing = null));
    return await renewing;
  }

  return {
    async ask(method, path, answer, body) {
      const used = await appToken();
      let got = await request(method, path, used, body);
      if (got.status === 401) {
        // Taken back before its time.
        if (token?.value === used) token = null;
        got = await request(method, path, await appToken(), body);
      }
      return read(got, answer);
    },
  };
}
