import { describe, expect, it } from "vitest";
import { readXlsx, unzip } from "../../server/base/xlsx/xlsx.harness.ts";
import { type Sheet, writeWorkbook } from "./workbook.ts";

async function written(sheet: Sheet): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of writeWorkbook(sheet)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
const texts = (bytes: Buffer, part: string): string => unzip(bytes).get(part)?.toString() ?? "";

describe("A workbook without a platform's deflate", () => {
  it("reads back identically, and equal contents make equal files", async () => {
    const sheet: Sheet = { name: "表", columns: [{ title: "甲" }], rows: [["一"], [2], [null]] };
    const bytes = await written(sheet);
    expect(readXlsx(bytes)).toEqual([["甲"], ["一"], ["2"], []]);
    expect(await written(sheet)).toEqual(bytes);
  });

  it("passes on the error of its rows", async () => {
    function* rows(): Generator<string[]> {
      yield ["一"];
      throw new Error("the database is gone");
    }
    await expect(written({ name: "表", columns: [], rows: rows() })).rejects.toThrow(
      "the database is gone",
    );
  });
});

describe("A form", () => {
  it("has the text format in the cells that people will fill in", async () => {
    const columns = [{ title: "甲" }];
    const col = (bytes: Buffer): string | undefined =>
      /<col [^>]*>/.exec(texts(bytes, "xl/worksheets/sheet1.xml"))?.[0];
    const form = await written({ name: "表", columns, rows: [], form: true });
    expect(col(form)).toContain('style="1"');
    expect(col(await written({ name: "表", columns, rows: [] }))).not.toContain("style");
  });

  it("offers choices from a hidden sheet", async () => {
    const bytes = await written({
      name: "员工",
      columns: [{ title: "姓名" }, { title: "性别", choices: ["男", "女", "=1"] }],
      rows: [],
    });
    expect(texts(bytes, "xl/worksheets/sheet1.xml")).toContain(
      'sqref="B2:B10000"><formula1>选项!$A$1:$A$3</formula1>',
    );
    expect(texts(bytes, "xl/worksheets/sheet2.xml").match(/<t [^>]*>[^<]*/g)).toHaveLength(3);
    expect(texts(bytes, "xl/workbook.xml")).toContain('name="选项" sheetId="2" state="hidden"');
  });

  it("shows wrong texts in red, also empty ones", async () => {
    const bytes = await written({
      name: "表",
      columns: [{ title: "甲" }],
      rows: [[{ wrong: "坏" }], [{ wrong: "=1" }], [{ wrong: "" }]],
    });
    const styles = texts(bytes, "xl/worksheets/sheet1.xml").match(/(?<=<c r="A[234]" s=")\d/g);
    expect(styles).toEqual(["5", "6", "5"]);
    expect(texts(bytes, "xl/styles.xml").match(/<xf /g)).toHaveLength(8);
  });
});
