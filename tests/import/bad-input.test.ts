/**
 * Every kind of bad file that people try to import. Either it is read as intended, with warnings where needed, or the error names
 * the cause in words that a clerk understands. No file takes more than 2 s of processor time or much memory.
 */
import { readFileSync } from "node:fs";
import * as XLSX from "@e965/xlsx";
import { describe, expect, test } from "vitest";
import type { Batch, ReadOutcome } from "../../src/workers/import/contracts.ts";
import { openReader } from "../../src/workers/import/read/index.ts";
import { createTable } from "../../src/workers/import/table.ts";
import { withinCost } from "../../src/server/base/cost.harness.ts";
import { oldXls } from "./old-xls.ts";
import { rawZip, type RawEntry, type RawOptions } from "./raw-zip.ts";
import {
  partsOf,
  xlsxOf,
  type Cell,
  type Options,
} from "../../src/server/base/xlsx/workbook.harness.ts";

const { signal } = new AbortController();
const SECONDS = 2;
const MEBIBYTES = 200;

const blobOf = (bytes: Uint8Array | string): Blob =>
  new Blob([typeof bytes === "string" ? bytes : new Uint8Array(bytes)]);

/** A text with the name of a workbook is refused for its name. */
const nameOf = async (file: Blob): Promise<string> =>
  (await file.slice(0, 2).text()) === "PK" ? "员工.xlsx" : "员工.csv";

async function readAll(
  file: Blob,
  sheet = 0,
): Promise<{ readonly batches: Batch[]; readonly outcome: ReadOutcome }> {
  const reader = await openReader(file, await nameOf(file), signal);
  const batches: Batch[] = [];
  const options = { source: { sheet }, maxRows: Infinity, signal };
  const outcome = await reader.read(options, (batch) => batches.push(batch));
  return { batches, outcome };
}

const tableOf = async (file: Blob, headerRow: number | null = null) => {
  const { batches, outcome } = await readAll(file);
  return createTable(batches, outcome, { headerRow });
};

/** @param words pattern that the user text must match */
async function refused(file: Blob, code: string, words: RegExp): Promise<void> {
  // tests/e2e/import-steps.spec.ts measures the wait in the browser.
  const error: unknown = await withinCost({ seconds: SECONDS, mebibytes: MEBIBYTES }, () =>
    readAll(file).then(
      () => "was read",
      (reason: unknown) => reason,
    ),
  );
  expect(error).toMatchObject({ name: "AppError", code, message: expect.stringMatching(words) });
}

/** A workbook whose parts are packed at the highest ratio, or stored. */
function workbook(
  parts: Readonly<Record<string, string | Buffer>>,
  how: Partial<RawEntry> = {},
  options: RawOptions = {},
): Blob {
  const all = { ...partsOf([["姓名"], ["王伟"]]), ...parts };
  const entries = Object.entries(all).map(([name, data]) => ({
    name,
    data,
    ...(name in parts || Object.keys(parts).length === 0 ? how : {}),
  }));
  return blobOf(rawZip(entries, options));
}

const SHEET = "xl/worksheets/sheet1.xml";
const sheetOf = (rows: Buffer | string): Buffer =>
  Buffer.concat([
    Buffer.from("<worksheet><sheetData>"),
    Buffer.from(rows),
    Buffer.from("</sheetData></worksheet>"),
  ]);
const times = (text: string, count: number): Buffer => Buffer.alloc(text.length * count, text);

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

