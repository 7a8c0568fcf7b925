import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "drizzle-orm";
import pino from "pino";
import { createManualClock } from "../../host.harness.ts";
import { inventEmployees } from "../../base/database/seed-employees.ts";
import { migrate, readMigrations } from "../../base/database/migrate.ts";
import { createTenants, type Tenants } from "../../base/database/tenant.ts";
import { openTestDatabase } from "../../base/database/database.harness.ts";
import type { Database } from "../../base/database/index.ts";
import { createEmployeePages } from "./page.ts";
import { createSearchIndex, indexStep, SEARCH_STEP, type SearchIndexDeps } from "./search-index.ts";
import { aMoment } from "../../base/moment.harness.ts";

const INSERT = `INSERT INTO employees (company_id, name, employee_no, phone, department, "position")
  SELECT $1, r.name, r."employeeNo", r.phone, r.department, r."position" FROM jsonb_to_recordset($2::jsonb)
    AS r (name text, "employeeNo" text, phone text, department text, "position" text) RETURNING id::text AS id`;

let database: Database;
let tenants: Tenants;
let company: string;
const log = pino({ level: "silent" });
const query = async <R>(text: string, values: unknown[] = []): Promise<R[]> =>
  (await database.pool.query(text, values)).rows as R[];
const add = async (count: number, first: number): Promise<string[]> => {
  const rows = await query<{ id: string }>(INSERT, [
    company,
    JSON.stringify([...inventEmployees(count, first)]),
  ]);
  return rows.map(({ id }) => id);
};
const pages = createEmployeePages();
const found = (keyword: string, gone = false): Promise<string[]> =>
  tenants.run(company, null, async (scope) => {
    const request = { cursor: 1, limit: 1000, searchCount: true };
    const page = await pages.page(scope, { gone, keyword }, request);
    expect(page.total).toBe(page.records.length);
    return page.records.map(({ id }) => id);
  });
const waiting = async (): Promise<number> =>
  (
    await query<{ n: number }>(
      "SELECT coalesce(sum(cardinality(ids)), 0)::int AS n FROM employee_search_queue",
    )
  )[0]?.n ?? -1;
const drain = async (): Promise<number> => {
  let taken = 0;
  for (;;) {
    const step = await indexStep(database.db);
    if (step === 0) return taken;
    expect(step).toBeLessThanOrEqual(SEARCH_STEP);
    taken += step;
  }
};

