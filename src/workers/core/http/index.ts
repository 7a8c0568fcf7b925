/**
 * The one way out to the platform: calls of the REST table and providers' calls, with the session's headers, checked both ways.
 *
 * Headers (docs/session.md#requests): `Authorization: Bearer …`, `systemName`, `supplier-id`, `menu-id`; the last two are left out while
 * they are unknown. Login, refresh and open calls bear none of them. `Accept-Language` goes with every call. The spec names the headers by meaning alone; these are the
 * names that both sides of this product use.
 */
import type { z } from "../../../shared/zod.ts";
import { AppError } from "../../../shared/errors.ts";
import { SYSTEM_HEADER_VALUE } from "../../../shared/protocol/config.ts";
import { envelopeSchema, type RestCall } from "../../../shared/protocol/rest/index.ts";
import type { CallOptions, CoreEnv, FileHttp, FilePart, Http } from "../contracts.ts";
import { errorOfAnswer, type Transport, type WireRequest } from "./transport.ts";

export { createTransport, type Transport } from "./transport.ts";
export type { CallOptions } from "../contracts.ts";

/** What a request needs from the session. */
export interface Authority {
  /** A valid token. @throws AppError auth.required */
  accessToken(): Promise<string>;
  /** After a 401: resolves to true when another token is available and the request should be retried. */
  renewAfter401(token: string, error: AppError): Promise<boolean>;
  /** Called when the platform accepted the session's token. */
  accepted(): void;
  /** Called when a 401 is final: there is no other token, or the platform refused that one too. */
  rejected(): void;
  /** Called when the platform refused a request in the company of the session. */
  forbidden?(): void;
  supplierId(): string | null;
  menuId(): string | null;
  /** Of the page that the person looks at. */
  language(): string | null;
}

type Input<C extends RestCall> = {
  params?: z.input<C["params"]>;
  query?: z.input<C["query"]>;
  body?: z.input<C["body"]>;
};

export interface HttpClient extends Http, FileHttp {
  call<C extends RestCall>(
    call: C,
    input?: Input<C>,
    options?: CallOptions,
  ): Promise<z.output<C["data"]>>;
}

export interface HttpDeps {
  readonly env: Pick<CoreEnv, "config" | "log">;
  readonly transport: Transport;
  readonly authority: Authority;
}

