/** The provider's way of REST (docs/conferences.md#rest): `{ error, ... }` instead of the console's envelope, 0 is success. */
import type { Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Logger } from "pino";
import type { z } from "zod";
import { chatUserOf } from "../../../shared/domain/member-names.ts";
import { RESULT } from "../../../shared/protocol/signalling.ts";
import { AppError } from "../../../shared/errors.ts";
import type { Directory, HttpEnv, Principal } from "../../base/module.ts";

const BODY_BYTES = 32 * 1024;

/** An answer with an `error` code and a text for the person. */
export class Refusal extends Error {
  readonly error: number;
  constructor(error: number, message: string) {
    super(message);
    this.error = error;
  }
}

/** The bearer token of the request; null when there is none. */
export function bearer(c: Context): string | null {
  return /^Bearer +(\S+)$/i.exec(c.req.header("authorization") ?? "")?.[1] ?? null;
}

/** @returns null when the token is invalid; other errors are rethrown */
export async function authenticate(
  directory: Pick<Directory, "authenticate">,
  token: string,
): Promise<Principal | null> {
  if (token === "") return null;
  try {
    return await directory.authenticate(token);
  } catch (error) {
    if (error instanceof AppError && error.code.startsWith("auth.")) return null;
    throw error;
  }
}

/**
 * Companies whose conferences the caller may access: the one of the supplier-id header, or all without a header. A guest (a
 * member without a role) acts for no company.
 *
 * @throws Refusal for a foreign company
 */
export function actsFor(c: Context, principal: Principal): readonly string[] {
  const given = c.req.header("supplier-id") ?? "";
  const { supplierIds, grants } = principal;
  if (given !== "" && !supplierIds.includes(given)) {
    throw new Refusal(RESULT.notAllowed, "无权访问该企业");
  }
  const granted = supplierIds.filter((id) => grants.some(({ supplierId }) => supplierId === id));
  return given === "" ? granted : granted.filter((id) => id === given);
}

/**
 * The company for which the caller creates a conference: the one of the supplier-id header, or the caller's only one.
 *
 * @returns null when there are several and no header
 * @throws Refusal for a foreign company, and for a guest
 */
export function companyOf(c: Context, principal: Principal): string | null {
  const companies = actsFor(c, principal);
  const [only] = companies;
  if (only === undefined) throw new Refusal(RESULT.notAllowed, "没有权限进行此操作");
  const named = (c.req.header("supplier-id") ?? "") !== "";
  return named || principal.supplierIds.length === 1 ? only : null;
}

/**
 * A person names itself in each call, bare or with the app key.
 *
 * @returns the chat user name
 * @throws Refusal for another's name
 */
export function ownName(
  given: string,
  principal: Principal,
  appKey: string,
  field: string,
): string {
  const name = chatUserOf(given, appKey);
  if (name !== principal.chatUserName) {
    throw new Refusal(RESULT.notAllowed, `${field} 不是当前登录用户`);
  }
  return name;
}

/** @throws Refusal that names the first wrong field */
export function parse<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new Refusal(
    RESULT.clientFailure,
    `请求内容不正确：${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`.slice(0, 300),
  );
}

/** Finds the caller by a token; null when the token is invalid. Other errors reject. */
export type Identify = (token: string) => Promise<Principal | null>;

/**
 * A person shows the token of the login, or the token of the chat, which is bound to a login too.
 *
 * @param chatLogin reads a chat token: whose it is, and the login to which it is bound; null when it is invalid
 */
export function createIdentify(
  directory: Pick<Directory, "authenticate" | "principalOf">,
  chatLogin: (
    token: string,
  ) => Promise<{ readonly userName: string; readonly sessionId: string | null } | null>,
): Identify {
  return async (token) => {
    const principal = await authenticate(directory, token);
    if (principal !== null || token === "") return principal;
    const chat = await chatLogin(token);
    if (chat === null || chat.sessionId === null) return null;
    const holder = await directory.principalOf(chat.sessionId);
    return holder?.chatUserName === chat.userName ? holder : null;
  };
}

type Methods = readonly ("GET" | "POST" | "DELETE")[];
export type ProviderHandler = (input: {
  readonly c: Context<HttpEnv>;
  readonly principal: Principal;
  /** Null when it is not JSON. */
  readonly body: unknown;
}) => Promise<object | Response>;

/** A refusal without a login. */
class NoLogin extends Refusal {
  constructor() {
    super(RESULT.notAllowed, "登录已过期，请重新登录");
  }
}

/** Binds a call of a person who is logged in: by bearer token, or by `token` in the body. */
export function providerRoute(
  app: Hono<HttpEnv>,
  methods: Methods,
  path: string,
  deps: { readonly identify: Identify; readonly log: Logger },
  handler: ProviderHandler,
): void {
  openProviderRoute(app, methods, path, deps, async ({ c, body }) => {
    const given = typeof body === "object" && body !== null && "token" in body ? body.token : "";
    const token = bearer(c) ?? (typeof given === "string" ? given : "");
    const principal = await deps.identify(token);
    if (principal === null) throw new NoLogin();
    return handler({ c, principal, body });
  });
}

/**
 * Binds a call whose caller the handler finds. A Response is sent unchanged, refusals become `{ error, errorMessage }`.
 */
export function openProviderRoute(
  app: Hono<HttpEnv>,
  methods: Methods,
  path: string,
  deps: { readonly log: Logger },
  handler: (input: Omit<Parameters<ProviderHandler>[0], "principal">) => Promise<object | Response>,
): void {
  const refuse = (c: Context, error: number, errorMessage: string, status: 200 | 401 | 413 = 200) =>
    c.json({ error, errorMessage }, status);
  app.on(
    [...methods],
    path,
    bodyLimit({
      maxSize: BODY_BYTES,
      onError: (c) => refuse(c, RESULT.clientFailure, "请求内容过大", 413),
    }),
    async (c) => {
      c.header("cache-control", "no-store");
      let body: unknown = null;
      try {
        if (c.req.method !== "GET") body = await c.req.json();
      } catch {
        // Reported by the handler, after it has found the caller.
      }
      try {
        const answer = await handler({ c, body });
        return answer instanceof Response ? answer : c.json(answer);
      } catch (error) {
        if (error instanceof NoLogin) return refuse(c, error.error, error.message, 401);
        if (error instanceof Refusal) return refuse(c, error.error, error.message);
        deps.log.error({ err: error, path: c.req.routePath }, "a conference call failed");
        return refuse(c, RESULT.clientFailure, "服务暂不可用，请稍后重试");
      }
    },
  );
}
