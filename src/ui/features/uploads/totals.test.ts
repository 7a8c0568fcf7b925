import { expect, it } from "vitest";
import { totalsOf } from "./totals.ts";

it("The total is that of the bytes of all files, without those that failed", () => {
  expect(
    totalsOf([
      { state: "done", sent: 100, size: 100 },
      { state: "running", sent: 50, size: 300 },
      { state: "paused", sent: 0, size: 100 },
      { state: "failed", sent: 7, size: 1000 },
    ]),
  ).toEqual({ running: 2, failed: 1, percent: 30 });
  expect(totalsOf([{ state: "failed", sent: 0, size: 1 }])).toEqual({
    running: 0,
    failed: 1,
    percent: 0,
  });
});
