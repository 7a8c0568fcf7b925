import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestDatabase } from "../../base/database/database.harness.ts";
import type { Database } from "../../base/database/index.ts";
import { createTenants } from "../../base/database/tenant.ts";
import type { RollupRow } from "./rollup.ts";
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
const opsOf = async (companyId: string | null, seconds: 10 | 60 | 3600 = 10) => {
  const { rows } = await database.db.execute<MetricRow>(
    metricQuery("c", "ops", seconds, NOW - 500 * DAY_MS, NOW + DAY_MS, companyId),
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
  expect((await opsOf("1")).map(Number).toSorted((a, b) => a - b)).toEqual([1, 5, 7]);
  expect(await opsOf("2")).toEqual([1]);
  expect(await opsOf(null)).toHaveLength(4);
});

it("Row level security shows a company its own figures alone, in the partitions too", async () => {
  const tenants = createTenants(database.pool);
  const seen = await tenants.run("2", null, (scope) =>
    scope.sql<MetricRow>(metricQuery("c", "ops", 10, NOW - DAY_MS, NOW + DAY_MS, null)),
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
  expect(await opsOf(null)).toEqual([]);
  expect([await opsOf(null, 60), await opsOf(null, 3600)]).toEqual([[1], [1]]);
  const { rows } = await database.pool.query<{ there: boolean }>(
    "SELECT to_regclass('fleet_rollups_10_20261127') IS NOT NULL AS there",
  );
  expect(rows[0]?.there).toBe(false);
});
