import { sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FilterGroup } from "../../../shared/protocol/rest/filter.ts";
import type { Database } from "../../base/database/index.ts";
import { createTenants, type Tenants } from "../../base/database/tenant.ts";
import { openTestDatabase } from "../../base/database/database.harness.ts";
import { FIELDS } from "./fields.ts";
import { compileFilter } from "./filter.ts";
import { createEmployeePages, type Wanted } from "./page.ts";

const MANY = 3000;
/** Every third name does not contain the searched text. */
const nameOf = (n: number): string => (n % 3 === 0 ? `李${n}` : `张雨${n}`);

/** A database with one company that has nobody yet. */
async function openCompany() {
  const database = await openTestDatabase();
  const { rows } = await database.pool.query<{ id: string }>(
    "INSERT INTO companies (name) VALUES ('甲') RETURNING id",
  );
  return { database, tenants: createTenants(database.pool), companyId: rows[0]?.id ?? "" };
}

describe("A text that many names share", () => {
  let database: Database;
  let tenants: Tenants;
  let companyId = "";
  beforeAll(async () => {
    ({ database, tenants, companyId } = await openCompany());
    const names = Array.from({ length: MANY }, (_, i) => nameOf(i + 1));
    await database.pool.query(
      "INSERT INTO employees (company_id, name) SELECT $1, name FROM unnest($2::text[]) WITH ORDINALITY AS t (name, n) ORDER BY n",
      [companyId, names],
    );
  }, 60_000);
  afterAll(() => database.close());

  const pages = createEmployeePages();
  /** @returns names of the page, the total, and whether the keyword index was used */
  const ask = (wanted: Wanted, cursor: number) =>
    tenants.run(companyId, null, async (scope) => {
      const texts: string[] = [];
      const spied: typeof scope = {
        ...scope,
        sql: (query) => {
          texts.push(new PgDialect().sqlToQuery(query).sql);
          return scope.sql(query);
        },
      };
      const { records, total } = await pages.page(spied, wanted, {
        cursor,
        limit: 20,
        searchCount: true,
      });
      return {
        names: records.map(({ name }) => name),
        total,
        byIndex: texts.some((text) => text.includes("employee_matches")),
      };
    });

  const filter: FilterGroup = {
    logic: "and",
    rules: [{ field: "name", op: "contains", value: "雨" }],
  };
  const wantedBy: Readonly<Record<string, Wanted>> = {
    keyword: { gone: false, keyword: "雨" },
    filter: {
      gone: false,
      where: compileFilter(filter, FIELDS, { gone: false }),
      along: compileFilter(filter, FIELDS, { gone: false, along: true }),
    },
  };
  for (const [name, wanted] of Object.entries(wantedBy)) {
    it(`searched as a ${name} is found by the index at first, then along the list, with the same rows`, async () => {
      const expected = Array.from({ length: MANY }, (_, i) => nameOf(i + 1)).filter((one) =>
        one.includes("雨"),
      );
      const pageOf = (cursor: number) => expected.slice((cursor - 1) * 20, cursor * 20);
      const total = expected.length;
      expect(await ask(wanted, 3)).toEqual({ names: pageOf(3), total, byIndex: true });
      expect(await ask(wanted, 3)).toEqual({ names: pageOf(3), total, byIndex: false });
      expect(await ask(wanted, 1)).toEqual({ names: pageOf(1), total, byIndex: false });
      expect(await ask({ ...wanted, newestFirst: true }, 1)).toEqual({
        names: expected.slice(-20).toReversed(),
        total,
        byIndex: false,
      });
      // Near the end of the list the index is faster again.
      expect(await ask(wanted, 100)).toMatchObject({ names: pageOf(100), total });
      expect(await ask(wanted, 101)).toMatchObject({ names: [], total });
    });
  }
});

