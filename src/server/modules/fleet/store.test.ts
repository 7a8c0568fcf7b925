import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestDatabase } from "../../base/database/database.harness.ts";
import type { Database } from "../../base/database/index.ts";
import { readMigrations } from "../../base/database/migrate.ts";
import { createTenants } from "../../base/database/tenant.ts";
import { type RollupRow, withAll } from "./rollup.ts";
import { durations } from "./fleet.harness.ts";
import { ALL_COMPANIES } from "./figures.ts";
import { createFleetStore, type FleetStore, metricQuery, type MetricRow } from "./store.ts";

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 27, 12);
const KEEPING = { 10: 2 * DAY_MS, 60: 30 * DAY_MS, 3600: 400 * DAY_MS };

let database: Database;
let store: FleetStore;
beforeAll(async () => {
  database = await openTestDatabase();
  store = createFleetStore(database.db);
}, 60_000);
afterAll(() => database.close());

const row = (at: number, over: Partial<RollupRow> = {}, ops = 1): RollupRow => ({
  companyId: "1",
  seconds: 10,
  at,
  figures: { c: { ops }, h: {}, l: {} },
  ...over,
});
const EVER = { from: NOW - 500 * DAY_MS, to: NOW + DAY_MS };
const BOTH = ["1", "2"];
const opsOf = async (companies: readonly string[], step: 10 | 60 | 3600 = 10) => {
  const { rows } = await database.db.execute<MetricRow>(
    metricQuery("c", "ops", { ...EVER, companies, step }),
  );
  return rows.map(({ value }) => value);
};
const partitionOf = async (at: number): Promise<string | undefined> => {
  const { rows } = await database.pool.query<{ name: string }>(
    "SELECT tableoid::regclass::text AS name FROM fleet_rollups WHERE at = $1 AND seconds = 10",
    [new Date(at)],
  );
  return rows[0]?.name;
};

it("Rows lie in partitions by day, and a row that comes again replaces the one before", async () => {
  // Of a time when no partition was made.
  await store.write("w1", [row(NOW - DAY_MS)]);
  await store.prepare(NOW - DAY_MS);
  await store.prepare(NOW);
  await store.prepare(NOW);
  await store.write("w1", [row(NOW), row(NOW + 10_000, { companyId: "2" })]);
  await store.write("w1", [row(NOW, {}, 5)]);
  await store.write("w2", [row(NOW, {}, 7)]);
  expect(await partitionOf(NOW - DAY_MS)).toBe("fleet_rollups_10_rest");
  expect(await partitionOf(NOW)).toBe("fleet_rollups_10_20261127");
  expect((await opsOf(["1"])).map(Number).toSorted((a, b) => a - b)).toEqual([1, 5, 7]);
  expect(await opsOf(["2"])).toEqual([1]);
  expect(await opsOf(BOTH)).toHaveLength(4);
});

it("Row level security shows a company its own figures alone, in the partitions too", async () => {
  const tenants = createTenants(database.pool);
  const seen = await tenants.run("2", null, (scope) =>
    scope.sql<MetricRow>(metricQuery("c", "ops", { ...EVER, companies: BOTH, step: 10 })),
  );
  expect(seen.map(({ companyId }) => companyId)).toEqual(["2"]);
  await expect(
    database.pool
      .query("BEGIN; SET LOCAL ROLE console_tenant; SELECT * FROM fleet_rollups_10_20261127")
      .finally(() => database.pool.query("ROLLBACK")),
  ).rejects.toThrow(/permission denied/);
});

it("What is older than its time is removed: whole days at once, and what lies in no day", async () => {
  await store.write("w1", [
    row(NOW, { seconds: 60 }),
    row(NOW - 100 * DAY_MS, { seconds: 60 }),
    row(NOW - 100 * DAY_MS, { seconds: 3600 }),
  ]);
  expect(await store.prune(NOW, KEEPING)).toBe(1);
  const later = NOW + 3 * DAY_MS + 3_600_000;
  // Three of 10 s in the partition of the day, and one of the day before it.
  expect(await store.prune(later, KEEPING)).toBe(4);
  expect(await opsOf(BOTH)).toEqual([]);
  expect([await opsOf(BOTH, 60), await opsOf(BOTH, 3600)]).toEqual([[1], [1]]);
  const { rows } = await database.pool.query<{ there: boolean }>(
    "SELECT to_regclass('fleet_rollups_10_20261127') IS NOT NULL AS there",
  );
  expect(rows[0]?.there).toBe(false);
});

it("The migration makes of the rows that are there the same ones of all companies as the server writes", async () => {
  const figures = (n: number): RollupRow["figures"] => ({
    c: { ops: n, [`errors.x${n}`]: 1 },
    h: { commands: durations([n, 3], [50, n]), [`command.c${n}`]: durations([7, 1]) },
    l: { tabs: [n * 6, n + 1, 6] },
  });
  const at = NOW + 7 * DAY_MS;
  const written = BOTH.map((companyId, i) => row(at, { companyId, figures: figures(i + 2) }));
  await store.write("w1", [...written, row(at, { companyId: "0" }), row(at + 10_000)]);
  const migration = readMigrations().find(({ name }) => name.endsWith("fleet_all_companies.sql"));
  await database.pool.query(migration?.sql ?? "");
  const { rows } = await database.pool.query<{ figures: unknown }>(
    "SELECT figures FROM fleet_rollups WHERE company_id = $1 AND at = $2",
    [ALL_COMPANIES, new Date(at)],
  );
  const together = withAll(written).filter(({ companyId }) => companyId === ALL_COMPANIES);
  expect(rows.map((one) => one.figures)).toEqual(together.map((one) => one.figures));
  expect(together[0]?.figures).toMatchObject({
    c: { ops: 5, "errors.x2": 1, "errors.x3": 1 },
    h: { commands: durations([2, 3], [3, 3], [50, 5]) },
    l: { tabs: [30, 7, 6] },
  });
});
