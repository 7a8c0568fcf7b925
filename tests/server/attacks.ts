/** Requests that no valid client sends, generated from the table of REST calls. */
import { z } from "zod";
import { type RestCall, restCalls } from "../../src/shared/protocol/rest/index.ts";
import { mutate, pick } from "../../src/shared/mutate.harness.ts";

export interface Attack {
  readonly what: string;
  readonly path: string;
  readonly init: RequestInit & { headers: Record<string, string> };
}

/** The identity that the requests claim, and the things that they target. */
export interface Target {
  /** A valid access token of the attacker. */
  readonly token: string;
  /** Tokens that are invalid here: refresh token, chat token, ticket, token of an ended session … */
  readonly badTokens: readonly string[];
  /** Value of a valid basic-auth header. */
  readonly client: string;
  readonly supplierId: string;
  /** Valid input by call id, `{ params, query, body }`. */
  readonly valid: Readonly<
    Record<string, { query?: Record<string, string>; body?: Record<string, unknown> }>
  >;
  /** Ids of things to which the attacker has no right. */
  readonly foreign: readonly string[];
}

const CALLS: readonly RestCall[] = Object.values(restCalls);
const METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH"] as const;
const ODD_TEXT = [
  "",
  "\0",
  "a\0%",
  "\ud800x",
  "-1",
  "0",
  "1e309",
  "9".repeat(40),
  "NaN",
  "null",
  "true",
  "[]",
  "' or 1=1 --",
  "%",
  "%00",
  "a".repeat(3000),
  "../..",
  "__proto__",
  "<script>",
  "通话",
];

function address(call: RestCall, query: Record<string, string>): string {
  const text = new URLSearchParams(query).toString();
  const path = call.path.replace(/\{\w+\}/g, "x");
  return text === "" ? path : `${path}?${text}`;
}

function authorization(call: RestCall, target: Target): Record<string, string> {
  if (call.auth === "none") return {};
  if (call.auth === "client") return { authorization: target.client };
  return { authorization: `Bearer ${target.token}`, "supplier-id": target.supplierId };
}

/** The value encoded as the body of a form or as JSON. */
function encoded(call: RestCall, value: unknown): { body: string; type: string } {
  if (call.bodyType !== "form") return { body: JSON.stringify(value), type: "application/json" };
  return {
    body: new URLSearchParams(value as Record<string, string>).toString(),
    type: "application/x-www-form-urlencoded",
  };
}

/** Query keys that a call accepts. */
function queryKeys(call: RestCall): string[] {
  return call.query instanceof z.ZodObject ? Object.keys(call.query.shape) : [];
}

/**
 * Puts each odd value in each place that a call reads: query keys, body fields, and unknown fields.
 *
 * @returns attacks that must change nothing, in the same order each time
 */
export function everyOddValue(target: Target): Attack[] {
  return CALLS.flatMap((call) => {
    const valid = target.valid[call.id] ?? {};
    const headers = authorization(call, target);
    const attackWith = (
      what: string,
      query: Record<string, string>,
      body?: Record<string, unknown>,
    ): Attack => {
      const sent = body === undefined ? null : encoded(call, body);
      return {
        what: `${call.id}: ${what}`,
        path: address(call, query),
        init: {
          method: call.method,
          headers: { ...headers, ...(sent === null ? {} : { "content-type": sent.type }) },
          ...(sent === null ? {} : { body: sent.body }),
        },
      };
    };
    // A logout cannot be malformed.
    if (call.id === restCalls.logout.id) return [];
    const inQuery = [...queryKeys(call), "unknown"].flatMap((key) =>
      ODD_TEXT.map((odd) =>
        attackWith(`${key} ${odd.slice(0, 20)}`, { ...valid.query, [key]: odd }, valid.body),
      ),
    );
    const { body } = valid;
    if (body === undefined) return inQuery;
    const inBody = Object.keys(body).flatMap((key) =>
      [...ODD_TEXT, ...ODD_TEXT.map((odd) => `a${odd}b`)].map((odd) =>
        attackWith(
          `${key} ${odd.slice(0, 20)}`,
          {},
          { ...body, [key]: Array.isArray(body[key]) ? [odd] : odd },
        ),
      ),
    );
    return [...inQuery, ...inBody];
  });
}