/** Encodes UTF-8 bytes, because a client's secret may contain characters beyond Latin-1. */
const basic = (id: string, secret: string): string =>
  `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${id}:${secret}`)))}`;

const isUnauthorized = (error: AppError): boolean => error.details?.["status"] === 401;

/** @throws AppError request.invalid with the name of the field */
function checked<S extends z.ZodType>(schema: S, value: unknown, part: string): z.output<S> {
  const parsed = schema.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  const field = [part, ...(parsed.error.issues[0]?.path ?? [])].join(".");
  throw new AppError("request.invalid", { details: { field } });
}

function fillPath(path: string, params: unknown): string {
  const values = (params ?? {}) as Record<string, unknown>;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

export function createHttp({ env, transport, authority }: HttpDeps): HttpClient {
  const bearer = (token: string, options: CallOptions): Record<string, string> => {
    const supplierId =
      options.supplierId === undefined ? authority.supplierId() : options.supplierId;
    const menuId = authority.menuId();
    return {
      ...spoken(),
      Authorization: `Bearer ${token}`,
      systemName: SYSTEM_HEADER_VALUE,
      ...(supplierId === null ? {} : { "supplier-id": supplierId }),
      ...(menuId === null ? {} : { "menu-id": menuId }),
    };
  };
  /** The browser's own language would stand there otherwise, whatever the console speaks. */
  const spoken = (): Record<string, string> => {
    const language = authority.language();
    return language === null ? {} : { "Accept-Language": language };
  };
  const authorized = async (
    request: Omit<WireRequest, "headers">,
    options: CallOptions,
    bodyWith: (token: string) => { readonly body?: unknown } = () => ({}),
  ): Promise<unknown> => {
    const attempt = (token: string): Promise<unknown> =>
      transport({ ...request, ...bodyWith(token), headers: bearer(token, options) });
    // a refused foreign token says nothing about the session
    if (options.token !== undefined) return attempt(options.token);
    const token = await authority.accessToken();
    try {
      const answer = await attempt(token).catch(async (thrown: unknown) => {
        const error = AppError.from(thrown);
        if (!isUnauthorized(error)) throw error;
        if (!(await authority.renewAfter401(token, error))) throw error;
        return attempt(await authority.accessToken());
      });
      authority.accepted();
      return answer;
    } catch (thrown) {
      const error = AppError.from(thrown);
      if (isUnauthorized(error)) authority.rejected();
      if (error.code === "auth.forbidden" && options.supplierId === undefined) {
        authority.forbidden?.();
      }
      throw error;
    }
  };
  const send = (
    call: RestCall,
    request: Omit<WireRequest, "headers">,
    options: CallOptions,
  ): Promise<unknown> => {
    if (call.auth === "bearer") return authorized(request, options);
    const headers = spoken();
    if (call.auth === "client") {
      const client = env.config.clients[options.systemName ?? SYSTEM_HEADER_VALUE];
      headers["Authorization"] = basic(client.id, client.secret);
    }
    return transport({ ...request, headers });
  };
  /** The error for an answer that breaks its schema. The report names the place in the answer, never its data. */
  const mismatch = (id: string, error: z.ZodError): AppError => {
    const issue = error.issues[0];
    env.log(
      "http",
      "warn",
      `${id}: unexpected answer at ${issue?.path.join(".") ?? ""}: ${issue?.code ?? ""}`,
    );
    return new AppError("server.internal", { details: { call: id } });
  };

  const fileRequest = (
    call: RestCall,
    input: Input<RestCall>,
    { onReceived, signal, timeout }: CallOptions,
  ): Omit<WireRequest, "headers"> => {
    const params = checked(call.params, input.params, "params");
    const query = checked(call.query, input.query, "query") as Record<string, unknown>;
    return {
      id: call.id,
      method: call.method,
      path: fillPath(call.path, params),
      query,
      file: true,
      ...(call.method === "POST" ? { body: checked(call.body, input.body, "body") } : {}),
      ...(onReceived === undefined ? {} : { onReceived }),
      ...(signal === undefined ? {} : { signal }),
      ...(timeout === undefined ? {} : { timeout }),
    };
  };
  const noFile = (call: RestCall): AppError =>
    new AppError("server.internal", { details: { call: call.id } });
  const isPart = (answer: unknown): answer is FilePart =>
    typeof answer === "object" &&
    answer !== null &&
    "blob" in answer &&
    answer.blob instanceof Blob;

  return {
    async call<C extends RestCall>(
      call: C,
      input: Input<C> = {},
      options: CallOptions = {},
    ): Promise<z.output<C["data"]>> {
      const params = checked(call.params, input.params, "params");
      const query = checked(call.query, input.query, "query") as Record<string, unknown>;
      const body = options.bytes ?? options.form ?? checked(call.body, input.body, "body");
      const answer = await send(
        call,
        {
          id: call.id,
          method: call.method,
          path: fillPath(call.path, params),
          query,
          form: call.bodyType === "form",
          ...(options.bytes === undefined ? {} : { contentType: "application/gzip" }),
          ...(options.timeout === undefined ? {} : { timeout: options.timeout }),
          ...(options.onSent === undefined ? {} : { onSent: options.onSent }),
          ...(options.signal === undefined ? {} : { signal: options.signal }),
          ...(call.method === "POST" || call.method === "PUT" ? { body } : {}),
        },
        options,
      );
      const envelope = envelopeSchema.safeParse(answer);
      if (!envelope.success) {
        mismatch(call.id, envelope.error);
        // the platform puts everything into its envelope
        throw new AppError("network.intercepted", { details: { call: call.id } });
      }
      if (envelope.data.code !== (call.success?.code ?? 0))
        throw errorOfAnswer(call.id, 200, envelope.data);
      const data = call.data.safeParse(envelope.data.data ?? null);
      if (!data.success) throw mismatch(call.id, data.error);
      return data.data as z.output<C["data"]>;
    },

    async file(call, input, options = {}) {
      const answer = await send(call, fileRequest(call, input, options), options);
      if (!(answer instanceof Blob)) throw noFile(call);
      return answer;
    },

    async part(call, input, { from, bytes }, options = {}) {
      const range = [from, from + bytes - 1] as const;
      const answer = await send(call, { ...fileRequest(call, input, options), range }, options);
      if (!isPart(answer)) throw noFile(call);
      return answer;
    },

    headers: async (options = {}) => bearer(await authority.accessToken(), options),

    async provider({ withoutLogin = false, tokenInBody = false, ...given }, schema) {
      const request = { ...given, id: given.path };
      // A retry after a 401 has another token, in the body too.
      const bodyWith = (token: string) =>
        tokenInBody ? { body: { ...(given.body as object), token } } : {};
      const answer = withoutLogin
        ? await transport({ ...request, headers: {} })
        : await authorized(request, {}, bodyWith);
      const data = schema.safeParse(answer);
      if (!data.success) throw mismatch(request.path, data.error);
      return data.data;
    },
  };
}
