import { expect, test } from "vitest";
import { isWeekday, splitWeekday } from "./weekdays.ts";

test.each([
  ["2023-05-01 星期一", "2023-05-01", 1],
  ["2023年5月1日(周一)", "2023年5月1日", 1],
  ["2023-05-07 礼拜天", "2023-05-07", 0],
  ["星期日 2023-05-07", "2023-05-07", 0],
  ["2023-05-01 星期一 08:30", "2023-05-01 08:30", 1],
  ["2023/5/1 Mon", "2023/5/1", 1],
  ["Tuesday, 2023/5/2", "2023/5/2", 2],
  ["2023-05-01", "2023-05-01", null],
  ["周期", "周期", null],
])("%s is the date %s on day %s of the week", (said, text, weekday) => {
  expect(splitWeekday(said)).toEqual({ text, weekday });
});

test("A date is on its own day of the week alone", () => {
  expect([0, 1, 2].map((weekday) => isWeekday("2023-05-01", weekday))).toEqual([
    false,
    true,
    false,
  ]);
});
