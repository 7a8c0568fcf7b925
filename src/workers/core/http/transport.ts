/** One request on the wire: 120 s limit, the server's clock read on the way, every failure an AppError (docs/session.md#requests). */
import { AxiosError, create, type AxiosAdapter } from "axios";
import { AppError, type ErrorCode } from "../../../shared/errors.ts";
import { errorCodeSchema } from "../../../shared/protocol/wire-error.ts";
import { versionsSchema } from "../../../shared/protocol/rest/conflict.ts";
import type { RestMethod } from "../../../shared/protocol/rest/index.ts";
import { z } from "../../../shared/zod.ts";
import type { Clock, FilePart, Online } from "../contracts.ts";
import { createClockOffset } from "./clock-offset.ts";

/** ms */
export const REQUEST_TIMEOUT = 120_000;

export interface WireRequest {
  /** For reports: the call's id or the provider's path. */
  readonly id: string;
  readonly method: RestMethod;
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly form?: boolean;
  /** For a body that is already encoded as bytes. */
  readonly contentType?: string;
  /** ms, where REQUEST_TIMEOUT does not fit. */
  readonly timeout?: number;
  /** Called while the body is sent, with bytes. */
  readonly onSent?: (loaded: number, total: number) => void;
  readonly signal?: AbortSignal;
  /** The answer is a file. */
  readonly file?: boolean;
  /** The first and the last byte that are wanted of the file. The answer is a FilePart then. */
  readonly range?: readonly [number, number];
  /** Called while a file is received, with bytes; null: the answer does not say how many they are. */
  readonly onReceived?: (loaded: number, total: number | null) => void;
}

export interface TransportDeps {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly online: Online;
  /** Called with server time minus local time in ms, as soon as it is known and better known. */
  readonly onOffset: (ms: number) => void;
  /** Replaces axios's adapter in tests. */
  readonly adapter?: AxiosAdapter;
}

type Headers = Readonly<Record<string, unknown>>;

/** @returns the parsed body of a 200 or 201, the file, or the part of it that was asked for */
export type Transport = (request: WireRequest) => Promise<unknown>;

const codeOfStatus = (status: number): ErrorCode => {
  const known: Readonly<Record<number, ErrorCode>> = {
    400: "request.invalid",
    401: "auth.required",
    403: "auth.forbidden",
    404: "request.not-found",
    409: "request.conflict",
    413: "request.too-large",
    429: "request.rate-limited",
    502: "server.unavailable",
    503: "server.unavailable",
    504: "server.unavailable",
  };
  return known[status] ?? (status >= 400 && status < 500 ? "request.invalid" : "server.internal");
};

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim().slice(0, 500) : undefined;

/** What is wrong with single fields of the input: texts by the path of the field. */
const wrongFieldsSchema = z.object({
  details: z.object({ fields: z.record(z.string().max(200), z.string().max(500)) }),
});
/** The server's words in English, beside the message in Chinese. */
const englishSchema = z.object({ details: z.object({ en: z.string().min(1).max(500) }) });
const staleSchema = z.object({ details: z.object({ versions: versionsSchema }) });

/**
 * The error of an answer that is none of success: the server's message, else error_description, else the catalogue's.
 *
 * @param body whatever the server sent; `error` may name a code of the catalogue
 * @param retryAfter seconds, when the answer says them
 * @returns its `details.fields`, `details.en` and `details.versions` are those of the answer
 */
export function errorOfAnswer(
  id: string,
  status: number,
  body: unknown,
  retryAfter?: number,
): AppError {
  const fields = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  const named = errorCodeSchema.safeParse(fields["error"]);
  const message =
    textOf(fields["msg"]) ?? textOf(fields["message"]) ?? textOf(fields["error_description"]);
  const wrong = wrongFieldsSchema.safeParse(body);
  const english = englishSchema.safeParse(body);
  const stale = staleSchema.safeParse(body);
  return new AppError(named.success ? named.data : codeOfStatus(status), {
    message,
    details: {
      call: id,
      status,
      ...(retryAfter === undefined ? {} : { retryAfter }),
      ...(wrong.success ? { fields: wrong.data.details.fields } : {}),
      ...(english.success ? { en: english.data.details.en } : {}),
      ...(stale.success ? { versions: stale.data.details.versions } : {}),
    },
  });
}

/** Seconds of a Retry-After header; a date is ignored. */
const secondsOf = (header: unknown): number | undefined =>
  typeof header === "string" && /^\d{1,5}$/.test(header.trim()) ? Number(header) : undefined;

