import { expect, it } from "vitest";
import { eachRow } from "./eachRow.ts";

const never = (): boolean => false;

it("Every row is done once, at most four at the same time, and a refusal stops no other row", async () => {
  let running = 0;
  let most = 0;
  const seen: number[] = [];
  const counts: number[] = [];
  const refused = new Error("refused");
  const rows = Array.from({ length: 25 }, (_, index) => index);
  const results = await eachRow(
    rows,
    async (row) => {
      running += 1;
      most = Math.max(most, running);
      // later rows answer first
      for (let turn = 0; turn < 25 - row; turn += 1) await Promise.resolve();
      running -= 1;
      seen.push(row);
      if (row % 10 === 3) throw refused;
    },
    (done) => counts.push(done),
    never,
  );
  expect(most).toBe(4);
  expect(seen.toSorted((a, b) => a - b)).toEqual(rows);
  expect(counts).toEqual(rows.map((row) => row + 1));
  expect(results.map(({ row }) => row)).toEqual(rows);
  expect(results.filter(({ error }) => error !== null)).toEqual([
    { row: 3, error: refused },
    { row: 13, error: refused },
    { row: 23, error: refused },
  ]);
});

it("Rows that were not begun when the person stops are left out", async () => {
  let stopped = false;
  const results = await eachRow(
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    () => Promise.resolve(),
    (done) => {
      stopped = done >= 5;
    },
    () => stopped,
  );
  expect(results.length).toBeGreaterThanOrEqual(5);
  expect(results.length).toBeLessThanOrEqual(8);
});
