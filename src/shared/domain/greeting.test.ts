import { expect, test } from "vitest";
import { greetingAt } from "./greeting.ts";

test("Each of the 24 hours has its greeting", () => {
  const hours = Array.from({ length: 24 }, (_, hour) => greetingAt(hour));
  expect(hours).toEqual([
    ...Array<string>(5).fill("night"),
    ...Array<string>(6).fill("morning"),
    ...Array<string>(2).fill("noon"),
    ...Array<string>(5).fill("afternoon"),
    ...Array<string>(5).fill("evening"),
    "night",
  ]);
});
