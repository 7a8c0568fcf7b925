/**
 * The shape in which each REST call is declared once. The server routes it, the core calls it and tests use it.
 * Envelope (docs/session.md#requests): `{ code, msg, data }`, code 0 is success.
 */
import { z } from "../../zod.ts";
import type { DataChange, DataTag } from "../data-tags.ts";

export type RestMethod = "GET" | "POST" | "PUT" | "DELETE";

/** none: open. client: basic auth chosen by system name. bearer: access token, supplier-id checked when present. */
export type RestAuth = "none" | "client" | "bearer";

/** Who may make a call with a bearer token. The route refuses everyone else before it reads the body. */
export interface RestAccess {
  /**
   * required: the supplier-id header must name a company of the caller. optional: the header is checked when present. none: the
   * call concerns only the account; a header is still checked when present.
   */
  readonly company: "required" | "optional" | "none";
  /** The caller must hold one of these permissions, or all ("*:*:*"), in the company of the header, which is then required. */
  readonly permissions?: readonly string[];
  /**
   * Whether members without a role may (guests, docs/session.md#user-info). Without a
   * company in the request: without a role anywhere.
   */
  readonly guests?: boolean;
}

/** Access rules of a call with a bearer token that declares none. */
export const DEFAULT_ACCESS: RestAccess = { company: "optional" };
/** This permission includes every other one (docs/session.md#permissions). */
export const ALL_PERMISSIONS = "*:*:*";

/** A field in the operation log: Chinese, English, and what its values are when they are no texts to be read as they are. */
export type AuditedField = readonly [
  zh: string,
  en: string,
  values?: "flag" | Readonly<Record<string, readonly [zh: string, en: string]>>,
];

export interface RestCall<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> {
  readonly id: string;
  readonly method: RestMethod;
  /** Path with `{name}` for parameters, . */
  readonly path: string;
  readonly summary: string;
  readonly auth: RestAuth;
  readonly access?: RestAccess;
  /** Pages may make the call, by the core's command `rest.call` (docs/adding.md#list-page). Without it, only the core itself may. */
  readonly page?: boolean;
  /** Pages may save the file of the answer (`file: true`), by the core's command `downloads.start`. */
  readonly download?: boolean;
  /** What a read shows: pages may watch it, and it is fetched again after a call that touches one of the tags (docs/session.md#live-data). */
  readonly shows?: readonly DataTag[];
  /** What a successful call may have changed. */
  readonly touches?: readonly DataTag[];
  /**
   * Where the input has the id of the one record that the call shows or changes, of its first tag. Such a read follows only changes
   * of its record. Left out: the call concerns any number of records.
   */
  readonly record?: `${"params" | "body"}.${string}`;
  /**
   * What the operation log calls the things that the call records, Chinese and English, by the entity of the audit record, and so their
   * fields; "flag" for yes or no, or the words of the values that a field may have.
   */
  readonly audits?: Readonly<
    Record<
      string,
      readonly [zh: string, en: string, fields?: Readonly<Record<string, AuditedField>>]
    >
  >;
  /** One of the many calls of a long work: reads of what it touches follow every few seconds, not every call. */
  readonly steady?: true;
  /** What the call touches is the caller's own: only the caller's other devices are notified. */
  readonly personal?: true;
  /** multipart: the route does not parse the body, the handler takes the stream. gzip: JSON compressed with gzip (application/gzip). */
  readonly bodyType?: "json" | "form" | "multipart" | "gzip";
  /** Maximum bytes of the body, where it differs from the server's general limit. */
  readonly bodyLimit?: number;
  /** Maximum bytes of a gzip body after decompression. */
  readonly rawLimit?: number;
  /** Where the platform wants another envelope: the code of a success, and whether the fields of `data` stand beside it as well. */
  readonly success?: { readonly code: number; readonly flat?: boolean };
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** The answer is a file (attachment) instead of the envelope, and `data` is null; errors still come as envelopes. */
  readonly file?: boolean;
  /** The contents of `data`. */
  readonly data: R;
}

const nothing = z.object({});
type Nothing = typeof nothing;