describe("A long list in a chosen order", () => {
  const EMPLOYEES = 8000;
  const LIMIT = 500;
  let database: Database;
  let tenants: Tenants;
  let companyId = "";
  beforeAll(async () => {
    ({ database, tenants, companyId } = await openCompany());
    // Few departments, so that many rows are equal in the order, and every seventh has none.
    await database.pool.query(
      `INSERT INTO employees (company_id, name, department)
       SELECT $1, '人' || n, CASE WHEN n % 7 = 0 THEN NULL ELSE '部门' || n * 31 % 40 END
       FROM generate_series(1, $2::int) AS n`,
      [companyId, EMPLOYEES],
    );
  }, 60_000);
  afterAll(() => database.close());

  const pages = createEmployeePages();
  const filter = compileFilter(
    {
      logic: "or",
      rules: [
        { field: "name", op: "contains", value: "1" },
        { field: "name", op: "contains", value: "2" },
        { field: "name", op: "contains", value: "3" },
        { field: "name", op: "contains", value: "4" },
      ],
    },
    FIELDS,
    { gone: false },
  );
  const LISTS: Readonly<Record<string, Omit<Wanted, "order">>> = {
    whole: { gone: false },
    filtered: { gone: false, where: filter },
  };
  /** All rows, page by page, and how often the whole list was sorted. */
  const readAll = (wanted: Wanted, searchCount: boolean) =>
    tenants.run(companyId, null, async (scope) => {
      let sorts = 0;
      const counted: typeof scope = {
        ...scope,
        sql: (query) => {
          if (new PgDialect().sqlToQuery(query).sql.includes("int8send")) sorts += 1;
          return scope.sql(query);
        },
      };
      const names: string[] = [];
      for (let cursor = 1; cursor <= EMPLOYEES / LIMIT + 1; cursor += 1) {
        const { records } = await pages.page(counted, wanted, {
          cursor,
          limit: LIMIT,
          searchCount,
        });
        names.push(...records.map(({ name }) => name));
      }
      return { names, sorts };
    });
  const expected = async (wanted: Wanted, down: boolean): Promise<string[]> => {
    const direction = down ? "DESC" : "ASC";
    const where = wanted.where === undefined ? "" : "AND name ~ '[1234]'";
    const { rows } = await database.pool.query<{ name: string }>(
      `SELECT name FROM employees WHERE company_id = $1 ${where}
       ORDER BY department ${direction} NULLS LAST, id ${direction}`,
      [companyId],
    );
    return rows.map(({ name }) => name);
  };

  for (const [title, list] of Object.entries(LISTS)) {
    for (const down of [false, true]) {
      it(`${title}, ${down ? "the greatest" : "the least"} first, has each row once and in order, sorts its middle once, and again after a change`, async () => {
        const wanted: Wanted = { ...list, order: { by: sql`e.department`, down } };
        const before = await readAll(wanted, true);
        expect(before.names).toEqual(await expected(wanted, down));
        // The other direction may have sorted it before.
        expect(before.sorts).toBeLessThanOrEqual(1);
        expect((await readAll(wanted, false)).names).toEqual(before.names);
        expect((await readAll(wanted, true)).sorts).toBe(0);
        await database.pool.query(
          "UPDATE employees SET department = '部门3' WHERE company_id = $1 AND name = '人1234'",
          [companyId],
        );
        const after = await readAll(wanted, true);
        expect(after.names).toEqual(await expected(wanted, down));
        expect(after.sorts).toBe(1);
      });
    }
  }
});

describe("A text that a name contains", () => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase();
  }, 60_000);
  afterAll(() => database.close());

  it("is found in the same names whether or not the comparison minds dots and capitals", async () => {
    const names = [
      "阿依·努尔",
      "阿依.努尔",
      "阿依•努尔",
      "Ali Bob",
      "ALI bob",
      "ß",
      "李%明",
      "李_明",
      "É",
    ];
    const texts = ["依·努", "依.努", "依•努", "努尔", "ali", "LI B", "%", "_", "李", "é", "ß", "1"];
    for (const text of texts) {
      const where = compileFilter(
        { logic: "or", rules: [{ field: "name", op: "contains", value: text }] },
        FIELDS,
        { gone: false },
      );
      const { sql: condition, params } = new PgDialect().sqlToQuery(where ?? sql`false`);
      const found = await database.pool.query<{ name: string }>(
        `SELECT e.name FROM (SELECT unnest($${params.length + 1}::text[]) AS name) AS e WHERE ${condition}`,
        [...params, names],
      );
      const like = await database.pool.query<{ name: string }>(
        "SELECT name FROM unnest($1::text[]) AS name WHERE position(lower(plain_dots($2)) IN lower(plain_dots(name))) > 0",
        [names, text],
      );
      expect([text, found.rows]).toEqual([text, like.rows]);
    }
  });
});
