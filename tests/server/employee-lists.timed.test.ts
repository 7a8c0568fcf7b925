/** How long a person waits for pages of 100,000 employees in a chosen order, with and without a filter (docs/session.md#lists). */
import { afterAll, describe, expect, it } from "vitest";
import { restCalls } from "../../src/shared/protocol/rest/index.ts";
import type { FilterGroup } from "../../src/shared/protocol/rest/filter.ts";
import { seededRandom } from "../../src/shared/mutate.harness.ts";
import { percentile } from "../perf/report.ts";
import { POSTGRES } from "../support/empty-database.ts";
import { bothDatabases, type ListRead, printReads } from "../support/list-reads.ts";
import { startWithEmployees } from "../support/many-employees.ts";
import { type Ask, callerOf } from "../support/rest-caller.ts";
import { between } from "../support/seed.ts";

const EMPLOYEES = 100_000;
/** Rows of a page while the list scrolls. */
const LIMIT = 200;
/** ms, for 19 of 20 reads. */
const MOST = 100;
/** ms of the slowest read: the first one far from both ends, which sorts the whole list. */
const SLOWEST = 400;
/** Places to which the bar is dragged in each list. */
const DRAGS = 16;

const SORTS = ["name", "phone", "department", "position"].flatMap((one) => [one, `-${one}`]);
const FILTER: FilterGroup = {
  logic: "and",
  rules: [
    {
      logic: "or",
      rules: [
        { field: "name", op: "contains", value: "伟" },
        { field: "department", op: "eq", value: "工程部" },
      ],
    },
    {
      logic: "or",
      rules: [
        { field: "hireDate", op: "ge", value: "2018-01-01" },
        { field: "status", op: "eq", value: "probation" },
      ],
    },
  ],
};

/** Reads lists as a person scrolls them: each order from its first pages, its last page, and places between. */
async function readLists(ask: Ask, filter: FilterGroup | null): Promise<readonly ListRead[]> {
  const random = seededRandom(7);
  const reads: ListRead[] = [];
  for (const sort of SORTS) {
    let total = 0;
    const read = async (place: ListRead["place"], page: number): Promise<void> => {
      const query = new URLSearchParams({
        cursor: String(page),
        limit: String(LIMIT),
        sort,
        ...(filter === null ? {} : { filter: JSON.stringify(filter) }),
      });
      const began = performance.now();
      const answer = await ask("GET", `${restCalls.employeeList.path}?${query.toString()}`);
      reads.push({
        place,
        list: filter === null ? sort : `${sort}, filtered`,
        ms: performance.now() - began,
      });
      expect(answer.status).toBe(200);
      const found = answer.data as { total: number; records: readonly unknown[] };
      ({ total } = found);
      expect(found.records).toHaveLength(Math.min(LIMIT, total - (page - 1) * LIMIT));
    };
    await read("first page", 1);
    const pages = Math.ceil(total / LIMIT);
    expect(pages).toBeGreaterThan(30);
    await read("next pages", 2);
    await read("next pages", 3);
    await read("last page", pages);
    for (let n = 0; n < DRAGS; n += 1) await read("dragged to", between(random, 4, pages - 1));
  }
  return reads;
}

const ends: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of ends) await end();
});

describe.each(bothDatabases(ends))("On $name", ({ name, open }) => {
  it.runIf(name !== "PostgreSQL" || POSTGRES !== "")(
    `${EMPLOYEES} employees answer 95 of 100 reads within ${MOST} ms, in each order, with and without a filter of two groups`,
    { timeout: 300_000 },
    async () => {
      const server = await startWithEmployees(EMPLOYEES, await open());
      ends.unshift(() => server.dispose());
      const ask = await callerOf(server.url, "admin");
      for (const [title, filter] of [
        ["sorted", null],
        ["sorted and filtered", FILTER],
      ] as const) {
        const reads = await readLists(ask, filter);
        printReads(`${name}, ${title}`, reads);
        const ms = reads.map((one) => one.ms);
        expect(percentile(ms, 95)).toBeLessThanOrEqual(MOST);
        expect(Math.max(...ms)).toBeLessThanOrEqual(SLOWEST);
      }
    },
  );
});
