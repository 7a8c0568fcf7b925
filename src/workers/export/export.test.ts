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

  it("keeps a formula of a person as a text", async () => {
    const api = createExportApi();
    await api.begin({ sheet: "表", columns: ["甲"] });
    await api.add([['=HYPERLINK("http://x")'], ["+1"], ["@a"]]);
    const sheet = unzip(await bytesOf(await api.finish())).get("xl/worksheets/sheet1.xml");
    expect(sheet?.toString()).not.toContain("<f>");
    expect(sheet?.toString().match(/t="inlineStr"/g)).toHaveLength(4);
  });

  it("refuses rows without a beginning, and a cell that is not one", async () => {
    const api = createExportApi();
    await expect(api.add([["a"]])).rejects.toMatchObject({ code: "core.bad-message" });
    await api.begin({ sheet: "表", columns: ["甲"] });
    await expect(api.add([[{} as never]])).rejects.toThrow();
    await api.finish();
  });
});
