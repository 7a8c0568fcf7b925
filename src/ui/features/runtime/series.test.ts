import { describe, expect, it } from "vitest";
import { columns, figure } from "./series.ts";

describe("series", () => {
  it("points become columns with seconds first, and gaps are kept", () => {
    const points = [
      { at: 1000, a: 1, b: null },
      { at: 2500, a: 2, b: 7 },
    ];
    expect(columns(points, (p) => p.at, [(p) => p.a, (p) => p.b])).toEqual([
      [1, 2.5],
      [1, 2],
      [null, 7],
    ]);
    expect(columns<{ at: number }>([], (p) => p.at, [() => 1])).toEqual([[], []]);
  });

  it.each([
    [null, "", "–"],
    [Number.NaN, "", "–"],
    [1.26, " ms", "1.3 ms"],
    [123.4, "", "123"],
    [0, "%", "0%"],
  ])("figure(%s, %j) is %s", (value, unit, text) => expect(figure(value, unit)).toBe(text));
});
