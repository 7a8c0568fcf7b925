import { expect, it } from "vitest";
import { withRowsAhead } from "./rows-ahead.ts";

const AT = { from: 400, to: 440 };

it("A list that scrolls asks for the rows that come next, up or down", () => {
  expect(withRowsAhead(AT, { from: 410, to: 450 }, 5000)).toEqual({ from: 410, to: 510 });
  expect(withRowsAhead(AT, { from: 390, to: 430 }, 5000)).toEqual({ from: 330, to: 430 });
});

it("It asks for no rows before the first or after the last", () => {
  expect(withRowsAhead(AT, { from: 410, to: 450 }, 460)).toEqual({ from: 410, to: 459 });
  expect(withRowsAhead(AT, { from: 410, to: 450 }, 0)).toEqual({ from: 410, to: 450 });
  expect(withRowsAhead({ from: 20, to: 60 }, { from: 10, to: 50 }, 5000)).toEqual({
    from: 0,
    to: 50,
  });
});

it("A list that rests or jumps asks for what is in sight", () => {
  expect(withRowsAhead(AT, AT, 5000)).toEqual(AT);
  expect(withRowsAhead(AT, { from: 2000, to: 2040 }, 5000)).toEqual({ from: 2000, to: 2040 });
});