function bodyOf({ form, body }: WireRequest): unknown {
  if (form === true) return new URLSearchParams(body as Record<string, string>);
  // axios would send the whole buffer behind a view, so copy the view's bytes
  if (body instanceof Uint8Array) return new Uint8Array(body).buffer;
  return body;
}

/** Statuses of pages that gateways of the platform send: a refused token, and too much. */
const OF_GATEWAYS: ReadonlySet<number> = new Set([401, 413, 429]);

/**
 * Whether the network or a proxy answered in place of the platform, whose answers are JSON or a file: a login page with status 200, or a
 * page that refuses.
 */
function isIntercepted(status: number, data: unknown, headers: Headers): boolean {
  const page =
    data instanceof Blob
      ? /^text\/html\b/i.test(data.type) && headers["content-disposition"] === undefined
      : typeof data === "string" && /^\s*</.test(data);
  if (status === 200 || status === 201) {
    return page || (typeof data === "string" && data.trim() !== "");
  }
  return page && !OF_GATEWAYS.has(status) && (status < 500 || status === 511);
}

/** The size of the whole file that an answer with a part of it names; null where it cannot be read. */
const wholeSize = (headers: Headers): number | null => {
  const [, size] = /\/(\d{1,15})$/.exec(String(headers["content-range"] ?? "")) ?? [];
  return size === undefined ? null : Number(size);
};

/** The envelope of a refusal, also when a file was asked for. */
const refusalOf = async (data: unknown): Promise<unknown> => {
  if (!(data instanceof Blob)) return data;
  try {
    return JSON.parse(await data.text());
  } catch {
    return null;
  }
};

export function createTransport(deps: TransportDeps): Transport {
  const { clock } = deps;
  const clockOffset = createClockOffset(deps.onOffset);
  const client = create({
    baseURL: deps.baseUrl,
    timeout: REQUEST_TIMEOUT,
    adapter: deps.adapter ?? "fetch",
    validateStatus: () => true,
    transitional: { clarifyTimeoutError: true },
  });

  return async (request) => {
    const sentAt = clock.now();
    const { onSent, onReceived, range } = request;
    let answer;
    try {
      answer = await client.request<unknown>({
        method: request.method,
        url: request.path,
        params: request.query,
        ...(request.timeout === undefined ? {} : { timeout: request.timeout }),
        headers: {
          Accept: "application/json",
          ...(request.contentType === undefined ? {} : { "Content-Type": request.contentType }),
          ...(range === undefined ? {} : { Range: `bytes=${range[0]}-${range[1]}` }),
          ...request.headers,
        },
        ...(request.body === undefined ? {} : { data: bodyOf(request) }),
        ...(request.file === true ? { responseType: "blob" as const } : {}),
        ...(request.signal === undefined ? {} : { signal: request.signal }),
        ...(onReceived === undefined
          ? {}
          : { onDownloadProgress: ({ loaded, total }) => onReceived(loaded, total ?? null) }),
        ...(onSent === undefined
          ? {}
          : {
              // fetch reports no progress of a body over HTTP/1.1
              adapter: deps.adapter ?? ("xhr" as const),
              onUploadProgress: ({ loaded, total }) => onSent(loaded, total ?? loaded),
            }),
      });
    } catch (error) {
      const details = { call: request.id };
      if (request.signal?.aborted === true) {
        throw new AppError("request.cancelled", { details, cause: error });
      }
      const timedOut =
        error instanceof AxiosError &&
        (error.code === "ETIMEDOUT" || error.code === "ECONNABORTED");
      if (timedOut) throw new AppError("network.timeout", { details, cause: error });
      if (!deps.online.online) throw new AppError("network.offline", { details, cause: error });
      throw new AppError("server.unavailable", { details, cause: error });
    }
    if (isIntercepted(answer.status, answer.data, answer.headers)) {
      // without the status, which is none of the platform's
      throw new AppError("network.intercepted", { details: { call: request.id } });
    }
    clockOffset.learn(answer.headers["date"], sentAt, clock.now());
    const { data } = answer;
    if (range !== undefined && answer.status === 206 && data instanceof Blob) {
      const size = wholeSize(answer.headers);
      // Nobody could tell where the file ends.
      if (size === null) throw new AppError("server.internal", { details: { call: request.id } });
      return { blob: data, size, whole: false } satisfies FilePart;
    }
    if (answer.status !== 200 && answer.status !== 201) {
      const retryAfter = secondsOf(answer.headers["retry-after"]);
      throw errorOfAnswer(request.id, answer.status, await refusalOf(answer.data), retryAfter);
    }
    if (range !== undefined && data instanceof Blob) {
      return { blob: data, size: data.size, whole: true } satisfies FilePart;
    }
    return data;
  };
}
