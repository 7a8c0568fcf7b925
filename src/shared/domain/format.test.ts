import { describe, expect, it } from "vitest";
import {
  abbreviate,
  formatDate,
  formatDuration,
  maskIdNumber,
  maskPhone,
  messageTime,
  relativeTime,
  timeAgo,
} from "./format.ts";

describe("formatDuration", () => {
  it.each([
    [0, "00:00"],
    [999, "00:00"],
    [1000, "00:01"],
    [59_999, "00:59"],
    [60_000, "01:00"],
    [3_599_000, "59:59"],
    [3_600_000, "01:00:00"],
    [100 * 3_600_000 + 61_000, "100:01:01"],
    [-1, "00:00"],
    [Number.NaN, "00:00"],
  ])("%d ms is %s", (ms, text) => expect(formatDuration(ms)).toBe(text));
});

describe("relative time", () => {
  const now = new Date(2026, 4, 20, 12, 0, 0).getTime();
  it.each([
    [0, "刚刚"],
    [-5000, "刚刚"],
    [29_999, "刚刚"],
    [30_000, "1分钟前"],
    [3_599_999, "59分钟前"],
    [3_600_000, "1小时前"],
    [86_399_999, "23小时前"],
    [86_400_000, "1天前"],
    [172_799_999, "1天前"],
    [172_800_000, "2026-05-18 12:00"],
  ])("%d ms ago is %s", (age, text) => expect(relativeTime(now - age, now)).toBe(text));

  it("ten digits are taken as seconds", () => {
    expect(relativeTime(Math.floor(now / 1000) - 7200, now)).toBe("2小时前");
  });

  it("timeAgo counts minutes, hours or days", () => {
    expect(timeAgo(now - 59 * 60_000, now)).toEqual({ unit: "minute", n: 59 });
    expect(timeAgo(now - 3_600_000, now)).toEqual({ unit: "hour", n: 1 });
    expect(timeAgo(now - 49 * 3_600_000, now)).toEqual({ unit: "day", n: 2 });
  });

  it("a message's time omits the parts that are the same today", () => {
    expect(messageTime(new Date(2026, 4, 20, 8, 5).getTime(), now)).toBe("08:05");
    expect(messageTime(new Date(2026, 4, 19, 8, 5).getTime(), now)).toBe("05-19 08:05");
    expect(messageTime(new Date(2025, 4, 20, 8, 5).getTime(), now)).toBe("2025-05-20 08:05");
  });
});

describe("formatDate and abbreviate", () => {
  it("formatDate fills in the pattern", () => {
    const at = new Date(2026, 0, 2, 3, 4, 5).getTime();
    expect(formatDate(at)).toBe("2026-01-02 03:04:05");
    expect(formatDate(Math.floor(at / 1000), "{y}/{m}")).toBe("2026/01");
    expect(formatDate(Number.NaN)).toBe("");
  });

  it.each([
    [0, "0"],
    [999, "999"],
    [1000, "1k"],
    [1550, "1.6k"],
    [2_500_000, "2.5M"],
    [-3_000_000_000, "-3G"],
    [1e18, "1E"],
  ])("%d is %s", (n, text) => expect(abbreviate(n)).toBe(text));
});

it("Masks keep 3 and 4 digits of a phone number, and 6 and 4 characters of an ID card number", () => {
  expect(maskPhone("13812345678")).toBe("138****5678");
  expect(maskPhone("")).toBe("");
  // too short to hide a part of it
  expect(maskPhone("1234567")).toBe("*******");
  expect(maskIdNumber("11010519491231002X")).toBe("110105********002X");
  expect(maskIdNumber("1101051949")).toBe("**********");
});
