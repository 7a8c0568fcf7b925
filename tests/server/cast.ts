/**
 * A platform with two companies and people with all kinds of permissions, for tests that make every call of the table. Company
 * A owns the things; company B tries to access them.
 */
import { gzipSync } from "node:zlib";
import { and, eq } from "drizzle-orm";
import {
  accountRoles,
  accounts,
  companies,
  employees,
  roles,
} from "../../src/server/base/database/schema/base.ts";
import { basic, startTestPlatform, type TestPlatform } from "../../src/server/platform.harness.ts";
import type { RestCall } from "../../src/shared/protocol/rest/index.ts";
import { generate, schemaOf } from "./generate.ts";
import { importSomething } from "../../src/server/modules/imports/chunks.harness.ts";
import { type Json, pick } from "../../src/shared/mutate.harness.ts";

export const CALLERS = [
  "no token",
  "expired token",
  "guest",
  "staff",
  "staff here, admin elsewhere",
  "company admin",
  "another company's admin",
  "operations",
] as const;
export type Caller = (typeof CALLERS)[number];

export interface Input {
  readonly params?: Record<string, Json>;
  readonly query?: Record<string, Json>;
  readonly body?: Json;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
}

export interface Cast {
  readonly platform: TestPlatform;
  readonly a: string;
  readonly b: string;
  /** Account of company B's administrator. */
  readonly otherAdmin: string;
  token(caller: Caller): string | null;
  /** Logs in again, after a logout or when time has passed; everyone if no caller is given. */
  renew(caller?: Caller): Promise<void>;
  /**
   * Makes a call.
   *
   * @param raw replaces the encoded body by a text
   */
  ask(
    call: RestCall,
    input: Input,
    caller: Caller,
    options?: { company?: string | null; raw?: string },
  ): Promise<Reply>;
  close(): Promise<void>;
}

const ANSWER_MS = 15_000;

/** Names of fields that refer to something. */
export const ID_FIELD = /^(id|ids|dataIds)$|(Id|Ids|IdStr|UserName|userName|fileName)$/;

const USERS: Partial<Record<Caller, string>> = {
  guest: "guest",
  staff: "lina",
  "staff here, admin elsewhere": "zhangwei",
  "company admin": "admin",
  "another company's admin": "otheradmin",
  operations: "ops",
};

export async function startCast(): Promise<Cast> {
  const platform = await startTestPlatform();
  const { db } = platform.platform.database;
  const one = <R>(rows: readonly R[]): R => {
    const [row] = rows;
    if (row === undefined) throw new Error("no such row");
    return row;
  };
  const all = await db.select().from(companies);
  const a = one(all.filter((company) => company.name.startsWith("华安"))).id;
  const b = one(all.filter((company) => company.name.startsWith("城南"))).id;
  const lina = one(await db.select().from(accounts).where(eq(accounts.username, "lina")));
  const { passwordHash } = lina;
  const made = {
    username: "otheradmin",
    nickname: "乙方管理",
    chatUserName: "otheradmin",
    passwordHash,
  };
  const otherAdmin = one(await db.insert(accounts).values(made).returning()).id;
  await db.insert(employees).values({ companyId: b, accountId: otherAdmin, name: "乙方管理" });
  const role = await db
    .select()
    .from(roles)
    .where(and(eq(roles.companyId, b), eq(roles.code, "admin")));
  const zhangwei = one(
    await db.select().from(accounts).where(eq(accounts.username, "zhangwei")),
  ).id;
  await db.insert(accountRoles).values([
    { accountId: otherAdmin, roleId: one(role).id },
    { accountId: zhangwei, roleId: one(role).id },
  ]);

  const tokens = new Map<Caller, string>();
  const old = await platform.login("lina");
  platform.clock.advance((old.expires_in + 60) * 1000);
  tokens.set("expired token", old.access_token);
  const renew: Cast["renew"] = async (only) => {
    // A generated call may have changed the caller's password.
    await db.update(accounts).set({ passwordHash }).where(eq(accounts.id, otherAdmin));
    for (const [caller, user] of Object.entries(USERS)) {
      if (only !== undefined && caller !== only) continue;
      tokens.set(caller as Caller, (await platform.login(user)).access_token);
    }
  };
  await renew();
  const token = (caller: Caller): string | null => tokens.get(caller) ?? null;

  return {
    platform,
    a,
    b,
    otherAdmin,
    token,
    renew,
    async ask(call, input, caller, options = {}) {
      const company =
        options.company === undefined
          ? caller === "another company's admin"
            ? b
            : a
          : options.company;
      const bearer = token(caller);
      const authorization =
        call.auth === "client"
          ? basic("sec-web-company-admin")
          : bearer === null
            ? null
            : `Bearer ${bearer}`;
      const sent = bodyOf(call, input, options.raw);
      const path = pathOf(call, input);
      const response = await fetch(platform.origin + path, {
        method: call.method,
        // The timeout makes a hanging call fail with its name.
        signal: AbortSignal.timeout(ANSWER_MS),
        headers: {
          ...(authorization === null ? {} : { authorization }),
          ...(company === null ? {} : { "supplier-id": company }),
          ...(sent.type === null ? {} : { "content-type": sent.type }),
        },
        ...(sent.body === null ? {} : { body: sent.body }),
      }).catch((error: unknown) => {
        throw new Error(`no answer to ${call.method} ${path}`, { cause: error });
      });
      return { status: response.status, text: await response.text() };
    },
    close: () => platform.close(),
  };
}

