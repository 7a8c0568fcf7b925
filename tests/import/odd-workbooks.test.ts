/** Odd texts and workbooks that people bring: read as intended, with warnings where needed, or refused with the cause. */
import { describe, expect, test } from "vitest";
import { openReader } from "../../src/workers/import/read/index.ts";
import { xlsxOf, type Cell, type Options } from "../../src/server/base/xlsx/workbook.harness.ts";
import {
  signal,
  blobOf,
  readAll,
  tableOf,
  refused,
  workbook,
  SHEET,
  sheetOf,
} from "./bad-files.ts";

describe("Texts", () => {
  test("A reference to a missing shared string makes the file corrupt", async () => {
    const file = workbook({ [SHEET]: sheetOf('<row><c t="s"><v>99</v></c></row>') });
    await refused(file, "import.corrupt", /已损坏/);
    const reader = await openReader(file, "", signal);
    const preview = reader.read({ source: {}, maxRows: 100, signal }, () => undefined);
    await expect(preview).rejects.toMatchObject({ code: "import.corrupt" });
  });

  test("DOCTYPE and entities are never expanded", async () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>`;
    const cell = '<row><c t="str"><v>&b;&f;</v></c></row>';
    const file = workbook({ [SHEET]: bomb + sheetOf(cell).toString() });
    expect((await tableOf(file, 9)).rows).toBe(0);
    const table = await tableOf(
      workbook({
        [SHEET]: bomb + sheetOf(`<row><c t="str"><v>头</v></c></row>${cell}`).toString(),
      }),
    );
    expect(table.text(0, 0)).toBe("&b;&f;");
  });

  test("Mixed or unknown encodings are refused", async () => {
    const gbk = Buffer.from([0xd0, 0xd5, 0xc3, 0xfb, 0x2c, 0xcd, 0xf5, 0xce, 0xb0, 0x0a]);
    const mixed = Buffer.concat([Buffer.from("姓名,部门,市场部\n"), gbk]);
    await refused(blobOf(mixed), "import.encoding", /编码.*CSV UTF-8/);
    await refused(blobOf(Buffer.from([0xe9, 0x2c, 0x61, 0x0a])), "import.encoding", /编码/);
  });

  test("A broken byte in row 20,012 of 40,000 spoils only its cell, and the row is named", async () => {
    const lines = Array.from({ length: 40_000 }, (_, i) => `王伟,B${i + 1}`);
    const bytes = Buffer.from(lines.join("\r\n"));
    const at = bytes.indexOf(Buffer.from("王伟,B20012"));
    bytes[at + 2] = 0x2e;
    const { outcome } = await readAll(blobOf(bytes));
    expect(outcome.warnings.join()).toMatch(/第 20012 行起有损坏的文字/);
    const table = await tableOf(blobOf(bytes), 1);
    expect(table.rowNumber(20_010)).toBe(20_012);
    expect([table.text(20_009, 0), table.text(20_010, 0), table.text(20_011, 0)]).toEqual([
      "王伟",
      "\ufffd.伟",
      "王伟",
    ]);
  });
});

describe("Files that are read as intended, with warnings", () => {
  const read = async (rows: readonly (readonly Cell[])[], options: Options = {}) => {
    const file = await xlsxOf(rows, options);
    const { outcome } = await readAll(file);
    return { warnings: outcome.warnings.join(), table: await tableOf(file, 1) };
  };
  const HEAD = ["姓名", "日期"];

  test("Dates of the 1904 system are read", async () => {
    const { table } = await read([HEAD, ["a", { day: 43538 }]], { date1904: true });
    expect(table.text(0, 1)).toBe("2023-03-15");
  });

  test("ISO dates and rich text are read", async () => {
    const { table } = await read([
      HEAD,
      [
        { xml: '<c r="REF" t="inlineStr"><is><r><t>王</t></r><r><t>伟</t></r></is></c>' },
        { xml: '<c r="REF" t="d"><v>2023-03-15</v></c>' },
      ],
    ]);
    expect([table.text(0, 0), table.text(0, 1)]).toEqual(["王伟", "2023-03-15"]);
  });

  test("Formulas without results, hidden rows and merged cells give warnings", async () => {
    const { warnings, table } = await read(
      [HEAD, ["a", { xml: '<c r="REF"><f>TODAY()</f></c>' }]],
      { behind: '<mergeCells><mergeCell ref="A2:A3"/></mergeCells>' },
    );
    expect(warnings).toMatch(/合并单元格.*公式没有保存计算结果/);
    expect(table.text(0, 1)).toBe("");
    const hidden = workbook({
      [SHEET]: sheetOf(
        '<row hidden="1"><c><v>1</v></c></row><row hidden="true"><c><v>2</v></c></row>',
      ),
    });
    expect((await readAll(hidden)).outcome.warnings.join()).toMatch(/2 个隐藏行/);
  });

  test("Empty and double headers give a warning", async () => {
    const { table } = await read([
      ["姓名", null, "姓名"],
      ["a", "b", "c"],
    ]);
    expect(table.warnings.join()).toBe("B 列没有列名,列名“姓名”出现了 2 次");
  });

  test("Ids that were stored as numbers keep the remaining digits and can be recognised", async () => {
    const { table } = await read([
      ["身份证号"],
      [{ xml: '<c r="REF"><v>110101199003070010</v></c>' }],
    ]);
    expect(table.value(0, 0)).toBeGreaterThan(Number.MAX_SAFE_INTEGER);
  });
});
