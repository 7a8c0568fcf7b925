/**
 * Compares all cells with @e965/xlsx, on workbooks of six programs. Each known difference is listed with its reason; any other
 * fails the test.
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

/** @returns number of cells compared */
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

describe("Files of LibreOffice", () => {
  test("Shared strings, rich text, formulas, styles, merged and hidden cells are read", async () => {
    expect(await compare(fixture("libreoffice.xlsx"), [])).toBeGreaterThan(40);
  });
  test("Dates of the 1904 system are read", async () => {
    expect(await compare(fixture("libreoffice-1904.xlsx"), [])).toBeGreaterThan(30);
  });
  test("The old format gives the cells of the library that reads it", async () => {
    expect(await compare(fixture("libreoffice.xls"), [])).toBeGreaterThan(40);
  });
});

describe("Files of openpyxl", () => {
  const explained = [
    // Written as &#134071; and &#128512;, which the library truncates to 16 bits.
    `员工 & 表!A4 | text:𠮷田 😀 | text:${String.fromCharCode(134071 & 0xffff)}田 ${String.fromCharCode(128512 & 0xffff)}`,
    // <c t="s"><v/></c> refers to no string: this reader gives no cell, the library an empty text.
    "员工 & 表!B4 | - | text:",
  ];
  test("Formulas without results, custom date styles and a hidden sheet are read", async () => {
    expect(await compare(fixture("openpyxl.xlsx"), explained)).toBeGreaterThan(30);
  });
  test("Dates of the 1904 system are read", async () => {
    expect(await compare(fixture("openpyxl-1904.xlsx"), explained)).toBeGreaterThan(30);
  });
});

describe("Files of XlsxWriter", () => {
  test("Rich text, formulas with results, escapes and distant cells are read", async () => {
    expect(await compare(fixture("xlsxwriter.xlsx"), [])).toBeGreaterThan(40);
  });
  test("Inline strings are read", async () => {
    expect(await compare(fixture("xlsxwriter-inline.xlsx"), [])).toBeGreaterThan(40);
  });
  test("Dates of the 1904 system are read", async () => {
    expect(await compare(fixture("xlsxwriter-1904.xlsx"), [])).toBeGreaterThan(40);
  });
});

describe("Files of @e965/xlsx", () => {
  for (const bookSST of [true, false]) {
    test(bookSST ? "Shared strings are read" : "Texts in the cells are read", async () => {
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

describe("Files of hucre", () => {
  test("Shared strings and dates are read", async () => {
    const bytes = await hucreXlsx({ sheets: [{ name: "员工", rows: AOA }] });
    expect(await compare(new Uint8Array(bytes), [])).toBeGreaterThan(25);
  });
});

describe("Files of this server", () => {
  test("Inline strings in text cells are read", async () => {
    const columns = AOA[0]!.map((title, c) => ({
      title: String(title),
      value: (row: (typeof AOA)[number]) => row[c],
    }));
    const bytes = new Uint8Array(await buffer(writeXlsx(columns, AOA.slice(1), "员工")));
    expect(await compare(bytes, [])).toBeGreaterThan(25);
  });
});
