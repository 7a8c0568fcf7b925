import { describe, expect, it } from "vitest";
import { dayAt, doubtInDay, readDay, wrongDay, yearsBetween } from "./days.ts";

const TODAY = "2026-03-15";

describe("days that can hardly be true", () => {
  it.each([
    ["2085-01-01", "在今天之后"],
    ["1900-02-07", "126 岁"],
    ["1925-03-15", "101 岁"],
    ["2012-03-16", "13 岁"],
    ["2012-03-15", null],
    ["1925-03-16", null],
    ["1985-01-01", null],
  ])("%s as a birthday", (day, doubt) => {
    const found = doubtInDay(day, "birth", TODAY);
    if (doubt === null) expect(found).toBeNull();
    else expect(found).toContain(doubt);
  });

  it.each([
    ["2027-03-16", "一年以后"],
    ["2027-03-15", null],
    ["1900-02-07", "太早"],
    ["2026-04-01", null],
    ["1990-01-01", null],
  ])("%s as the day of hiring", (day, doubt) => {
    const found = doubtInDay(day, "hire", TODAY);
    if (doubt === null) expect(found).toBeNull();
    else expect(found).toContain(doubt);
  });

  it("a year is full on the birthday", () => {
    expect(yearsBetween("2000-03-15", "2026-03-15")).toBe(26);
    expect(yearsBetween("2000-03-16", "2026-03-15")).toBe(25);
  });
});

it("the day of the week beside a day is read over", () => {
  expect(["2023-05-01 星期一", "2023-05-01（周一）", "2023年5月1日 星期一"].map(readDay)).toEqual(
    Array.from({ length: 3 }, () => "2023-05-01"),
  );
});

it("the message says whether the form, the day or the year is wrong", () => {
  expect(wrongDay("May 1")).toContain("2024-01-31");
  expect(wrongDay("2024-02-30")).toContain("没有这一天");
  expect(wrongDay("2204-01-05")).toContain("现在是 2204");
  expect(wrongDay("1024-01-05")).toContain("现在是 1024");
});

it("today is the day in China", () => {
  expect(dayAt(Date.UTC(2026, 0, 1, 15, 59))).toBe("2026-01-01");
  expect(dayAt(Date.UTC(2026, 0, 1, 16, 0))).toBe("2026-01-02");
});
