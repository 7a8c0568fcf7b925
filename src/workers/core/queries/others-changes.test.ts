import { expect, test } from "vitest";
import {
  type DataChanged,
  dataChangedExt,
  dataChangedSchema,
} from "../../../shared/protocol/data-changed.ts";
import { createFakeClock } from "../core.fake.ts";
import { createOthersChanges } from "./others-changes.ts";

const message = (receivers: number, records?: readonly string[]): DataChanged =>
  dataChangedSchema.parse(
    dataChangedExt({ supplierId: "7", tags: ["employees"], records, steady: true }, receivers),
  );

test("What fifty people hear at the same moment, they fetch over a second, at most fifteen in 200 ms", () => {
  const clock = createFakeClock();
  const began = clock.now();
  const times: number[] = [];
  const cores = Array.from({ length: 50 }, (_, n) =>
    createOthersChanges({
      // evenly over the range, as random numbers are on average
      env: { clock, random: () => (n * 0.618) % 1 },
      onChanged: (change, company) => {
        times.push(clock.now() - began);
        expect([change.tags, change.steady, company]).toEqual([["employees"], true, "7"]);
      },
    }),
  );
  for (const core of cores) core.add(message(50));
  for (let ms = 0; ms < 1000; ms += 10) clock.advance(10);
  expect(times).toHaveLength(50);
  for (let from = 0; from < 1000; from += 50) {
    expect(times.filter((at) => at >= from && at < from + 200).length).toBeLessThanOrEqual(15);
  }
});

test("A person alone fetches at once, and nothing follows a stop", () => {
  const clock = createFakeClock();
  let times = 0;
  const core = createOthersChanges({
    env: { clock, random: () => 0.5 },
    onChanged: () => (times += 1),
  });
  core.add(message(1));
  expect(times).toBe(1);
  core.add(message(50));
  core.stop();
  clock.advance(10_000);
  expect([times, clock.pending]).toEqual([1, 0]);
});

test("The records of a change are in its message; too many of them are as good as all", () => {
  expect(message(1, ["employees:1", "employees:2"]).records).toEqual([
    "employees:1",
    "employees:2",
  ]);
  expect(
    message(
      1,
      Array.from({ length: 100 }, (_, n) => `employees:${n}`),
    ).records,
  ).toEqual([]);
});
