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

describe("A text that many names share", () => {
  let database: Database;
  let tenants: Tenants;
  let companyId = "";
  beforeAll(async () => {
    database = await openTestDatabase();
    tenants = createTenants(database.pool);
    const { rows } = await database.pool.query<{ id: string }>(
      "INSERT INTO companies (name) VALUES ('甲') RETURNING id",
    );
    companyId = rows[0]?.id ?? "";
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
