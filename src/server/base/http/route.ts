/**
 * Binds a declared REST call to Hono: parses parameters, query and body by the call's schemas, authenticates the caller, and
 * wraps the answer into the envelope. Invalid input is refused with the names of its fields.
 */
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Context, Hono } from "hono";
import { z } from "zod";
import { zhCN } from "zod/locales";
import { AppError } from "../../../shared/errors.ts";
import {
  ALL_PERMISSIONS,
  DEFAULT_ACCESS,
  hasNoNul,
  NUL_MESSAGE,
  recordOf,
  type RestAccess,
  type RestCall,
} from "../../../shared/protocol/rest/call.ts";
import type { Directory, HttpEnv, Principal } from "../module.ts";

export interface RouteInput<C extends RestCall> {
  readonly params: z.output<C["params"]>;
  readonly query: z.output<C["query"]>;
  readonly body: z.output<C["body"]>;
  readonly c: Context<HttpEnv>;
}
/** A call that is declared to answer a file returns a Response, which is sent unchanged. */
type Answer<C extends RestCall> =
  | z.input<C["data"]>
  | Response
  | Promise<z.input<C["data"]> | Response>;

/**
 * Admits a request before its body is read, for calls whose bodies use much memory.
 *
 * @returns a function to call when the request has ended
 * @throws AppError that becomes the answer
 */
export type Admit = (principal: Principal, c: Context<HttpEnv>) => Promise<() => void>;

/**
 * Binds a call that needs an access token.
 *
 * @param admit runs before the body is read
 */
export function route<C extends RestCall>(
  app: Hono<HttpEnv>,
  call: C,
  deps: { readonly directory: Pick<Directory, "authenticate"> },
  handler: (input: RouteInput<C> & { readonly principal: Principal }) => Answer<C>,
  admit?: Admit,
): void {
  if (call.auth !== "bearer") throw new Error(`${call.id} is not a call with a bearer token`);
  bind(app, call, async (c) => {
    // Authenticate before validating.
    const principal = await authenticate(c, deps.directory);
    checkAccess(principal, call.access ?? DEFAULT_ACCESS);
    c.set("principal", principal);
    c.set("call", call);
    c.set("record", null);
    const leave = await admit?.(principal, c);
    try {
      const input = await parse(c, call);
      c.set("record", recordOf(call, input));
      return await handler({ ...input, principal, c });
    } finally {
      leave?.();
    }
  });
}

/** Binds a call without an access token: open, or with client credentials that the handler checks. */
export function openRoute<C extends RestCall>(
  app: Hono<HttpEnv>,
  call: C,
  handler: (input: RouteInput<C>) => Answer<C>,
): void {
  if (call.auth === "bearer") throw new Error(`${call.id} needs a bearer token`);
  bind(app, call, async (c) => handler({ ...(await parse(c, call)), c }));
}

/**
 * @throws AppError auth.required, auth.expired, or auth.forbidden when the supplier-id header names a company of which the
 *   caller is not a member
 */