/**
 * @param random seeded, returns 0..1
 * @returns an attack that must change nothing, whatever the answer
 */
export function makeAttack(random: () => number, target: Target): Attack {
  const call = pick(random, CALLS);
  const valid = target.valid[call.id] ?? {};
  const query = { ...valid.query };
  const headers: Record<string, string> = authorization(call, target);
  let method: string = call.method;
  let body: string | undefined;
  if (valid.body !== undefined) {
    const good = encoded(call, valid.body);
    body = good.body;
    headers["content-type"] = good.type;
  }
  const odd = (): string => pick(random, ODD_TEXT);
  const kinds: Record<string, () => void> = {
    "odd query": () => {
      const keys = queryKeys(call);
      const key = keys.length === 0 ? "cursor" : pick(random, keys);
      query[key] = odd();
      if (call.method !== "GET") body = "{";
    },
    "foreign id in the query": () => {
      const keys = queryKeys(call).filter((k) => /id$|name$/i.test(k));
      query[keys.length === 0 ? "id" : pick(random, keys)] = pick(random, target.foreign);
      if (call.method !== "GET") body = "{";
    },
    "foreign company": () => {
      headers["supplier-id"] = random() < 0.5 ? pick(random, target.foreign) : asHeader(odd());
      if (call.auth !== "bearer") headers["authorization"] = "Basic !";
    },
    "mutated body": () => {
      body = mutate(random, valid.body ?? { any: 1 });
      headers["content-type"] = "application/json";
    },
    "mutated form": () => {
      const text = encoded({ ...call, bodyType: "form" }, valid.body ?? { a: "1" }).body;
      const at = Math.floor(random() * text.length);
      body = `${text.slice(0, at)}${odd()}&${text.slice(at + 3)}`;
      headers["content-type"] = "application/x-www-form-urlencoded";
    },
    "wrong content type": () => {
      body = `\u0000\u0001${odd()}`;
      headers["content-type"] = pick(random, [
        "application/json",
        "multipart/form-data",
        "multipart/form-data; boundary=x",
        "text/plain",
        "application/xml",
        "x/y; charset=\\",
      ]);
    },
    huge: () => {
      body = JSON.stringify({ ...valid.body, filler: "x".repeat(1_500_000) });
      headers["content-type"] = "application/json";
    },
    "wrong method": () => {
      method = pick(
        random,
        METHODS.filter((m) => m !== call.method),
      );
    },
    "bad token": () => {
      const token = pick(random, target.badTokens);
      headers["authorization"] = pick(random, [
        `Bearer ${token}`,
        "Bearer",
        `Basic ${token}`,
        `bearer  ${token} x`,
        "Basic Og==",
        token === "" ? "Bearer x" : token,
      ]);
    },
    "no token": () => {
      delete headers["authorization"];
    },
    "odd headers": () => {
      headers[pick(random, ["systemName", "menu-id", "supplier-id", "accept", "x-request-id"])] =
        asHeader(odd());
      if (call.method !== "GET") body = "[]";
    },
  };
  const what = pick(random, Object.keys(kinds));
  kinds[what]?.();
  // Prevent valid requests: a successful logout or login is not an attack.
  if (call.method !== "GET" && what === "foreign company" && call.auth === "bearer") body = "{";
  if (call.id === "auth.logout" && headers["authorization"] === `Bearer ${target.token}`) {
    headers["authorization"] = `Bearer ${target.token}x`;
  }
  const bare = method === "GET" || body === undefined;
  return {
    what: `${call.id}: ${what}`,
    path: address(call, query),
    init: { method, headers, ...(bare ? {} : { body: body ?? "" }), redirect: "manual" },
  };
}

/** The part of a text that fetch accepts as a header value. */
const asHeader = (text: string): string => text.replace(/[^\x20-\x7e]/g, "?").trim();
