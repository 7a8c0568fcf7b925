import { expect, test } from "vitest";
import { type Figure, missed } from "./report.ts";

const figure = (value: number, bound: Pick<Figure, "limit" | "least">): Figure => ({
  bench: "b",
  case: "c",
  metric: "m",
  unit: "x",
  value,
  runs: 1,
  ...bound,
});

test("A figure above its limit, below its least value or not a number is missed", () => {
  const met = [figure(2, { limit: 2 }), figure(7, { least: 7 }), figure(9, {})];
  expect(missed(met)).toEqual([]);
  expect(missed([figure(2.01, { limit: 2 }), figure(6.99, { least: 7 })])).toEqual([
    "c: m is 2.01 x, the limit is 2",
    "c: m is 6.99 x, the least is 7",
  ]);
  expect(missed([figure(Number.NaN, { least: 7 })])).toHaveLength(1);
});
