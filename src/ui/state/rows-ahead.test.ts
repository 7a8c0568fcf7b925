import { expect, it } from "vitest";
import { withRowsAhead } from "./rows-ahead.ts";

const AT = { from: 400, to: 440 };

it("A list that scrolls asks for the rows that come next, up or down, for more the faster it goes", () => {
  expect(withRowsAhead(AT, { from: 402, to: 442 }, 5000)).toEqual({ from: 402, to: 502 });
  expect(withRowsAhead(AT, { from: 398, to: 438 }, 5000)).toEqual({ from: 338, to: 438 });
  expect(withRowsAhead(AT, { from: 405, to: 445 }, 5000)).toEqual({ from: 405, to: 545 });
  expect(withRowsAhead(AT, { from: 370, to: 410 }, 5000)).toEqual({ from: 170, to: 410 });
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
