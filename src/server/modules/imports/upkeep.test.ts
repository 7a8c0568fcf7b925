/** When the statistics of the employees are updated after imports; the database is a counter (docs/import.md). */
import { expect, it } from "vitest";
import type { ServerDeps } from "../../base/module.ts";
import { createManualClock } from "../../host.harness.ts";
import { createUpkeep, UPKEEP_DELAY_MS } from "./upkeep.ts";

function open() {
  const clock = createManualClock();
  let updates = 0;
  const db = { transaction: () => Promise.resolve(void (updates += 1)) };
  const deps = { clock, db, log: {} } as unknown as ServerDeps;
  return { clock, upkeep: createUpkeep(deps), updates: () => updates };
}
const LARGE = 1000;

it("Large imports that end within a moment are followed by one update, a moment later", async () => {
  const { clock, upkeep, updates } = open();
  upkeep.after(LARGE);
  clock.advance(UPKEEP_DELAY_MS - 1);
  upkeep.after(LARGE);
  expect(updates()).toBe(0);
  clock.advance(1);
  clock.advance(UPKEEP_DELAY_MS);
  await upkeep.stop();
  expect(updates()).toBe(1);
});

it("A small import is followed by none", async () => {
  const { clock, upkeep, updates } = open();
  upkeep.after(LARGE - 1);
  clock.advance(UPKEEP_DELAY_MS);
  await upkeep.stop();
  expect(updates()).toBe(0);
});

it("The end of the server gives up a planned update", async () => {
  const { clock, upkeep, updates } = open();
  upkeep.after(LARGE);
  await upkeep.stop();
  clock.advance(UPKEEP_DELAY_MS);
  await upkeep.stop();
  expect(updates()).toBe(0);
});