/** Declares a call; parts that are left out take no input. Its type keeps the id and `page`, so that pages find it by its id. */
export function defineCall<
  const I extends string,
  const G extends boolean = false,
  const D extends boolean = false,
  P extends z.ZodType = Nothing,
  Q extends z.ZodType = Nothing,
  B extends z.ZodType = Nothing,
  R extends z.ZodType = z.ZodNull,
>(
  call: Omit<RestCall, "id" | "page" | "download" | "params" | "query" | "body" | "data"> & {
    id: I;
    page?: G;
    download?: D;
    params?: P;
    query?: Q;
    body?: B;
    data?: R;
  },
): RestCall<P, Q, B, R> & { readonly id: I; readonly page?: G; readonly download?: D } {
  // A part that is left out has its empty schema, which is the default of its type parameter.
  return Object.freeze({
    ...call,
    params: call.params ?? (nothing as unknown as P),
    query: call.query ?? (nothing as unknown as Q),
    body: call.body ?? (nothing as unknown as B),
    data: call.data ?? (z.null() as unknown as R),
  });
}

type CallWithRecord = Pick<RestCall, "record" | "shows" | "touches">;

/** @returns the record that the call shows or changes, as `tag:id`; null: any number of them */
export function recordOf(
  { record, shows, touches }: CallWithRecord,
  input: unknown,
): string | null {
  const [tag] = touches ?? shows ?? [];
  if (record === undefined || tag === undefined) return null;
  let found: unknown = input;
  for (const name of record.split(".")) {
    found = typeof found === "object" && found !== null ? Reflect.get(found, name) : undefined;
  }
  return typeof found === "string" || typeof found === "number" ? `${tag}:${found}` : null;
}

/** Whether a read shows something that changed. */
export function isTouched(call: CallWithRecord, input: unknown, change: DataChange): boolean {
  const { tags, records = [] } = change;
  const own = recordOf(call, input);
  return (call.shows ?? []).some((tag) => {
    if (!tags.includes(tag)) return false;
    const named = records.filter((record) => record.startsWith(`${tag}:`));
    return own === null || !own.startsWith(`${tag}:`) || named.length === 0 || named.includes(own);
  });
}

/** The envelope around `data`; `error` carries the code of the catalogue when code is not 0. */
export const envelopeSchema = z.object({
  code: z.number().int(),
  msg: z.string(),
  data: z.unknown().optional(),
  error: z.string().optional(),
  error_description: z.string().optional(),
});

/**
 * JSON allows NUL and unpaired surrogates, but PostgreSQL accepts them neither in text nor in jsonb. Refuse them before a value
 * reaches the database.
 */
export const hasNoNul = (text: string): boolean => !/\0|\p{Surrogate}/u.test(text);
export const NUL_MESSAGE = "不能含有空字符或不完整的字符";

/** A page beneath the platform's cursor (page number from 1), limit and searchCount. */
export const pageQuerySchema = z.object({
  cursor: z.coerce.number<number | string>().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number<number | string>().int().min(1).max(1000).default(20),
  searchCount: z
    .union([z.boolean(), z.enum(["true", "false"]).transform((v) => v === "true")])
    .default(true),
  keyword: z.string().trim().max(100).refine(hasNoNul, NUL_MESSAGE).optional(),
});

/** The order of a list: by one of these columns, with "-" before it the greatest first. Left out: the list's usual order. */
export const sortSchema = <const K extends string>(...columns: readonly K[]) =>
  z
    .enum(
      columns.flatMap((column) => [column, `-${column}`] as (K | `-${K}`)[]),
      "不能按此列排序",
    )
    .optional();

/** all: those of every company, for the operators of the platform. */
export const scopeSchema = z.enum(["company", "all"]).default("company");
export const pageSchema = <T extends z.ZodType>(record: T) =>
  z.object({
    records: z.array(record),
    total: z.number().int().nonnegative(),
    cursor: z.number().int(),
    limit: z.number().int(),
  });

const TIME_MESSAGE = "时间格式不正确";
const time = z.iso
  .datetime(TIME_MESSAGE)
  // the database has no year 0
  .refine((text) => text >= "1900", TIME_MESSAGE)
  .optional();
/** What happened from the first time on, and before the second. */
export const times = { from: time, to: time };
