import { describe, expect, test } from "vitest";
import { bounded, panned, rangeAfterKey, zoomed } from "./time-range.ts";

const limits = { bounds: { from: 0, to: 1000 }, least: 10 };
const range = { from: 400, to: 600 };

describe("The time that charts show", () => {
  test("is moved by a pan, and keeps its length at the ends", () => {
    expect(panned(range, 100, limits)).toEqual({ from: 500, to: 700 });
    expect(panned(range, 5000, limits)).toEqual({ from: 800, to: 1000 });
    expect(panned(range, -5000, limits)).toEqual({ from: 0, to: 200 });
  });

  test("is zoomed around a time that stays in its place", () => {
    expect(zoomed(range, 0.5, 450, limits)).toEqual({ from: 425, to: 525 });
    expect(zoomed(range, 0.5, 500, limits)).toEqual({ from: 450, to: 550 });
  });

  test("is never shorter than the least and never longer than its bounds", () => {
    expect(zoomed(range, 0.001, 500, limits)).toEqual({ from: 495, to: 505 });
    expect(zoomed(range, 1000, 500, limits)).toEqual({ from: 0, to: 1000 });
    expect(bounded({ from: -500, to: 5000 }, limits)).toEqual({ from: 0, to: 1000 });
    expect(bounded({ from: 995, to: 1200 }, limits)).toEqual({ from: 795, to: 1000 });
  });

  test("follows the keys: arrows pan by a fifth, plus and minus zoom by two, 0 and Home show everything", () => {
    expect(rangeAfterKey("ArrowLeft", range, limits)).toEqual({ from: 360, to: 560 });
    expect(rangeAfterKey("ArrowRight", range, limits)).toEqual({ from: 440, to: 640 });
    for (const key of ["+", "="]) {
      expect(rangeAfterKey(key, range, limits)).toEqual({ from: 450, to: 550 });
    }
    for (const key of ["-", "_"]) {
      expect(rangeAfterKey(key, range, limits)).toEqual({ from: 300, to: 700 });
    }
    for (const key of ["0", "Home"]) expect(rangeAfterKey(key, range, limits)).toBeNull();
    expect(rangeAfterKey("a", range, limits)).toBeUndefined();
  });
});
