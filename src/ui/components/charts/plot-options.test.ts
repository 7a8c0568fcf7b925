import { expect, it } from "vitest";
import { wholeOnes } from "./plot-options.ts";

it("An axis of counts marks whole numbers, and one of small fractions all of them", () => {
  expect(wholeOnes([0, 0.5, 1, 1.5, 2])).toEqual([0, null, 1, null, 2]);
  expect(wholeOnes([0, 0.2, 0.4, 0.6, 0.8, 1])).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  expect(wholeOnes([0, 25, 50])).toEqual([0, 25, 50]);
});
