import { describe, expect, test } from "vitest";
import { CELL, type Batch, type ReadTable } from "./contracts.ts";
import { openReader } from "./read/index.ts";
import { createTable, numberText } from "./table.ts";
import { xlsxOf, type Cell } from "../../server/base/xlsx/workbook.harness.ts";

const signal = new AbortController().signal;

async function tableOf(
  rows: readonly (readonly Cell[])[],
  headerRow: number | null = null,
  options: Parameters<typeof xlsxOf>[1] = {},
): Promise<ReadTable> {
  const reader = await openReader(await xlsxOf(rows, options), "a.xlsx", signal);
  const batches: Batch[] = [];
  const outcome = await reader.read({ source: {}, maxRows: Infinity, signal }, (batch) =>
    batches.push(batch),
  );
  return createTable(batches, outcome, { headerRow });
}

const texts = (table: ReadTable): string[][] =>
  Array.from({ length: table.rows }, (_, i) => table.headers.map((_, c) => table.text(i, c)));

describe("Headers", () => {
  test("The header of a plain table is its first row", async () => {
    const table = await tableOf([
      ["姓名", "年龄"],
      ["王伟", 30],
    ]);
    expect(table.headers).toEqual(["姓名", "年龄"]);
    expect(table.headerRow).toBe(1);
    expect(texts(table)).toEqual([["王伟", "30"]]);
    expect(table.rowNumber(0)).toBe(2);
  });

  test("The header is found below a title, a note and a blank row", async () => {
    const table = await tableOf([
      ["员工信息登记表"],
      ["填写说明：请勿修改表头，日期请填写为 2024-01-01 的形式", null, "2024-05-01"],
      [],
      ["姓名", "身份证号", "手机号", "入职日期"],
      ["王伟", "110101199003070010", 13800138000, { day: 45000 }],
    ]);
    expect(table.headerRow).toBe(4);
    expect(texts(table)).toEqual([["王伟", "110101199003070010", "13800138000", "2023-03-15"]]);
    expect(table.rowNumber(0)).toBe(5);
  });

  test("The chosen row is the header, even a blank one", async () => {
    const rows = [["标题"], [], ["姓名", "年龄"], ["王伟", 30]];
    expect((await tableOf(rows, 3)).headers).toEqual(["姓名", "年龄"]);
    const blank = await tableOf(rows, 2);
    expect(blank.headers).toEqual(["", ""]);
    expect(blank.rows).toBe(2);
    expect((await tableOf(rows, 9)).rows).toBe(0);
  });

  test("Empty and double headers give warnings", async () => {
    const table = await tableOf([
      ["姓名", null, "姓名"],
      ["a", "b", "c"],
    ]);
    expect(table.headers).toEqual(["姓名", "", "姓名"]);
    expect(table.warnings).toEqual(["B 列没有列名", "列名“姓名”出现了 2 次"]);
  });

  test("A table without rows keeps its headers", async () => {
    const table = await tableOf([["姓名", "年龄"]]);
    expect(table.rows).toBe(0);
    expect(table.headers).toEqual(["姓名", "年龄"]);
    expect((await tableOf([])).headers).toEqual([]);
  });
});

describe("Texts", () => {
  test("Numbers have no exponent and no digits of a binary fraction", () => {
    expect(
      [1e21, 0.1 + 0.2, 1e-7, 13800138000, -0, 1.1010119900307e17, 12345.6789].map(numberText),
    ).toEqual([
      "1000000000000000000000",
      "0.3",
      "0.0000001",
      "13800138000",
      "0",
      "110101199003070000",
      "12345.6789",
    ]);
  });

  test("Days and times are shown as texts in both date systems", async () => {
    const days = [{ day: 1 }, { day: 59 }, { day: 61 }, { day: 45000.5 }, { day: 0.25 }] as const;
    expect(texts(await tableOf([["日期"], ...days.map((day) => [day])], 1))).toEqual([
      ["1900-01-01"],
      ["1900-02-28"],
      ["1900-03-01"],
      ["2023-03-15 12:00"],
      ["06:00"],
    ]);
    const mac = await tableOf([["日期"], [{ day: 43538 }]], 1, { date1904: true });
    expect(mac.date1904).toBe(true);
    expect(texts(mac)).toEqual([["2023-03-15"]]);
  });

  test("Cells in columns that a batch does not have are empty", async () => {
    const table = await tableOf([["a", "b"], ["x"]]);
    expect(table.kind(0, 7)).toBe(CELL.empty);
    expect(table.text(0, 7)).toBe("");
    expect(() => table.text(1, 0)).toThrow(RangeError);
  });
});

describe("Ids", () => {
  test("Equal texts have equal ids, however they are stored", async () => {
    const rows: Cell[][] = [["值"]];
    for (const value of ["a", { inline: "a" }, "b", 7, "7", { inline: "7" }, null, true, "TRUE"]) {
      rows.push([value, "x"]);
    }
    const table = await tableOf(rows, 1);
    const { ids, count, text } = table.ids(0);
    expect([...ids]).toEqual([0, 0, 1, 2, 2, 2, -1, 3, 3]);
    expect(count).toBe(4);
    expect([0, 1, 2, 3].map(text)).toEqual(["a", "b", "7", "TRUE"]);
    expect(table.ids(0)).toBe(table.ids(0));
  });

  test("An id number that was stored as a number never equals a text", async () => {
    const table = await tableOf([["身份证号"], [110101199003070000], ["110101199003070000"]], 1);
    expect(table.kind(0, 0)).toBe(CELL.number);
    expect(table.value(0, 0)).toBeGreaterThanOrEqual(2 ** 53);
    const { ids, text } = table.ids(0);
    expect(ids[0]).not.toBe(ids[1]);
    expect(text(ids[0] ?? -1)).toBe(text(ids[1] ?? -1));
  });

  test("Many different texts over several batches have different ids", async () => {
    const rows: Cell[][] = [["工号", "重复"]];
    for (let i = 0; i < 9000; i += 1) rows.push([{ inline: `E${i}` }, { inline: `D${i % 1000}` }]);
    const table = await tableOf(rows, 1);
    const single = table.ids(0);
    expect(single.count).toBe(9000);
    expect([...single.ids].every((id, i) => single.text(id) === `E${i}`)).toBe(true);
    expect(table.ids(1).count).toBe(1000);
    expect(table.text(8999, 0)).toBe("E8999");
    expect(table.text(3, 0)).toBe("E3");
  });
});
