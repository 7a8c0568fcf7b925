import { describe, expect, it } from "vitest";
import { readXlsx, unzip } from "../../server/base/xlsx/xlsx.harness.ts";
import { createExportApi } from "./api.ts";

const bytesOf = async (blob: Blob): Promise<Buffer> => Buffer.from(await blob.arrayBuffer());

describe("An export", () => {
  it("is a workbook with the titles and all rows that were added, in order", async () => {
    const api = createExportApi();
    await api.begin({ sheet: "员工/列表", columns: ["姓名", "次数"] });
    const all = Array.from({ length: 2_500 }, (_, i) => [`人${i}`, i] as const);
    for (let at = 0; at < all.length; at += 1000) await api.add(all.slice(at, at + 1000));
    const rows = readXlsx(await bytesOf(await api.finish()));
    expect(rows).toHaveLength(2_501);
    expect(rows[0]).toEqual(["姓名", "次数"]);
    expect(rows[2_500]).toEqual(["人2499", "2499"]);
  });

  it("without rows has the titles alone", async () => {
    const api = createExportApi();
    await api.begin({ sheet: "表", columns: ["甲"] });
    expect(readXlsx(await bytesOf(await api.finish()))).toEqual([["甲"]]);
  });

  it("keeps what a spreadsheet would take for a formula, and numbers of more than 15 digits, as texts", async () => {
    const api = createExportApi();
    await api.begin({ sheet: "表", columns: ["甲"] });
    const texts = [
      '=HYPERLINK("http://x")',
      "+1",
      "-1",
      "@a",
      "\t=1",
      "\r=1",
      "4403011990010112345",
    ];
    const long = 1_234_567_890_123_456;
    await api.add([...texts, long, 123_456_789_012_345].map((cell) => [cell]));
    const file = await bytesOf(await api.finish());
    const sheet = unzip(file).get("xl/worksheets/sheet1.xml")?.toString() ?? "";
    expect(sheet).not.toContain("<f>");
    expect(sheet.match(/t="inlineStr"/g), "the title, the texts and the long number").toHaveLength(
      9,
    );
    expect(sheet.match(/<v>.*?<\/v>/g)).toEqual(["<v>123456789012345</v>"]);
    expect(sheet).toContain(`>${long}</t>`);
  });

  it("refuses rows without a beginning, and a cell that is not one", async () => {
    const api = createExportApi();
    await expect(api.add([["a"]])).rejects.toMatchObject({ code: "core.bad-message" });
    await api.begin({ sheet: "表", columns: ["甲"] });
    await expect(api.add([[{} as never]])).rejects.toThrow();
    await api.finish();
  });
});
