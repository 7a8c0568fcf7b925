import { expect, test } from "vitest";
import { isoSerial, serialText } from "./dates.ts";
import { STYLE, styleOf } from "./formats.ts";

test.each([
  ["yyyy-mm-dd", true],
  ['yyyy"年"m"月"d"日"', true],
  ["[$-804]yyyy/m/d;@", true],
  ["[h]:mm:ss", true],
  ["上午/下午h时mm分", true],
  ["mmm d", true],
  ["General", false],
  ["G/通用格式", false],
  ["0.00E+00", false],
  ["[Red]#,##0.00;[Red]-#,##0.00", false],
  ['"day "0', false],
  ["0\\d", false],
  ["@", false],
  ["_-* #,##0_-", false],
])("The format %s shows a day or a time: %s", (code, expected) => {
  expect([STYLE.day, STYLE.partOfDay].some((one) => one === styleOf(code))).toBe(expected);
});

test.each([
  [1, false, "1900-01-01"],
  [59, false, "1900-02-28"],
  [60, false, "1900-02-29"],
  [61, false, "1900-03-01"],
  [45351, false, "2024-02-29"],
  [0, true, "1904-01-01"],
  [43889, true, "2024-02-29"],
  [45351.999_999, false, "2024-03-01"],
  [0.5, false, "12:00"],
  [45351.25, false, "2024-02-29 06:00"],
  [45351.000_011_6, false, "2024-02-29 00:00:01"],
  [2_958_465, false, "9999-12-31"],
  [2_958_466, false, null],
  [-1, false, null],
  [Number.NaN, false, null],
])("The serial %d (1904 system: %s) is shown as %s", (serial, date1904, expected) => {
  expect(serialText(serial, date1904)).toBe(expected);
});

test("An ISO day and its serial convert into each other in both date systems", () => {
  for (const day of ["1900-01-01", "1900-02-28", "1900-03-01", "1999-12-31", "2024-02-29"]) {
    expect(serialText(isoSerial(day, false) ?? -1, false)).toBe(day);
  }
  expect(serialText(isoSerial("2024-02-29T06:00", true) ?? -1, true)).toBe("2024-02-29 06:00");
  expect(isoSerial("1903-12-31", true)).toBeNull();
  expect(isoSerial("2023-02-29", false)).toBeNull();
  expect(isoSerial("gestern", false)).toBeNull();
});