describe("Bombs", () => {
  test("A row that never ends is refused", async () => {
    const row = Buffer.concat([Buffer.from("<row>"), times('<c r="A1"/>', 4_000_000)]);
    await refused(workbook({ [SHEET]: sheetOf(row) }), "import.too-large", /第 1 行的内容过长/);
  });

  test("A hundred megabytes of rows in a hundred kilobytes are refused", async () => {
    const rows = times("<row><c><v>1</v></c></row>", 4_000_000);
    await refused(workbook({ [SHEET]: sheetOf(rows) }), "import.too-large", /过大.*拆分/);
  });

  test("A bomb that declares a smaller size is refused as corrupt", async () => {
    const rows = times("<row><c><v>1</v></c></row>", 4_000_000);
    const lying = workbook({ [SHEET]: sheetOf(rows) }, { claimed: 500_000 });
    await refused(lying, "import.corrupt", /已损坏/);
  });

  test("Two million blank rows are refused", async () => {
    const rows = times("<row/>", 2_000_000);
    await refused(workbook({ [SHEET]: sheetOf(rows) }), "import.too-many-rows", /1,048,576 行/);
  });

  test("A cell that never ends is refused, in the sheet and in the shared strings", async () => {
    const long = times("长长", 3_000_000);
    const cell = Buffer.concat([
      Buffer.from('<row><c t="str"><v>'),
      long,
      Buffer.from("</v></c></row>"),
    ]);
    await refused(workbook({ [SHEET]: sheetOf(cell) }), "import.cell-too-long", /第 1 行 A 列/);
    const some = `<row r="7"><c r="C7" t="str"><v>${"长".repeat(40_000)}</v></c></row>`;
    await refused(
      workbook({ [SHEET]: sheetOf(some) }),
      "import.cell-too-long",
      /第 7 行 C 列的内容超过 32,767 个字/,
    );
    const strings = Buffer.concat([
      Buffer.from("<sst><si><t>"),
      long,
      Buffer.from("</t></si></sst>"),
    ]);
    await refused(
      workbook({ "xl/sharedStrings.xml": strings }),
      "import.cell-too-long",
      /32,767 个字/,
    );
  });

  test("Forty million shared strings are refused", async () => {
    const strings = Buffer.concat([Buffer.from("<sst>"), times("<si/>", 40_000_000)]);
    await refused(workbook({ "xl/sharedStrings.xml": strings }), "import.too-large", /过大/);
  });

  test("An oversized small part and endlessly nested tags are refused", async () => {
    const styles = times("<xf/>", 6_000_000);
    await refused(workbook({ "xl/styles.xml": styles }), "import.too-large", /过大/);
    const nested = Buffer.concat([Buffer.from("<row><c>"), times("<x>", 8_000_000)]);
    await refused(workbook({ [SHEET]: sheetOf(nested) }), "import.too-large", /第 1 行/);
  });

  test("More columns than the limit are refused", async () => {
    const far = '<row r="3"><c r="XFD3"><v>1</v></c></row>';
    await refused(
      workbook({ [SHEET]: sheetOf(far) }),
      "import.too-many-columns",
      /第 3 行.*500 列/,
    );
    await refused(blobOf(`a${",b".repeat(600)}\n`), "import.too-many-columns", /第 1 行.*500 列/);
  });

  test("A text that never ends is refused", async () => {
    await refused(
      blobOf(`a,b\n"${"x".repeat(50_000_000)}`),
      "import.csv-quote",
      /第 2 行有一个双引号/,
    );
    await refused(blobOf(`a,b\n${"x".repeat(50_000_000)}`), "import.cell-too-long", /第 2 行 A 列/);
  });
});

describe("Rows", () => {
  test("More than 1,048,576 rows are refused, in a workbook and in a CSV", async () => {
    const rows = times("<row><c><v>1</v></c></row>", 1_048_577);
    await refused(workbook({ [SHEET]: sheetOf(rows) }), "import.too-many-rows", /1,048,576 行/);
    const far = workbook({ [SHEET]: sheetOf('<row r="1048577"><c><v>1</v></c></row>') });
    await refused(far, "import.too-many-rows", /1,048,576 行/);
    await refused(blobOf("a,b\n".repeat(1_048_577)), "import.too-many-rows", /1,048,576 行/);
  });
});

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
