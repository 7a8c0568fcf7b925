/**
 * The ids of another company in every place that takes an id: nothing is seen or changed by them. Every call is made with every thing, so
 * the file runs with the heavy tests; each module tests the same of its own calls (`covers`).
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RestCall, restCalls } from "../../src/shared/protocol/rest/index.ts";
import { TASK_IDS } from "../../src/shared/protocol/rest/tasks.ts";
import {
  type Cast,
  type Input,
  type Reply,
  companyTables,
  ID_FIELD,
  inputOf,
  populate,
  startCast,
  thingsOf,
} from "./cast.ts";
import { schemaOf } from "./generate.ts";
import { seededRandom } from "../../src/shared/mutate.harness.ts";
import { inParallel } from "../support/parallel.ts";
import { repeated } from "../support/seed.ts";

const CALLS: readonly RestCall[] = Object.values(restCalls);
const BEARER = CALLS.filter((call) => call.auth === "bearer");

/** Requests under way at the same time. */
const PARALLEL = 8;
/** Rows of each table whose ids are tried. */
const ROWS = repeated(1, 3);
/** Requests per call that contain no id of the other company. */
const INPUTS_WITHOUT_ID = 10;

/** ms after which two more exports are allowed (EXPORTS_AN_HOUR). */
const EXPORT_PAUSE = 6 * 60_000;

/** Company tables in which an administrator's own calls create no rows, and why. */
const EMPTY: Readonly<Record<string, string>> = {
  supplier_applies: "made by a registration, which makes a company of its own",
  invitation_roles:
    "random ids name no roles alone; its own tests reach for them (src/server/modules/employees)",
  sms_codes: "made for who opens a link of the company, without a login",
  demo_rows: "written with the demo data in full alone; its own tests reach for them",
  file_uses: "random names are no stored files; its own tests use files (src/server/modules/files)",
  employee_search_queue: "rows wait here until they are indexed, and go then",
  fleet_rollups: "written of the reports of cores, which come by a socket",
  alerts:
    "written by the evaluation of figures; its own tests look for foreign ones (src/server/modules/alerts)",
  alert_silences:
    "random times are no time to come; its own tests reach for them (src/server/modules/alerts)",
  conferences: "made by a provider's call; its own tests reach for them (src/server/modules/calls)",
};

/** Columns hold words of the product too, such as a table's name, and a call may know the same word as its own. */
const WORDS: ReadonlySet<string> = new Set(TASK_IDS);