export async function authenticate(
  c: Context,
  directory: Pick<Directory, "authenticate">,
): Promise<Principal> {
  const token = /^Bearer +([\w.~+/=-]+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
  if (token === undefined) throw new AppError("auth.required");
  const principal = await directory.authenticate(token);
  const supplierId = c.req.header("supplier-id") ?? "";
  if (supplierId === "") return { ...principal, supplierId: null };
  if (!principal.supplierIds.includes(supplierId)) throw new AppError("auth.forbidden");
  const here = principal.grants.filter((grant) => grant.supplierId === supplierId);
  return {
    ...principal,
    supplierId,
    permissions: [...new Set(here.flatMap((grant) => grant.permissions))],
  };
}

/** @throws AppError request.invalid when the required company is missing, auth.forbidden when the caller lacks the permission */
export function checkAccess(principal: Principal, access: RestAccess): void {
  const { company, permissions = [], guests = false } = access;
  if (company === "required" || permissions.length > 0) requireSupplier(principal);
  const { supplierId, grants } = principal;
  const guest =
    supplierId === null
      ? grants.length === 0
      : !grants.some((grant) => grant.supplierId === supplierId);
  if (guest && !guests) throw new AppError("auth.forbidden");
  if (permissions.length > 0 && !holds(principal, ...permissions)) {
    throw new AppError("auth.forbidden");
  }
}

/** Whether the caller holds one of the permissions in the company of the header (docs/server.md#rest). */
export const holds = (
  principal: Pick<Principal, "permissions">,
  ...permissions: readonly string[]
): boolean =>
  principal.permissions.some((held) => held === ALL_PERMISSIONS || permissions.includes(held));

/** The company of the supplier-id header, for calls that require one. */
export function requireSupplier(principal: Principal): string {
  if (principal.supplierId === null) {
    throw new AppError("request.invalid", { details: { fields: { "supplier-id": "必填" } } });
  }
  return principal.supplierId;
}

function bind(
  app: Hono<HttpEnv>,
  call: RestCall,
  run: (c: Context<HttpEnv>) => Promise<unknown>,
): void {
  app.on(call.method, call.path.replaceAll(/\{(\w+)\}/g, ":$1"), async (c) => {
    const data = await run(c);
    if (call.file === true) {
      if (!(data instanceof Response)) throw new Error(`${call.id} has to answer a file`);
      return data;
    }
    c.header("cache-control", "no-store");
    const { code, flat } = { code: 0, flat: false, ...call.success };
    return c.json({ ...(flat ? (data as object) : {}), code, msg: "操作成功", data: data ?? null });
  });
}

/** Most wrong fields that one answer names. */
const FIELDS_TOLD = 5000;
const IN_CHINESE = { error: zhCN().localeError };

async function parse<C extends RestCall>(
  c: Context<HttpEnv>,
  call: C,
): Promise<Omit<RouteInput<C>, "c">> {
  const body: unknown = call.method === "GET" ? {} : await readBody(c, call);
  const parts = {
    params: call.params.safeParse(c.req.param(), IN_CHINESE),
    query: call.query.safeParse(c.req.query(), IN_CHINESE),
    body: call.body.safeParse(body, IN_CHINESE),
  };
  const fields: Record<string, string> = {};
  // Texts of the URL and of forms reach the database unchanged, so they are checked here. The schemas check JSON bodies.
  const plain = {
    ...c.req.param(),
    ...c.req.query(),
    ...(call.bodyType === "form" ? (body as Record<string, unknown>) : {}),
  };
  for (const [name, value] of Object.entries(plain)) {
    if (typeof value === "string" && !hasNoNul(value)) fields[name] = NUL_MESSAGE;
  }
  for (const part of Object.values(parts)) {
    // A chunk may contain a hundred thousand wrong fields.
    for (const issue of (part.error?.issues ?? []).slice(0, FIELDS_TOLD)) {
      fields[issue.path.join(".") || "body"] ??= issue.message;
    }
  }
  const wrong = Object.keys(fields).length > 0;
  if (wrong || !parts.params.success || !parts.query.success || !parts.body.success) {
    throw new AppError("request.invalid", { details: { fields } });
  }
  return {
    params: parts.params.data as z.output<C["params"]>,
    query: parts.query.data as z.output<C["query"]>,
    body: parts.body.data as z.output<C["body"]>,
  };
}

/** Whether a call takes a body. A call declared without one accepts an empty body or ignores it. */
const takesBody = (call: RestCall): boolean =>
  !(call.body instanceof z.ZodObject) || Object.keys(call.body.shape).length > 0;

async function readBody(c: Context, call: RestCall): Promise<unknown> {
  if (call.bodyType === "multipart") return {};
  if (call.bodyType === "gzip") return readGzip(c, call);
  const text = await c.req.text();
  if (!takesBody(call)) return {};
  const type = (c.req.header("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (call.bodyType === "form") {
    if (type !== "application/x-www-form-urlencoded") throw wrongType(call);
    const form = new URLSearchParams(text);
    const fields: Record<string, string> = {};
    for (const [name, value] of form) {
      if (Object.hasOwn(fields, name)) {
        throw new AppError("request.invalid", { details: { fields: { [name]: "重复的字段" } } });
      }
      Object.defineProperty(fields, name, { value, enumerable: true });
    }
    return fields;
  }
  if (type !== "application/json") throw wrongType(call);
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError("request.invalid", { details: { fields: { body: "不是有效的 JSON" } } });
  }
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  form: "application/x-www-form-urlencoded",
  gzip: "application/gzip",
};
const wrongType = (call: RestCall): AppError =>
  new AppError("request.invalid", {
    details: {
      fields: { "content-type": CONTENT_TYPES[call.bodyType ?? "json"] ?? "application/json" },
    },
  });

const inflate = promisify(gunzip);
/**
 * Largest ratio of unpacked to packed size. Text shrinks to a tenth, rarely to a hundredth; a larger ratio is an attack on the
 * memory.
 */
const RATIO_MAX = 200;
/** Bytes to which any body may unpack, whatever the ratio. */
const RATIO_FREE = 4 * 1024 * 1024;

/** Most bytes to which a packed body of a call may unpack. */
export const unpackedLimit = (call: RestCall, packed: number): number =>
  Math.min(call.rawLimit ?? RATIO_FREE, Math.max(RATIO_FREE, packed * RATIO_MAX));

/** @throws AppError request.too-large for a body that unpacks to too much, request.invalid for invalid gzip or JSON */
async function readGzip(c: Context, call: RestCall): Promise<unknown> {
  const type = (c.req.header("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  const packed = Buffer.from(await c.req.arrayBuffer());
  if (type !== "application/gzip") throw wrongType(call);
  // Decompression stops at this limit.
  const maxOutputLength = unpackedLimit(call, packed.length);
  let raw: Buffer;
  try {
    raw = await inflate(packed, { maxOutputLength });
  } catch (error) {
    if ((error as { code?: unknown }).code === "ERR_BUFFER_TOO_LARGE") {
      throw new AppError("request.too-large", { message: "内容解压后过大" });
    }
    throw new AppError("request.invalid", { details: { fields: { body: "不是有效的 gzip" } } });
  }
  try {
    return JSON.parse(raw.toString("utf8"));
  } catch {
    throw new AppError("request.invalid", { details: { fields: { body: "不是有效的 JSON" } } });
  }
}
