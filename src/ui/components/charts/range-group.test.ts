import { expect, test, vi } from "vitest";
import { createRangeGroup } from "./range-group.ts";
import type { TimeRange } from "./time-range.ts";

function setUp() {
  const frames: (() => void)[] = [];
  let waiting: (() => void) | null = null;
  const onRange = vi.fn<(range: TimeRange | null) => void>();
  const given = {
    full: { from: 0, to: 1000 },
    range: null,
    limits: { bounds: { from: 0, to: 2000 }, least: 10 },
    onRange,
  };
  const group = createRangeGroup(
    "a",
    {
      frame: (work) => void frames.push(work),
      later(work) {
        waiting = work;
        return () => void (waiting = null);
      },
    },
    given,
  );
  const seen: TimeRange[] = [];
  group.listen((range) => seen.push(range));
  return {
    group,
    given,
    onRange,
    seen,
    frames,
    drawFrame: () => frames.splice(0).forEach((work) => work()),
    wait: () => waiting?.(),
  };
}

test("Many movements are one drawing of a frame, and the owner learns the last when the gesture rests", () => {
  const { group, seen, frames, drawFrame, wait, onRange } = setUp();
  for (let i = 1; i <= 20; i += 1) group.move({ from: i, to: i + 500 });
  expect(frames).toHaveLength(1);
  drawFrame();
  expect(seen).toEqual([{ from: 20, to: 520 }]);
  expect(onRange).not.toHaveBeenCalled();
  wait();
  expect(onRange.mock.calls).toEqual([[{ from: 20, to: 520 }]]);
});

test("The owner's new range waits for a gesture that goes on", () => {
  const { group, given, drawFrame, seen } = setUp();
  group.move({ from: 100, to: 200 });
  group.give({ ...given, full: { from: 50, to: 1050 } });
  drawFrame();
  expect(group.shown()).toEqual({ from: 100, to: 200 });
  group.rest();
  group.give({ ...given, full: { from: 60, to: 1060 } });
  drawFrame();
  expect(seen.at(-1)).toEqual({ from: 60, to: 1060 });
});

test("A reset shows everything and says null", () => {
  const { group, onRange } = setUp();
  group.move({ from: 100, to: 200 });
  group.move(null);
  expect(group.shown()).toEqual({ from: 0, to: 1000 });
  group.rest();
  group.rest();
  expect(onRange.mock.calls).toEqual([[null]]);
});