describe("Things of another company", () => {
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
    // The ids of each table get a separate range, so that an id of one table is never valid in another.
    const { rows: sequences } = await pool.query<{ name: string }>(
      "SELECT format('%I', sequencename) AS name FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1",
    );
    for (const [i, { name }] of sequences.entries()) {
      await pool.query(`SELECT setval('${name}', ${(i + 11) * 1_000_000})`);
    }
    // Everything created from here on has names that company B may have too.
    await populate(cast, CALLS, "company admin", seededRandom(31));
    await cast.renew();
    things = await thingsOf(cast, cast.a, ROWS);
  }, 180_000);
  afterAll(() => cast.close());

  /** Rows of company A in every table, and every account but those of people who are in company B alone, whom its administrator may lock. */
  async function ofA(): Promise<Record<string, unknown>> {
    const digest = `count(*)::int AS n, md5(string_agg(t::text, '|' ORDER BY t::text)) AS digest`;
    const texts = (await companyTables(cast)).map(
      (name) => `SELECT '${name}' AS name, ${digest} FROM "${name}" t WHERE company_id = $1`,
    );
    const { rows } = await cast.platform.platform.database.pool.query<{ name: string }>(
      [
        ...texts,
        `SELECT 'accounts', ${digest} FROM accounts t WHERE NOT (SELECT bool_and(company_id = $2)
           FROM employees e WHERE e.account_id = t.id) IS TRUE`,
      ].join(" UNION ALL "),
      [cast.a, cast.b],
    );
    return Object.fromEntries(rows.map((row) => [row.name, row]));
  }

  it("exist in every table", async () => {
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
      const inputs = new Map<string, Input>();
      let without = 0;
      for (const thing of things) {
        // Each id alone in every position, with and without optional fields.
        for (const chance of [1, 0.5]) {
          const known = (field: string) =>
            ID_FIELD.test(field) && random() < chance ? thing : undefined;
          const input = inputOf(call, random, known);
          const key = JSON.stringify(input);
          // Inputs without the id say nothing about it. A few of them suffice.
          if (!key.includes(thing) && (without += 1) > INPUTS_WITHOUT_ID) continue;
          inputs.set(key, input);
        }
      }
      await inParallel(PARALLEL, inputs, async ([sent, input]) => {
        const { status, text } = await cast.ask(call, input, "another company's admin");
        const revealed = secrets.exec(text)?.[0];
        if (status >= 500 || (revealed !== undefined && !sent.includes(revealed))) {
          wrong.push(`${call.id} ${sent.slice(0, 200)} -> ${status} ${text.slice(0, 200)}`);
        }
      });
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

  it("get the same answer as things that never existed", async () => {
    const random = seededRandom(33);
    const revealing: string[] = [];
    let compared = 0;
    // For example the codes of roles.
    const own = new Set(await thingsOf(cast, cast.b));
    for (const call of BEARER) {
      if (call.path.endsWith("/logout")) continue;
      const pairs: Pair[] = [];
      for (const field of idFieldsOf(call)) {
        // The name of a file on the person's own disk refers to nothing.
        if (call.id === restCalls.importCreate.id && field === "fileName") continue;
        for (const thing of things.filter((one) => !own.has(one) && !WORDS.has(one))) {
          const unknown = neverWas(thing);
          if (unknown === null) continue;
          const known = (name: string) => (name === field ? thing : undefined);
          const input = inputOf(call, random, known);
          const text = JSON.stringify(input);
          if (!text.includes(JSON.stringify(thing))) continue;
          const other = JSON.parse(
            text.replaceAll(JSON.stringify(thing), JSON.stringify(unknown)),
          ) as Input;
          pairs.push({ field, thing, unknown, input, other });
        }
      }
      compared += pairs.length;
      // Writes of one pair could change the answers to another.
      const width = call.method === "GET" && call.file !== true ? PARALLEL : 1;
      await inParallel(width, pairs, async ({ field, thing, unknown, input, other }) => {
        if (call.file === true) {
          // Exports are limited by the hour.
          cast.platform.clock.advance(EXPORT_PAUSE);
          await cast.renew("another company's admin");
        }
        const real = await cast.ask(call, input, "another company's admin");
        const made = await cast.ask(call, other, "another company's admin");
        const same =
          call.file === true
            ? real.status === made.status
            : // The word of an id may be a part of an error's code, which `plain` would replace.
              (real.status === made.status && real.text === made.text) ||
              plain(real, thing) === plain(made, unknown);
        if (!same) {
          revealing.push(
            `${call.id} ${field}=${thing}: ${real.status} ${real.text.slice(0, 160)} against ${made.status} ${made.text.slice(0, 160)}`,
          );
        }
      });
    }
    expect(revealing).toEqual([]);
    expect(compared).toBeGreaterThan(300);
  }, 300_000);
});

/** Two inputs in which only the ids differ. */
interface Pair {
  readonly field: string;
  readonly thing: string;
  readonly unknown: string;
  readonly input: Input;
  readonly other: Input;
}

/** Fields of a call that refer to something. */
function idFieldsOf(call: RestCall): string[] {
  const names = new Set<string>();
  const walk = (schema: unknown): void => {
    if (typeof schema !== "object" || schema === null) return;
    for (const [key, inner] of Object.entries(schema)) {
      if (key === "properties") {
        for (const name of Object.keys(inner as object)) if (ID_FIELD.test(name)) names.add(name);
      }
      walk(inner);
    }
  };
  for (const part of [call.params, call.query, call.body]) walk(schemaOf(part));
  return [...names];
}

/** An id of the same format that never existed; null for an unknown format. */
function neverWas(thing: string): string | null {
  if (/^\d{8}$/.test(thing)) return "98765432";
  if (/^[a-z][a-z0-9]{3,}$/.test(thing)) return `${thing.slice(0, -2)}qq`;
  if (/^[\w-]{22}\.[a-z]{3,4}$/.test(thing)) return `${"Q".repeat(22)}${thing.slice(22)}`;
  return null;
}

/** The answer without parts that differ between any two answers. */
const plain = ({ status, text }: Reply, thing: string): string =>
  `${status} ${text
    .replaceAll(thing, "ID")
    .replaceAll(/"(id|time|createTime|created_at|expiresAt|link|token)":"[^"]*"/g, '"$1":"…"')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")}`;
