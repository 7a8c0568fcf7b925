/**
 * Numbers shown by their formats. The reference is a library that has imitated spreadsheets for years; the few differences are
 * listed.
 */
import * as XLSX from "@e965/xlsx";
import { describe, expect, test } from "vitest";
import { builtInCode } from "./format-code.ts";
import { showBy, showTextBy, STYLE, styleOf, textStyleOf } from "./formats.ts";

test.each([
  ["00000", 12, "00012"],
  ['"E"0000', 13, "E0013"],
  ["E0000".replace("E", "\\E"), 13, "E0013"],
  ["000-0000-0000", 13_912_345_678, "139-1234-5678"],
  ["0%", 0.29, "29%"],
  ["0.00%", 0.12345, "12.35%"],
  ['"¥"#,##0.00', 1234.5, "¥1,234.50"],
  ["[$¥-804]#,##0.00;[Red][$¥-804]-#,##0.00", -1234.5, "¥-1,234.50"],
  [builtInCode(44), 1234.5, ' "¥"1,234.50 '.replaceAll('"', "")],
  ["#,##0", 1_234_567, "1,234,567"],
  ["0.0,", 12_345, "12.3"],
  ["0.00E+00", 100_000, "1.00E+05"],
  ["#.##", 5, "5."],
  [".00", 0.5, ".50"],
  ["0000-00-00", 20_240_131, "2024-01-31"],
  ['[=1]"男";[=2]"女";0', 1, "男"],
  ['[=1]"男";[=2]"女";0', 2, "女"],
  ['[=1]"男";[=2]"女";0', 7, "7"],
  ['General"号"', 12, "12号"],
  ["0", 12.5, "13"],
  ["0.00", -0.001, "0.00"],
  ["0_);(0)", -5, "(5)"],
  ['m"月"d"日"', 45_322, "1月31日"],
  ["[h]:mm", 1.5, "36:00"],
  ["mm:ss", 0.5, "00:00"],
  ["h:mm AM/PM", 0.75, "6:00 PM"],
  ['yyyy"年"m"月"', 45_322, "2024年1月"],
  ["aaaa", 45_296, "星期五"],
  ["[$-804]aaa", 45_296, "五"],
  ["dddd", 45_296, "Friday"],
  ["[$-409]ddd", 45_296, "Fri"],
  ['e"年"', 45_296, "2024年"],
  ["b1yyyy", 45_296, "2024"],
  ['0!.0,"万"', 123_456, "12.3万"],
  ["yyyy!y", 45_296, "2024y"],
  // Formats that only a spreadsheet can show, or that hide the number.
  ["[$-411]aaaa", 45_296, null],
  ["[$-804]dddd", 45_296, null],
  ['[$-411]ggge"年"', 45_296, null],
  ['[$-411]e"年"', 45_296, null],
  ["bbbb", 45_296, null],
  ["b2yyyy", 45_296, null],
  ["[$-2000000]0", 12, null],
  ["0kg", 12, null],
  ['@"号"', 12, null],
  ["# ?/?", 0.5, null],
  ["[DBNum1]0", 12, null],
  [";;;", 12, null],
])("The format %s shows %d as %j", (code, n, shown) => {
  expect(showBy(code)(n, false)).toBe(shown);
});

test.each([
  ["", STYLE.plain],
  ["General", STYLE.plain],
  ["@", STYLE.plain],
  ["0", STYLE.number],
  ["00000", STYLE.number],
  ["yyyy-mm-dd", STYLE.day],
  ["yyyy/m/d h:mm", STYLE.day],
  ["h:mm:ss", STYLE.day],
  ["m-d", STYLE.partOfDay],
  ["[h]:mm", STYLE.partOfDay],
  ["aaaa", STYLE.partOfDay],
  ['e"年"m"月"d"日"', STYLE.day],
  ['ggge"年"m"月"d"日"', STYLE.day],
  ['e"年"', STYLE.partOfDay],
])("The format %j has the style %d", (code, style) => expect(styleOf(code)).toBe(style));

test.each([
  ['@"号"', "A1", "A1号"],
  ['0;0;0;"岗位："@', "保安", "岗位：保安"],
  ['0;-0;"无"', "保安", "保安"],
  ["@@", "保安", "保安保安"],
  [";;;", "保安", null],
  ["0;0;0;", "保安", null],
  ['0;0;0;"有"', "保安", "有"],
  ["0;0;0;0", "保安", null],
])("The format %s shows the text %j differently: %j", (code, text, shown) => {
  expect(showTextBy(code)(text)).toBe(shown);
  expect(textStyleOf(code)).toBe(shown === text ? 0 : STYLE.text);
});

test.each(["", "@", "General", "0.00", "_ * #,##0_ ;_ * -#,##0_ ;_ @_ ", "[红色]@", "0;0;0;@"])(
  "The format %j leaves texts as they are",
  (code) => expect(textStyleOf(code)).toBe(0),
);

describe("Every format shows numbers as the library does", () => {
  const CODES = [
    "0",
    "00000",
    "0.00",
    "0.0#",
    "#",
    "##0.0",
    "#,##0",
    "#,##0.00",
    "#,##0;-#,##0",
    "#,##0.00;[Red](#,##0.00)",
    "0%",
    "0.00%",
    "0.0%",
    "0.00E+00",
    "0.0E+0",
    '"No."0000',
    '0"元"',
    "$#,##0.00",
    "0,",
    "0.00,,",
    "yyyy-mm-dd hh:mm:ss",
    "m/d/yy",
    "d-mmm-yy",
    "mmmm d",
    "h:mm AM/PM",
    "hh:mm:ss",
    "[h]:mm:ss",
    "[mm]:ss",
  ];
  const NUMBERS = [
    0,
    1,
    12,
    123,
    1234,
    12_345.678,
    999_999.5,
    0.5,
    0.125,
    1 / 3,
    0.005,
    1e-7,
    123_456_789,
    45_322.75,
    13_912_345_678,
    99.995,
  ];
  test.each(CODES)("The format %s", (code) => {
    const show = showBy(code);
    const isDate = /[ymdhs]/.test(code.replaceAll(/"[^"]*"|\[Red\]/g, ""));
    const numbers = isDate
      ? NUMBERS.filter((n) => n >= 1 && n < 2_958_466)
      : [...NUMBERS, -1, -1234.4];
    expect(numbers.map((n) => [n, show(n, false)])).toEqual(
      numbers.map((n) => {
        const shown = XLSX.SSF.format(code, n) as string;
        return [n, shown.trim() === "" ? null : shown];
      }),
    );
  });
});