describe("The search index", () => {
  beforeAll(async () => {
    database = await openTestDatabase();
    tenants = createTenants(database.pool);
    company =
      (
        await query<{ id: string }>(
          "INSERT INTO companies (name) VALUES ('检索') RETURNING id::text AS id",
        )
      )[0]?.id ?? "";
  }, 60_000);
  afterAll(() => database.close());

  it("finds queued rows and indexed rows, each once, after every step", async () => {
    const ids = await add(1000, 0);
    expect(await waiting()).toBe(1000);
    const words = ["S0000500", "99010005", "张", "电工", "s00005"];
    const before = await Promise.all(words.map((word) => found(word)));
    expect(before[0]).toEqual([ids[500]]);
    expect(before.map((list) => list.length)).not.toContain(0);
    for (let step = 0; step < 5; step += 1) {
      expect(await indexStep(database.db)).toBe(200);
      for (const [i, word] of words.entries()) {
        expect(await found(word), `${word} after ${step + 1} steps`).toEqual(before[i]);
      }
    }
    expect(await indexStep(database.db)).toBe(0);
    expect(await waiting()).toBe(0);
  });

  it("indexes few rows within their own statement", async () => {
    const [id] = await add(1, 5000);
    expect(await waiting()).toBe(0);
    expect(await found("S0005000")).toEqual([id]);
  });

  it("follows an edit, a dimission and a removal, of queued rows and of indexed rows", async () => {
    for (const indexed of [false, true]) {
      const ids = await add(60, indexed ? 6100 : 6000);
      if (indexed) await drain();
      const no = indexed ? "S00061" : "S00060";
      await query("UPDATE employees SET employee_no = 'X' || employee_no WHERE id = $1", [ids[5]]);
      await query("UPDATE employees SET dimission_at = now() WHERE id = $1", [ids[6]]);
      await query("DELETE FROM employees WHERE id = $1", [ids[7]]);
      await query("UPDATE employees SET remark = 'x' WHERE id = $1", [ids[8]]);
      const left = ids.filter((_, i) => i !== 6 && i !== 7);
      for (const drained of [false, true]) {
        if (drained) await drain();
        expect(await found(no), `${indexed} ${drained}`).toEqual(left);
        expect(await found(`X${no}`)).toEqual([ids[5]]);
        expect(await found(no, true)).toEqual([ids[6]]);
      }
      await query(
        "UPDATE employees SET employee_no = employee_no || 'Y' WHERE id = ANY ($1::bigint[])",
        [left],
      );
      expect(await waiting()).toBe(left.length);
      expect(await found(`${no}05Y`)).toEqual([ids[5]]);
      await drain();
      expect(await found(`${no}05Y`)).toEqual([ids[5]]);
    }
  });

  it("reads no employee but those that wait, whatever the planner knows of the tables", async () => {
    await add(2000, 20_000);
    while ((await waiting()) > 400) await indexStep(database.db);
    await tenants.run(company, null, async (scope) => {
      // A planner without statistics may think that another order costs less.
      await scope.sql(sql`SET LOCAL enable_nestloop = off`);
      const readSoFar = async (): Promise<number> => {
        const [counted] = await scope.sql<{ read: number }>(sql`
          SELECT (seq_tup_read + idx_tup_fetch)::int AS read FROM pg_stat_xact_user_tables
          WHERE relname = 'employees'`);
        return counted?.read ?? Number.NaN;
      };
      const before = await readSoFar();
      await scope.sql(sql`SELECT count(*) FROM employee_matches('电工', false)`);
      expect((await readSoFar()) - before).toBe(400);
    });
    await drain();
  });

  it("finds a waiting name by letters of either case and by any dot", async () => {
    await query(
      "INSERT INTO employees (company_id, name) SELECT $1, '阿卜．' || n || 'Müller' FROM generate_series(1, 60) AS n",
      [company],
    );
    expect(await waiting()).toBe(60);
    for (const drained of [false, true]) {
      if (drained) await drain();
      expect(await found("阿卜·"), `drained ${drained}`).toHaveLength(60);
      expect(await found("7müLLER")).toHaveLength(6);
    }
  });

  it("shows another company nothing, queued or indexed", async () => {
    const [other] = await query<{ id: string }>(
      "INSERT INTO companies (name) VALUES ('别家') RETURNING id::text AS id",
    );
    await add(60, 7000);
    for (const drained of [false, true]) {
      if (drained) await drain();
      const seen = await tenants.run(other?.id ?? "", null, (scope) =>
        pages.page(
          scope,
          { gone: false, keyword: "S0007" },
          { cursor: 1, limit: 10, searchCount: true },
        ),
      );
      expect(seen.total).toBe(0);
    }
  });

  it("The server's loop works off the queue automatically, but not while an import writes", async () => {
    const clock = createManualClock();
    const search = createSearchIndex({ db: database.db, clock, log, doPeopleWait: () => false });
    await add(450, 8000);
    search.defer(1000);
    search.start();
    const settle = async (ms: number): Promise<void> => {
      clock.advance(ms);
      await aMoment();
    };
    await settle(0);
    await settle(500);
    expect(await waiting()).toBe(450);
    await expect
      .poll(() => {
        clock.advance(600);
        return waiting();
      })
      .toBe(0);
    await search.stop();
  });

  it("While people wait, the loop leaves nine tenths of the time to them, and half of it otherwise", async () => {
    const clock = createManualClock();
    let doPeopleWait = true;
    /** A database on which each step lasts 40 ms. Steps by the time of their begin. */
    const begins: number[] = [];
    const db = {
      async execute() {
        begins.push(clock.now());
        await Promise.resolve();
        clock.advance(40);
        return { rows: [{ taken: SEARCH_STEP }] };
      },
    } as unknown as SearchIndexDeps["db"];
    const search = createSearchIndex({ db, clock, log, doPeopleWait: () => doPeopleWait });
    const pass = async (ms: number): Promise<void> => {
      for (let passed = 0; passed < ms; passed += 10) {
        clock.advance(10);
        // As many as the end of a step needs until the next timer is set.
        for (let i = 0; i < 10; i += 1) await Promise.resolve();
      }
    };
    search.start();
    await pass(2000);
    const busy = begins.splice(0);
    for (const [at, begin] of busy.slice(1).entries()) {
      expect(begin - busy[at]!).toBeGreaterThanOrEqual(400);
      expect(begin - busy[at]!).toBeLessThanOrEqual(500);
    }
    expect(busy.length).toBeGreaterThan(3);
    doPeopleWait = false;
    await pass(2000);
    expect(begins.length).toBeGreaterThan(4 * busy.length);
    await search.stop();
  });

  it("An import waits until the company's queue is below the limit", async () => {
    const search = createSearchIndex({
      db: database.db,
      clock: createManualClock(),
      log,
      doPeopleWait: () => false,
      backlog: 300,
    });
    await add(1000, 9000);
    await search.waitForSpace(company);
    expect(await waiting()).toBeLessThanOrEqual(300);
    await drain();
  });
});

it("Migrating a database of an earlier version keeps all its employees searchable", async () => {
  database = await openTestDatabase({ migrated: false });
  try {
    const all = readMigrations();
    await migrate(
      database.pool,
      all.filter(({ version }) => version < "0030"),
    );
    tenants = createTenants(database.pool);
    company =
      (
        await query<{ id: string }>(
          "INSERT INTO companies (name) VALUES ('旧') RETURNING id::text AS id",
        )
      )[0]?.id ?? "";
    const ids = await add(500, 0);
    await query("UPDATE employees SET dimission_at = now() WHERE id = $1", [ids[3]]);
    expect(await migrate(database.pool, all)).toEqual(
      all.filter(({ version }) => version >= "0030").map(({ name }) => name),
    );
    for (const drained of [false, true]) {
      if (drained) expect(await drain()).toBe(500);
      expect(await found("S0000499")).toEqual([ids[499]]);
      expect(await found("S00000")).toHaveLength(99);
      expect(await found("S0000003", true)).toEqual([ids[3]]);
    }
    expect(
      await query(
        "SELECT indexname FROM pg_indexes WHERE indexname IN ('employees_grams', 'employees_gender')",
      ),
    ).toEqual([]);
  } finally {
    await database.close();
  }
}, 60_000);
