import { expect, it } from "vitest";
import {
  DEFAULT_PAGE_SIZE,
  isPageSize,
  offeredPages,
  PAGE_SIZES,
  pageAfterResize,
  pageCount,
} from "./page-sizes.ts";

it("The sizes are those of the specification, and 20 is the first choice", () => {
  expect(PAGE_SIZES).toEqual([10, 20, 30, 50, 100, 500, 1000]);
  expect(DEFAULT_PAGE_SIZE).toBe(20);
  expect([20, 1000, 25, "20", null].map(isPageSize)).toEqual([true, true, false, false, false]);
});

it("The number of pages is rounded up, and an empty list has one", () => {
  expect([0, 1, 20, 21, 100_000].map((total) => pageCount(total, 20))).toEqual([1, 1, 1, 2, 5000]);
});

it("Another size keeps the first row in sight", () => {
  expect(pageAfterResize(1, 20, 100)).toBe(1);
  // row 100 is the first of page 6 of 20, and on page 2 of 100
  expect(pageAfterResize(6, 20, 100)).toBe(2);
  expect(pageAfterResize(2, 100, 10)).toBe(11);
});

it("All pages are offered while they fit, else the first, the last and those around the present one", () => {
  expect(offeredPages(1, 1, 1)).toEqual([1]);
  expect(offeredPages(4, 7, 1)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(offeredPages(1, 20, 1)).toEqual([1, 2, 3, 4, 5, "gap", 20]);
  expect(offeredPages(4, 20, 1)).toEqual([1, 2, 3, 4, 5, "gap", 20]);
  expect(offeredPages(5, 20, 1)).toEqual([1, "gap", 4, 5, 6, "gap", 20]);
  expect(offeredPages(20, 20, 1)).toEqual([1, "gap", 16, 17, 18, 19, 20]);
  expect(offeredPages(10, 20, 0)).toEqual([1, "gap", 10, "gap", 20]);
});

it("The number of buttons does not change, the present page is always among them, and no gap hides a single page", () => {
  for (const around of [0, 1, 2]) {
    for (let page = 1; page <= 30; page += 1) {
      const offered = offeredPages(page, 30, around);
      expect(offered).toHaveLength(2 * around + 5);
      expect(offered).toContain(page);
      expect([offered[0], offered.at(-1)]).toEqual([1, 30]);
      const gaps = offered.flatMap((one, index) =>
        one === "gap" ? [Number(offered[index + 1]) - Number(offered[index - 1]) - 1] : [],
      );
      for (const hidden of gaps) expect(hidden).toBeGreaterThan(1);
    }
  }
});
