import { expect, it } from "vitest";
import { figure } from "./series.ts";

it.each([
  [null, "", "–"],
  [Number.NaN, "", "–"],
  [1.26, " ms", "1.3 ms"],
  [123.4, "", "123"],
  [0, "%", "0%"],
])("figure(%s, %j) is %s", (value, unit, text) => expect(figure(value, unit)).toBe(text));
