import { expect, test } from "vitest";
import { dayEnd, dayStart } from "./days.ts";

test("A day reaches from its local midnight to the next one, also at the end of a month", () => {
  const midnight = (year: number, month: number, day: number): string =>
    new Date(year, month - 1, day).toISOString();
  expect(dayStart("2026-02-28")).toBe(midnight(2026, 2, 28));
  expect(dayEnd("2026-02-28")).toBe(midnight(2026, 3, 1));
  expect(dayEnd("2026-12-31")).toBe(midnight(2027, 1, 1));
});

test("What is no day stays as it is", () => {
  expect(dayStart("soon")).toBe("soon");
});
