/**
 * Who may make which call: one table, written by hand, against every call and every kind of caller; and the ids of another
 * company in every place that takes one.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RestCall, restCalls } from "../../src/shared/protocol/rest/index.ts";
import {
  CALLERS,
  type Caller,
  type Cast,
  companyTables,
  ID_FIELD,
  inputOf,
  populate,
  startCast,
  thingsOf,
} from "./cast.ts";
import { seededRandom } from "./mutate.ts";
import { MATRIX } from "./matrix.ts";

const CALLS: readonly RestCall[] = Object.values(restCalls);
const BEARER = CALLS.filter((call) => call.auth === "bearer");

/** Company tables in which an administrator's own calls make nothing, and why. */
const EMPTY: Readonly<Record<string, string>> = {
  supplier_applies: "made by a registration, which makes a company of its own",
  conferences: "made by a provider's call; its own tests reach for them (src/server/conferences)",
};

/** What the table says of a caller. */
function expected(call: RestCall, caller: Caller): "answered" | 401 | 403 {
  if (call.auth !== "bearer") return "answered";
  if (caller === "no token" || caller === "expired token") return 401;
  // it names company A in the header, of which it is no member
  if (caller === "another company's admin") return 403;
  const column = (["guest", "staff", "company admin", "operations"] as const).indexOf(caller);
  return MATRIX[call.id]?.[column] === "+" ? "answered" : 403;
}

describe("the authorisation matrix", () => {
  let cast: Cast;
  beforeAll(async () => {
    cast = await startCast();
  }, 60_000);
  afterAll(() => cast.close());

  it("has a row for every call with a token, and none for calls that are gone", () => {
    const ids = BEARER.map((call) => call.id);
    expect(Object.keys(MATRIX).sort()).toEqual(ids.sort());
    for (const row of Object.values(MATRIX)) expect(row).toMatch(/^[+-]{4}$/);
  });

  it("every call declares who may", () => {
    expect(BEARER.filter((call) => call.access === undefined).map((call) => call.id)).toEqual([]);
  });

  it.each(CALLERS)("%s", async (caller) => {
    const wrong: string[] = [];
    for (const call of CALLS) {
      const want = expected(call, caller);
      // nothing is named, so that an answer changes as little as it can; who may is asked before what is wrong
      const { status, text } = await cast.ask(call, {}, caller, { company: cast.a });
      const got = status === 401 || status === 403 ? status : "answered";
      const refusal = status === 401 ? "auth." : "auth.forbidden";
      const refused = want === "answered" || text.includes(`"error":"${refusal}`);
      if (
        call.auth === "bearer"
          ? got !== want || !refused
          : /auth\.(required|expired|forbidden)/.test(text)
      ) {
        wrong.push(`${call.id}: ${status} ${text.slice(0, 120)}, expected ${want}`);
      }
      if (status >= 500) wrong.push(`${call.id}: ${status}`);
      if (call.path.endsWith("/logout")) await cast.renew();
    }
    expect(wrong).toEqual([]);
  });

  it("calls about a company are refused without its header", async () => {
    const needing = BEARER.filter(
      (call) => call.access?.company === "required" || call.access?.permissions !== undefined,
    );
    expect(needing.length).toBeGreaterThan(5);
    for (const call of needing) {
      const { status, text } = await cast.ask(call, {}, "company admin", { company: null });
      expect([call.id, status, text.includes("supplier-id")]).toEqual([call.id, 400, true]);
    }
  });
});

describe("things of another company", () => {
  let cast: Cast;
  let things: string[];
  let secrets: RegExp;
  beforeAll(async () => {
    cast = await startCast();
    const { pool } = cast.platform.platform.database;
    const { rows } = await pool.query<{ name: string; phone: string | null }>(
      "SELECT name, phone FROM employees WHERE company_id = $1 AND name NOT IN ('管理员', '张伟')",
      [cast.a],
    );
    const texts = rows
      .flatMap(({ name, phone }) => [name, phone ?? ""])
      .filter((t) => t.length > 1);
    const escaped = [
      ...new Set(["华安物业", ...texts.filter((t) => /[\u4e00-\u9fff]|\d{8}/.test(t))]),
    ];
    secrets = new RegExp(
      escaped.map((t) => t.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join("|"),
    );
    // what is made from here on has names that company B may have too
    await populate(cast, CALLS, "company admin", seededRandom(31));
    await cast.renew();
    things = await thingsOf(cast, cast.a);
  }, 180_000);
  afterAll(() => cast.close());

  /** Rows of company A in every table, and every account but the asker's. */
  async function ofA(): Promise<Record<string, unknown>> {
    const { pool } = cast.platform.platform.database;
    const digests: Record<string, unknown> = {};
    for (const table of await companyTables(cast)) {
      const { rows } = await pool.query(
        `SELECT count(*)::int AS n, md5(string_agg(t::text, '|' ORDER BY t::text)) AS digest FROM "${table}" t WHERE company_id = $1`,
        [cast.a],
      );
      digests[table] = rows[0];
    }
    const { rows } = await pool.query(
      `SELECT count(*)::int AS n, md5(string_agg(t::text, '|' ORDER BY t::text)) AS digest
       FROM accounts t WHERE id <> $1`,
      [cast.otherAdmin],
    );
    return { ...digests, accounts: rows[0] };
  }

  it("are there to be reached for", async () => {
    const { pool } = cast.platform.platform.database;
    const empty: string[] = [];
    for (const table of await companyTables(cast)) {
      const { rows } = await pool.query(`SELECT 1 FROM "${table}" WHERE company_id = $1 LIMIT 1`, [
        cast.a,
      ]);
      if (rows.length === 0 && !(table in EMPTY)) empty.push(table);
    }
    expect(empty).toEqual([]);
    expect(things.length).toBeGreaterThan(10);
  });

  it("are neither seen nor changed by their ids in any position", async () => {
    const before = await ofA();
    const random = seededRandom(32);
    const wrong: string[] = [];
    for (const call of BEARER) {
      if (call.path.endsWith("/logout")) continue;
      const asked = new Set<string>();
      for (const thing of things) {
        // each id alone in every position, with and without the fields that may be left out
        for (const chance of [1, 0.5]) {
          const known = (field: string) =>
            ID_FIELD.test(field) && random() < chance ? thing : undefined;
          const input = inputOf(call, random, known);
          const key = JSON.stringify(input);
          if (asked.has(key)) continue;
          asked.add(key);
          const { status, text } = await cast.ask(call, input, "another company's admin");
          const sent = JSON.stringify(input);
          const told = secrets.exec(text)?.[0];
          if (status >= 500 || (told !== undefined && !sent.includes(told))) {
            wrong.push(`${call.id} ${sent.slice(0, 200)} -> ${status} ${text.slice(0, 200)}`);
          }
        }
      }
      const after = await ofA();
      for (const [table, digest] of Object.entries(after)) {
        if (JSON.stringify(digest) !== JSON.stringify(before[table])) {
          wrong.push(`${call.id} changed ${table}`);
          before[table] = digest;
        }
      }
    }
    expect(wrong).toEqual([]);
  }, 300_000);
});
