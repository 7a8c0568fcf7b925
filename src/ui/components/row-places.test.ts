import { describe, expect, it } from "vitest";
import {
  aheadOf,
  AT_TOP,
  barOf,
  driftOf,
  type Extent,
  follow,
  heightOf,
  listFor,
  listOf,
  mustSettle,
  type Place,
  rowsAt,
  TALLEST,
} from "./row-places.ts";

const ROW = 36;
const ROWS = 1_048_575;
/** A million rows of 36 px below their head. */
const LONG: Extent = { content: (ROWS + 1) * ROW, view: 560 };
const SHORT: Extent = { content: 1001 * ROW, view: 560 };
const LAST = LONG.content - LONG.view;
const BOTTOM = TALLEST - LONG.view;
/** The list at a place, with its bar where it belongs. */
const at = (list: number): Place => ({ list, bar: barOf(LONG, list) });

describe("A list that fits", () => {
  it("is as tall as its rows, and its bar is its place", () => {
    expect(heightOf(SHORT)).toBe(36_036);
    for (const px of [0, 17.5, 20_000, 35_476]) {
      expect(barOf(SHORT, px)).toBe(px);
      expect(follow(SHORT, AT_TOP, px)).toEqual({ list: px, bar: px });
    }
    expect(mustSettle(SHORT, { list: 0, bar: 0 })).toBe(false);
  });
  it("stays within itself where a browser scrolls beyond the end", () => {
    const above = follow(SHORT, AT_TOP, -40);
    expect([above, aheadOf(SHORT, above)]).toEqual([{ list: 0, bar: -40 }, 0]);
    expect(follow(SHORT, AT_TOP, 99_999).list).toBe(35_476);
  });
});

describe("A list of a million rows", () => {
  it("is lower than what Firefox and Chromium cap, and its ends are those of the bar", () => {
    expect(heightOf(LONG)).toBeLessThan(17_000_000);
    expect([barOf(LONG, 0), barOf(LONG, LAST)]).toEqual([0, BOTTOM]);
    expect([listOf(LONG, 0), listOf(LONG, BOTTOM)]).toEqual([0, LAST]);
    expect(rowsAt(LONG, LAST, ROW).last).toBe(ROWS - 1);
  });

  it("maps each place of the bar to one of the list and back, in order", () => {
    let before = -1;
    for (let bar = 0; bar <= BOTTOM; bar += 79_993) {
      const list = listOf(LONG, bar);
      expect(list).toBeGreaterThan(before);
      expect(barOf(LONG, list)).toBeCloseTo(bar, 3);
      before = list;
    }
  });

  it("is proportional between its ends: the middle of the bar is the middle of the list", () => {
    expect(listOf(LONG, BOTTOM / 2)).toBeCloseTo(LAST / 2, 3);
    const quarter = follow(LONG, AT_TOP, BOTTOM / 4);
    expect(quarter.list / LAST).toBeCloseTo(0.25, 1);
    expect(Math.abs(driftOf(LONG, quarter))).toBeLessThan(0.5);
  });

  it.each([100, 120.5, -100, 490])("moves by exactly %s px with a wheel or a key", (px) => {
    for (const start of [300, 5_000_000, 20_000_000, LAST - 600]) {
      const before = at(start);
      const after = follow(LONG, before, before.bar + px);
      expect(after.list).toBeCloseTo(Math.max(0, Math.min(LAST, start + px)), 6);
    }
  });

  it("keeps its rows where they are when the bar is set right", () => {
    let place = at(20_000_000);
    for (let i = 0; i < 300; i += 1) place = follow(LONG, place, place.bar + 120);
    expect(place.list).toBeCloseTo(20_036_000, 3);
    const drift = driftOf(LONG, place);
    expect(drift).toBeGreaterThan(25_000);
    expect(mustSettle(LONG, place)).toBe(false);
    const settled = at(place.list);
    const drawn = (one: Place) => 20_036_000 - aheadOf(LONG, one) - one.bar;
    expect(drawn(settled)).toBeCloseTo(drawn(place), 1);
    expect(driftOf(LONG, settled)).toBeCloseTo(0, 6);
  });

  it("sets the bar right at once when it drifted far or met an end too early", () => {
    let place = at(20_000_000);
    for (let i = 0; i < 1100; i += 1) place = follow(LONG, place, place.bar + 120);
    expect(mustSettle(LONG, place)).toBe(true);
    expect(mustSettle(LONG, { list: 5000, bar: 0 })).toBe(true);
    expect(mustSettle(LONG, { list: LAST - 5000, bar: BOTTOM })).toBe(true);
    expect(mustSettle(LONG, at(0))).toBe(false);
    expect(mustSettle(LONG, at(LAST))).toBe(false);
  });

  it("reaches both ends by the keys of the browser, in one step and in many", () => {
    expect(follow(LONG, at(5_000_000), BOTTOM).list).toBe(LAST);
    expect(follow(LONG, at(LAST), 0).list).toBe(0);
    // A browser may go there with a movement that begins and ends slowly.
    for (const [from, to] of [
      [at(5_000_000), BOTTOM],
      [at(LAST - 2000), BOTTOM],
      [at(LAST), 0],
      [at(2000), 0],
    ] as const) {
      let place: Place = from;
      for (let step = 1; step <= 60; step += 1) {
        const part = (1 - Math.cos((Math.PI * step) / 60)) / 2;
        place = follow(LONG, place, from.bar + (to - from.bar) * part);
      }
      expect(place.list).toBeCloseTo(to === 0 ? 0 : LAST, 3);
    }
  });

  it("shows a row whole, moving as little as needed", () => {
    expect(listFor(LONG, 0, ROWS - 1, ROW)).toBe(LAST);
    expect(listFor(LONG, LAST, 0, ROW)).toBe(0);
    expect(listFor(LONG, 360, 12, ROW)).toBe(360);
    expect(listFor(LONG, 365, 10, ROW)).toBe(360);
    // The row's end and the head above make 26 rows less the view.
    expect(listFor(LONG, 0, 24, ROW)).toBe(26 * ROW - 560);
  });

  it("names the rows that are visible below the head", () => {
    expect(rowsAt(LONG, 0, ROW)).toEqual({ first: 0, last: 14 });
    expect(rowsAt(LONG, 36, ROW)).toEqual({ first: 1, last: 15 });
    expect(rowsAt({ content: 0, view: 0 }, 0, ROW)).toEqual({ first: 0, last: 0 });
  });
});
