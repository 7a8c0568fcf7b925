import { expect, it } from "vitest";
import { fakeWorld } from "../browser.fake.ts";
import { createTally } from "../tally.ts";
import { createPageLateness } from "./page-lateness.ts";

function page() {
  const world = fakeWorld();
  const tally = createTally();
  const lateness = createPageLateness(world.deps, tally);
  /** Four timers that are so late. */
  const late = (ms: number): void => {
    for (let n = 0; n < 4; n += 1) world.clock.stall(250 + ms);
  };
  return { world, tally, lateness, late };
}

it("A visible page says how late its timers were since the last reading", () => {
  const { lateness, late } = page();
  late(0);
  expect(lateness.read()).toEqual({ late: 0 });
  late(310);
  expect(lateness.read()).toEqual({ late: 310 });
});

it("A time in which the page was hidden, and be it for a moment, has no figure", () => {
  const { world, lateness, late } = page();
  late(5);
  world.showPage(false);
  expect(lateness.read()).toEqual({});
  late(750);
  expect(lateness.read()).toEqual({});
  late(750);
  world.showPage(true);
  late(5);
  expect(lateness.read()).toEqual({});
  late(5);
  expect(lateness.read()).toEqual({ late: 5 });
  world.showPage(false);
  world.showPage(true);
  late(5);
  expect(lateness.read()).toEqual({});
});

it("It ends with its timer", () => {
  const { world, tally, lateness } = page();
  lateness.stop();
  lateness.stop();
  expect([world.clock.pending, tally.read().timers]).toEqual([0, 0]);
});
