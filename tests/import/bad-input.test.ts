/**
 * Files that are damaged, locked or no tables. The error names the cause in words that a clerk understands. No file takes more than 2 s of
 * processor time or much memory.
 */
import { readFileSync } from "node:fs";
import * as XLSX from "@e965/xlsx";
import { describe, expect, test } from "vitest";
import { openReader } from "../../src/workers/import/read/index.ts";
import { oldXls } from "./old-xls.ts";
import { rawZip } from "./raw-zip.ts";
import { xlsxOf } from "../../src/server/base/xlsx/workbook.harness.ts";
import { signal, blobOf, tableOf, refused, workbook, SHEET, times } from "./bad-files.ts";

describe("Zips", () => {
  test("A truncated zip is corrupt", async () => {
    const whole = new Uint8Array(await (await xlsxOf([["a"]])).arrayBuffer());
    for (const part of [0.9, 0.5, 0.1]) {
      const cut = blobOf(whole.subarray(0, Math.floor(part * whole.length)));
      await refused(cut, "import.corrupt", /已损坏或不完整/);
    }
  });

  test("A zip that is damaged in the middle is corrupt", async () => {
    const rows = Array.from({ length: 2000 }, (_, r) => [`名${r}`, r * 7919]);
    const bytes = new Uint8Array(await (await xlsxOf(rows)).arrayBuffer());
    bytes.fill(0xa5, bytes.length / 3, bytes.length / 3 + 2000);
    await refused(blobOf(bytes), "import.corrupt", /已损坏/);
  });

  test("A zip with a damaged directory is corrupt", async () => {
    const bytes = new Uint8Array(await (await xlsxOf([["a"]])).arrayBuffer());
    const directory = Buffer.from(bytes).indexOf(Buffer.from("PK\u0001\u0002"));
    bytes.fill(0xff, directory + 20, directory + 60);
    await refused(blobOf(bytes), "import.corrupt", /已损坏/);
  });

  test("An empty zip and a file without a byte are empty", async () => {
    await refused(blobOf(rawZip([])), "import.empty", /空的/);
    await refused(blobOf(""), "import.empty", /空的/);
    await refused(blobOf(" \r\n\r\n"), "import.empty", /空的/);
  });

  test("A sheet that ends early makes the file corrupt", async () => {
    const cut = "<worksheet><sheetData><row><c><v>1</v></c></row><row><c><v>2";
    await refused(workbook({ [SHEET]: cut }), "import.corrupt", /已损坏/);
    await refused(
      workbook({ "xl/sharedStrings.xml": "<sst><si><t>姓名</t></si><si><t>王" }),
      "import.corrupt",
      /已损坏/,
    );
  });

  test("An unknown compression method and a password are refused", async () => {
    await refused(workbook({ [SHEET]: "x" }, { method: 12 }), "import.unsupported", /另存为 .xlsx/);
    await refused(workbook({ [SHEET]: "x" }, { encrypted: true }), "import.encrypted", /密码/);
  });

  test("Stored parts, 64-bit sizes and sizes after the data are read", async () => {
    for (const file of [
      workbook({}, { stored: true }),
      workbook({}, {}, { zip64: true }),
      workbook({}, {}, { descriptors: true }),
    ]) {
      expect((await tableOf(file)).text(0, 0)).toBe("王伟");
    }
  });
});