const word = (value: Json): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Path and query of a call. */
export function pathOf(call: RestCall, input: Input): string {
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const text = word(input.params?.[name] ?? "0");
    // A lone surrogate has no percent encoding, and dots alone would form another path.
    return (
      encodeURIComponent(text.replace(LONE_SURROGATE, "\ufffd")).replace(/^\.+$/, "%2e") || "0"
    );
  });
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(input.query ?? {})) {
    for (const item of Array.isArray(value) ? (value as Json[]) : [value])
      query.append(key, word(item));
  }
  const text = query.toString();
  return text === "" ? path : `${path}?${text}`;
}

function bodyOf(
  call: RestCall,
  input: Input,
  raw?: string,
): { type: string | null; body: string | Uint8Array<ArrayBuffer> | null } {
  if (call.method === "GET") return { type: null, body: null };
  if (call.bodyType === "gzip") {
    const packed = gzipSync(raw ?? JSON.stringify(input.body ?? {}));
    return { type: "application/gzip", body: new Uint8Array(packed) };
  }
  if (call.bodyType === "form") {
    const fields = Object.entries((input.body ?? {}) as Record<string, Json>);
    const form = new URLSearchParams(fields.map(([key, value]) => [key, word(value)]));
    return { type: "application/x-www-form-urlencoded", body: raw ?? form.toString() };
  }
  if (call.bodyType === "multipart") {
    const name = "a.txt";
    const part = `--xyz\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: text/plain\r\n\r\n机密甲\r\n--xyz--\r\n`;
    return { type: "multipart/form-data; boundary=xyz", body: raw ?? part };
  }
  return { type: "application/json", body: raw ?? JSON.stringify(input.body ?? {}) };
}

/** Values for fields whose rules JSON Schema cannot express: check digits, existing dates, two patterns at once. */
const PLAUSIBLE: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^idNumber$/, ["11010519491231002X", "110105194912310021"]],
  [/^creditCode$/, ["91350100M000100Y43", "91440300 1922038216"]],
  [/password/i, ["Abc12345x", "Demo@2026"]],
  [/phone|mobile/i, ["13812345678"]],
  [/day|date|expiry/i, ["2026-01-31", "2024-02-29"]],
  [/email/i, ["a@example.com"]],
  [/(^|Code)name$|^name$|contact$/i, ["周杰", "A B"]],
  [/^(sms)?code$/i, ["123456"]],
  [/^fields?$/, ["name", "idNumber"]],
];
function plausible(field: string, random: () => number): string | undefined {
  const found = PLAUSIBLE.find(([name]) => name.test(field));
  return found === undefined ? undefined : pick(random, found[1]);
}

