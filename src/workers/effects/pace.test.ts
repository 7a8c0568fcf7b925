import { expect, it } from "vitest";
import { BUDGET_MS, createPace } from "./pace.ts";

/** Runs frames on a machine of constant speed. @returns the mean ms of the last 24 frames, and at which frame it was too slow */
function run(segmentMs: number, restMs: number, frames = 240) {
  const pace = createPace();
  const spent: number[] = [];
  let slowAt: number | null = null;
  for (let i = 0; i < frames && slowAt === null; i += 1) {
    const segment = pace.isDue ? segmentMs : null;
    pace.spent(segment, restMs);
    spent.push((segment ?? 0) + restMs);
    if (pace.isSlow) slowAt = i + 1;
  }
  const last = spent.slice(-24);
  return { mean: last.reduce((a, b) => a + b, 0) / last.length, slowAt };
}

it.each([
  [3, 3, 6],
  [6, 3, 6],
  [12, 4, 8],
  [16, 3.5, 7.5],
])(
  "A mask of %d ms and a rest of %d ms take %d ms a frame, because a mask serves several frames",
  (segment, rest, mean) => {
    expect(run(segment, rest)).toEqual({ mean, slowAt: null });
    expect(mean).toBeLessThanOrEqual(BUDGET_MS);
  },
);

it("A machine above 30 ms a frame does not keep up after 3 s, and one above the budget alone does", () => {
  expect(run(100, 10)).toMatchObject({ slowAt: 96 });
  expect(run(60, 10)).toMatchObject({ slowAt: null, mean: 25 });
});

it("A busy moment ends nothing", () => {
  const pace = createPace();
  for (let i = 0; i < 480; i += 1) {
    const busy = i % 120 >= 60;
    pace.spent(pace.isDue ? (busy ? 90 : 5) : null, busy ? 14 : 2);
  }
  expect(pace.isSlow).toBe(false);
});
