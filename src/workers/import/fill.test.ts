import { expect, test } from "vitest";
import { CELL } from "./contracts.ts";
import { createFill, type FillSource, isFillable } from "./fill.ts";

const encoder = new TextEncoder();
/** One column. The header is row 1; rows of the file that are blank are left out. */
function columnOf(texts: readonly string[], numbers = texts.map((_, i) => i + 1)): FillSource {
  return {
    rows: texts.length,
    width: 1,
    text: (i) => texts[i] ?? "",
    bytes: (i) => encoder.encode(texts[i]),
    kind: (i) => (texts[i] === "" ? CELL.empty : CELL.text),
    rowNumber: (i) => numbers[i] ?? 0,
    firstFrom: (row) => {
      const at = numbers.findIndex((one) => one >= row);
      return at < 0 ? numbers.length : at;
    },
  };
}
const filled = (source: FillSource, merges: Parameters<typeof createFill>[1] = []): string[] => {
  const from = createFill(source, merges, 1);
  return Array.from({ length: source.rows }, (_, i) => source.text(from(i, 0), 0));
};
const merge = (top: number, bottom: number) => ({ top, bottom, column: 0 });

test("Marks take what stands above them, one after the other", () => {
  expect(filled(columnOf(["部门", "甲", "同上", "〃", "", "同上", "乙"]))).toEqual([
    "部门",
    "甲",
    "甲",
    "甲",
    "",
    "",
    "乙",
  ]);
});

test("A mark in the first row stays, since there is only the header above it", () => {
  expect(filled(columnOf(["部门", "同上", "乙"]))).toEqual(["部门", "同上", "乙"]);
});

test("Merged cells take the content of the topmost one, also where rows are missing in between", () => {
  const source = columnOf(["部门", "甲", "", "", "乙", ""], [1, 2, 3, 7, 8, 9]);
  expect(filled(source, [merge(2, 7)])).toEqual(["部门", "甲", "甲", "甲", "乙", ""]);
  expect(filled(source, [merge(2, 4)])).toEqual(["部门", "甲", "甲", "", "乙", ""]);
});

test("Merged cells below a mark take what the mark stands for", () => {
  expect(filled(columnOf(["部门", "甲", "同上", ""]), [merge(3, 4)])).toEqual([
    "部门",
    "甲",
    "甲",
    "甲",
  ]);
});

test("Merged cells of other columns, of headers and of rows without content change nothing", () => {
  const texts = ["部门", "甲", ""];
  const other = { top: 2, bottom: 3, column: 1 };
  expect(filled(columnOf(texts), [other])).toEqual(texts);
  expect(filled(columnOf(["部门", "", "甲"]), [merge(1, 2)])).toEqual(["部门", "", "甲"]);
  expect(filled(columnOf(texts, [1, 2, 5]), [merge(3, 5)])).toEqual(texts);
});

test("Filling is offered for merged cells below the header and for marks in the first rows", () => {
  const plain = columnOf(["部门", "甲", "乙"]);
  expect(isFillable(plain, [], 1)).toBe(false);
  expect(isFillable(plain, [merge(1, 2)], 1)).toBe(false);
  expect(isFillable(plain, [merge(2, 3)], 1)).toBe(true);
  expect(isFillable(columnOf(["部门", "甲", "同上"]), [], 1)).toBe(true);
  expect(isFillable(columnOf(["部门"]), [merge(2, 3)], 1)).toBe(false);
});