describe("Other files with the name of a table", () => {
  test("A web page is refused", async () => {
    for (const html of [
      "<html><body><table><tr><td>姓名</td></tr></table></body></html>",
      "\uFEFF <!-- saved --><!DOCTYPE html>\n<html></html>",
      '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"></html>',
      "<table><tr><td>1</td></tr></table>",
    ]) {
      await refused(blobOf(html), "import.html", /网页.*另存为 .xlsx/);
    }
  });

  test("A CSV file is read", async () => {
    expect((await tableOf(blobOf("姓名,电话\n王伟,1380\n"))).headers).toEqual(["姓名", "电话"]);
  });

  test("Other kinds of tables are refused", async () => {
    const ods = readFileSync(new URL("fixtures/libreoffice.ods", import.meta.url));
    await refused(blobOf(ods), "import.unsupported", /另存为 .xlsx/);
    const xlsb = XLSX.write(
      { SheetNames: ["a"], Sheets: { a: XLSX.utils.aoa_to_sheet([[1]]) } },
      { type: "buffer", bookType: "xlsb" },
    ) as Buffer;
    await refused(blobOf(xlsb), "import.unsupported", /另存为 .xlsx/);
    const xml =
      '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>';
    await refused(blobOf(xml), "import.unsupported", /另存为 .xlsx/);
  });

  test("Files that are not tables are refused", async () => {
    const docx = rawZip([{ name: "word/document.xml", data: "<w:document/>" }]);
    const png = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ", "base64");
    for (const bytes of [docx, png, Buffer.from("%PDF-1.7\n1 0 obj"), Buffer.alloc(100, 1)]) {
      await refused(blobOf(bytes), "import.not-table", /请选择 .xlsx、.xls 或 .csv/);
    }
  });

  test("A workbook without sheets is refused", async () => {
    const none = workbook({ "xl/workbook.xml": "<workbook><sheets/></workbook>" });
    await refused(none, "import.no-sheet", /没有工作表/);
  });
});

describe("Old containers are told apart by their streams", () => {
  const container = (streams: Readonly<Record<string, Buffer>>): Blob => {
    const cfb = XLSX.CFB.utils.cfb_new();
    for (const [name, data] of Object.entries(streams)) XLSX.CFB.utils.cfb_add(cfb, name, data);
    return blobOf(Buffer.from(XLSX.CFB.write(cfb, { type: "buffer" }) as unknown as Uint8Array));
  };

  test("A password-protected .xlsx is refused", async () => {
    const file = container({
      "/EncryptionInfo": times("x", 300),
      "/EncryptedPackage": times("y", 9000),
    });
    await refused(file, "import.encrypted", /打开密码/);
  });

  test("A .xls is read", async () => {
    const file = blobOf(readFileSync(new URL("fixtures/libreoffice.xls", import.meta.url)));
    const reader = await openReader(file, "", signal);
    expect(reader.opened.kind).toBe("xls");
    const table = await tableOf(file);
    expect(table.headers.slice(0, 3)).toEqual(["姓名", "身份证号", "手机号"]);
    expect(table.text(0, 3)).toBe("2020-02-29");
  });

  test.each([936, 1252])(
    "A .xls of Excel 5 that declares code page %s keeps its Chinese texts",
    async (codepage) => {
      const rows = [
        ["姓名", "工号"],
        ["王伟", "E1"],
        ["李娜", "E2"],
      ];
      const table = await tableOf(blobOf(oldXls(rows, codepage)));
      expect(table.headers).toEqual(rows[0]);
      expect([table.text(0, 0), table.text(1, 0), table.text(1, 1)]).toEqual([
        "王伟",
        "李娜",
        "E2",
      ]);
    },
  );

  test("A password-protected .xls is refused", async () => {
    const bytes = readFileSync(new URL("fixtures/libreoffice.xls", import.meta.url));
    const cfb = XLSX.CFB.read(bytes, { type: "buffer" });
    const stream = XLSX.CFB.find(cfb, "/Workbook")?.content;
    if (stream === undefined) throw new Error("no stream");
    const book = Buffer.from(stream as unknown as Uint8Array);
    const behindBof = 4 + book.readUInt16LE(2);
    const filePass = Buffer.from([0x2f, 0, 6, 0, 0, 0, 0x12, 0x34, 0x56, 0x78]);
    const locked = Buffer.concat([book.subarray(0, behindBof), filePass, book.subarray(behindBof)]);
    await refused(container({ "/Workbook": locked }), "import.encrypted", /打开密码/);
  });

  test("A Word file is not a table, and a truncated container is corrupt", async () => {
    const word = container({ "/WordDocument": times("x", 5000) });
    await refused(word, "import.not-table", /请选择/);
    const cut = word.slice(0, 700);
    await refused(cut, "import.corrupt", /已损坏/);
  });
});