/**
 * Generates input that the schemas of a call accept.
 *
 * @param known returns a value for a field by its name; undefined leaves it to the schema
 */
export function inputOf(
  call: RestCall,
  random: () => number,
  known: (field: string) => Json | undefined,
): Input {
  const [params, query, body] = schemasOf(call);
  const options = {
    random,
    known: (field: string): Json | undefined =>
      known(field) ?? (random() < 0.8 ? plausible(field, random) : undefined),
  };
  return {
    params: generate(params, options) as Record<string, Json>,
    query: generate(query, options) as Record<string, Json>,
    body: generate(body, options),
  };
}

type Schemas = readonly [
  ReturnType<typeof schemaOf>,
  ReturnType<typeof schemaOf>,
  ReturnType<typeof schemaOf>,
];
const made = new WeakMap<RestCall, Schemas>();
function schemasOf(call: RestCall): Schemas {
  const kept =
    made.get(call) ?? ([schemaOf(call.params), schemaOf(call.query), schemaOf(call.body)] as const);
  made.set(call, kept);
  return kept;
}

/**
 * Ids of the company's things in all tables, and its accounts that belong to no other company.
 *
 * @param rows newest rows of each table that count
 */
export async function thingsOf(cast: Cast, company: string, rows = 3): Promise<string[]> {
  const { pool } = cast.platform.platform.database;
  const found = new Set<string>([company]);
  for (const table of await companyTables(cast)) {
    const newest = await pool.query<Record<string, unknown>>(
      `SELECT * FROM "${table}" WHERE company_id = $1 ORDER BY 1 DESC LIMIT $2`,
      [company, rows],
    );
    for (const row of newest.rows) {
      for (const [column, value] of Object.entries(row)) {
        if (
          /^(id|name|key|code|file_name)$|_(id|key|name)$/.test(column) &&
          typeof value === "string"
        ) {
          if (column !== "company_id") found.add(value);
        }
      }
    }
  }
  const people = await pool.query<{ id: string; chat_user_name: string }>(
    `SELECT a.id, a.chat_user_name FROM accounts a JOIN employees e ON e.account_id = a.id
     GROUP BY a.id HAVING bool_and(e.company_id = $1)`,
    [company],
  );
  for (const { id, chat_user_name: name } of people.rows) found.add(id).add(name);
  return [...found];
}

export async function companyTables(cast: Cast): Promise<string[]> {
  const { rows } = await cast.platform.platform.database.pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
       AND attname = 'company_id' AND NOT attisdropped ORDER BY 1`,
  );
  return rows.map((row) => row.name);
}

/**
 * Creates things in a company by making the calls that write, so that there is something to access.
 *
 * @param calls the table's calls; those that delete or log out are skipped
 */
export async function populate(
  cast: Cast,
  calls: readonly RestCall[],
  caller: Caller,
  random: () => number,
): Promise<void> {
  const writes = calls.filter(
    (call) =>
      call.auth === "bearer" && call.method === "POST" && !/logout|delete|reset/i.test(call.path),
  );
  // Import jobs depend on matching chunks, which random input does not produce. Create one first, because random calls may open
  // as many jobs as a company may have.
  await importSomething({
    platform: cast.platform,
    token: cast.token(caller) ?? "",
    supplierId: caller === "another company's admin" ? cast.b : cast.a,
  });
  for (let round = 0; round < 2; round += 1) {
    const own = await thingsOf(cast, caller === "another company's admin" ? cast.b : cast.a);
    for (const call of writes) {
      for (let i = 0; i < 8; i += 1) {
        const known = (field: string) =>
          ID_FIELD.test(field) && random() < 0.8 ? pick(random, own) : undefined;
        await cast.ask(call, inputOf(call, random, known), caller);
      }
    }
  }
}
