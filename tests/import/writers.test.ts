/**
 * Equal cells with @e965/xlsx on workbooks of six writers. Where the two differ, the difference stands here with its reason; any
 * other is a failure.
 */
import { readFileSync } from "node:fs";
import * as XLSX from "@e965/xlsx";
import { writeXlsx as hucreXlsx } from "hucre/xlsx";
import { buffer } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { writeXlsx } from "../../src/server/base/xlsx/index.ts";
import { differences, libraryCells, ourCells } from "../../src/workers/import/cells.harness.ts";

const fixture = (name: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(new URL(`fixtures/${name}`, import.meta.url)));

/** @returns how many cells were compared */
async function compare(
  bytes: Uint8Array<ArrayBuffer>,
  explained: readonly string[],
): Promise<number> {
  const ours = await ourCells(new Blob([bytes]));
  expect(differences(ours, libraryCells(bytes))).toEqual(explained);
  return ours.size;
}

const AOA = [
  ["姓名", "身份证号", "手机号", "入职日期", "工资", "在职"],
  ["王伟", "110101199003070010", 13800138000, new Date(Date.UTC(2020, 1, 29)), 12345.67, true],
  ["a & b <c> \"d\" 'e'", "00123", -1, new Date(Date.UTC(1999, 11, 31)), 1e-7, false],
  [" 空格 ", "两行\n文字", 1234567890123456, null, 1e300, null],
  ["𠮷田 😀", "", 0, null, -0.5, true],
];

describe("files of LibreOffice", () => {
  test("shared strings, rich text, formulas, styles, merged and hidden cells", async () => {
    expect(await compare(fixture("libreoffice.xlsx"), [])).toBeGreaterThan(40);
  });
  test("dates from 1904", async () => {
    expect(await compare(fixture("libreoffice-1904.xlsx"), [])).toBeGreaterThan(30);
  });
  test("the old format, by the library itself", async () => {
    expect(await compare(fixture("libreoffice.xls"), [])).toBeGreaterThan(40);
  });
});

describe("files of openpyxl", () => {
  const explained = [
    // written as &#134071; and &#128512;: the library cuts such references to 16 bits
    `员工 & 表!A4 | text:𠮷田 😀 | text:${String.fromCharCode(134071 & 0xffff)}田 ${String.fromCharCode(128512 & 0xffff)}`,
    // <c t="s"><v/></c> names no string: nothing here, an empty text there
    "员工 & 表!B4 | - | text:",
  ];
  test("formulas without results, custom date styles, a hidden sheet", async () => {
    expect(await compare(fixture("openpyxl.xlsx"), explained)).toBeGreaterThan(30);
  });
  test("dates from 1904", async () => {
    expect(await compare(fixture("openpyxl-1904.xlsx"), explained)).toBeGreaterThan(30);
  });
});

describe("files of XlsxWriter", () => {
  test("rich text, formulas with results, escapes, far cells", async () => {
    expect(await compare(fixture("xlsxwriter.xlsx"), [])).toBeGreaterThan(40);
  });
  test("inline strings", async () => {
    expect(await compare(fixture("xlsxwriter-inline.xlsx"), [])).toBeGreaterThan(40);
  });
  test("dates from 1904", async () => {
    expect(await compare(fixture("xlsxwriter-1904.xlsx"), [])).toBeGreaterThan(40);
  });
});

describe("files of @e965/xlsx", () => {
  for (const bookSST of [true, false]) {
    test(bookSST ? "shared strings" : "texts in the cells", async () => {
      const book = XLSX.utils.book_new();
      const sheet = XLSX.utils.aoa_to_sheet(AOA, { UTC: true });
      sheet["!merges"] = [XLSX.utils.decode_range("A7:B8")];
      XLSX.utils.book_append_sheet(book, sheet, "员工");
      XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([[1]]), "第二");
      const bytes = new Uint8Array(XLSX.write(book, { type: "array", bookSST }) as ArrayBuffer);
      expect(await compare(bytes, [])).toBeGreaterThan(25);
    });
  }
});

describe("files of hucre", () => {
  test("shared strings and dates", async () => {
    const bytes = await hucreXlsx({ sheets: [{ name: "员工", rows: AOA }] });
    expect(await compare(new Uint8Array(bytes), [])).toBeGreaterThan(25);
  });
});

describe("files of this server", () => {
  test("inline strings in text cells", async () => {
    const columns = AOA[0]!.map((title, c) => ({
      title: String(title),
      value: (row: (typeof AOA)[number]) => row[c],
    }));
    const bytes = new Uint8Array(await buffer(writeXlsx(columns, AOA.slice(1), "员工")));
    expect(await compare(bytes, [])).toBeGreaterThan(25);
  });
});
