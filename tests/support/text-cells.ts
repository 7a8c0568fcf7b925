/** Reads a workbook that the product wrote, and checks that all its cells are texts that no spreadsheet takes for a formula. */
import { read } from "@e965/xlsx";
import { expect } from "vitest";
import { unzip } from "../../src/server/base/xlsx/xlsx.harness.ts";

/** A workbook's reader turns line ends into \n. */
export const lines = (text: string): string => text.replaceAll(/\r\n?/g, "\n");

/** Signs with which a formula begins. */
const FORMULA_SIGN = /^[=+\-@\t\r\n＝＋－＠]/;
/** Styles of src/shared/xlsx/workbook.ts with the quote prefix. */
const QUOTED = ["2", "6"];

/**
 * The texts of the first sheet. Fails where a cell has a formula or a link, is a text without the quote prefix that begins like a
 * formula, or is no text in a column that `isText` names.
 *
 * @param isText by the index of the column; default: every column
 */
export function textCells(
  bytes: Buffer,
  isText: (column: number) => boolean = () => true,
): string[][] {
  const parts = unzip(bytes);
  for (const [name, part] of parts) {
    if (!name.startsWith("xl/worksheets/")) continue;
    expect(part.toString(), name).not.toMatch(/<f[ >]|<hyperlink/);
  }
  expect([...parts.keys()].filter((name) => /external|vba|connections/i.test(name))).toEqual([]);
  const xml = parts.get("xl/worksheets/sheet1.xml")?.toString() ?? "";
  const styles = new Map(
    Array.from(xml.matchAll(/<c r="([A-Z]+\d+)" s="(\d)"/g), ([, at = "", style = ""]) => [
      at,
      style,
    ]),
  );
  const book = read(bytes, { cellFormula: true });
  const sheet = book.Sheets[book.SheetNames[0] ?? ""] ?? {};
  const rows: string[][] = [];
  for (const [at, cell] of Object.entries(sheet as Record<string, { t: string; v: unknown }>)) {
    const [, letters = "", row = ""] = /^([A-Z]+)(\d+)$/.exec(at) ?? [];
    if (letters === "") continue;
    const column = Array.from(letters).reduce((n, sign) => n * 26 + sign.charCodeAt(0) - 64, 0) - 1;
    expect(cell).not.toHaveProperty("f");
    expect(cell).not.toHaveProperty("l");
    if (isText(column)) expect({ at, ...cell }).toMatchObject({ t: "s" });
    const text = String(cell.v);
    if (row !== "1" && cell.t === "s" && FORMULA_SIGN.test(text)) {
      expect([text, QUOTED.includes(styles.get(at) ?? "")]).toEqual([text, true]);
    }
    (rows[Number(row) - 1] ??= [])[column] = lines(text);
  }
  return rows;
}
