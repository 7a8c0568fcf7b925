import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { getRequestListener } from "@hono/node-server";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type CellValue,
  columnLetters,
  MAX_CELL_LENGTH,
  MAX_ROWS,
  XLSX_TYPE,
} from "../../../shared/xlsx/workbook.ts";
import { seededRandom } from "../../../shared/mutate.harness.ts";
import { contentDisposition, writeXlsx, xlsxResponse } from "./index.ts";
import { readXlsx, unzip } from "./xlsx.harness.ts";

const random = seededRandom(1);
const one = [{ title: "值", value: (value: CellValue) => value }];
const logged: unknown[] = [];
const log = { error: (entry: { err: unknown }) => void logged.push(entry.err) };
const sheetOf = async (...values: CellValue[]) =>
  unzip(await buffer(writeXlsx(one, values)))
    .get("xl/worksheets/sheet1.xml")
    ?.toString() ?? "";
const readBack = async (...values: CellValue[]) =>
  readXlsx(await buffer(writeXlsx(one, values)))
    .slice(1)
    .map((row) => row[0] ?? "");

describe("A workbook", () => {
  it("contains header and rows, which read back identically", async () => {
    const bytes = await buffer(
      writeXlsx(
        [
          {
            title: "姓名",
            value: (row: { name: string; n: number | null }) => row.name,
            width: 20,
          },
          { title: "数量", value: (row) => row.n },
          { title: "备注 <&>", value: () => "是" },
        ],
        [
          { name: "张伟", n: 1.5 },
          { name: "李娜 & \"co\" <b> 'x' 😀", n: null },
        ],
        "员工 & 字典",
      ),
    );
    expect(readXlsx(bytes)).toEqual([
      ["姓名", "数量", "备注 <&>"],
      ["张伟", "1.5", "是"],
      ["李娜 & \"co\" <b> 'x' 😀", "", "是"],
    ]);
    const files = unzip(bytes);
    expect([...files.keys()]).toEqual([
      "[Content_Types].xml",
      "_rels/.rels",
      "xl/workbook.xml",
      "xl/_rels/workbook.xml.rels",
      "xl/styles.xml",
      "xl/worksheets/sheet1.xml",
    ]);
    expect(files.get("xl/workbook.xml")?.toString()).toContain('name="员工 &amp; 字典"');
  });

  it("never turns a text into a formula, and keeps the text", async () => {
    const texts = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "=cmd|' /C calc'!A0"];
    const xml = await sheetOf(...texts);
    expect(xml).not.toMatch(/<f[ >]/);
    // The quote prefix keeps the text even after a person edits the cell.
    expect(xml.match(/s="2" t="inlineStr"/g)).toHaveLength(texts.length);
    expect(await readBack(...texts)).toEqual(texts);
    expect(await sheetOf("13800000000")).toContain('s="1" t="inlineStr"');
  });

  it("preserves every character, including those that XML forbids", async () => {
    const texts = [
      "\0\u0001\u001f",
      "a\r\nb\tc",
      "_x0041_",
      "\ud800",
      "\udc00x",
      "\uffff",
      " 空 格 ",
    ];
    expect(await readBack(...texts)).toEqual(texts);
  });

  it("writes numbers, booleans and dates as such, at +08:00", async () => {
    const xml = await sheetOf(0, true, new Date("2026-11-21T00:00:00.500Z"), Number.NaN);
    expect(xml).toContain('<c r="A2"><v>0</v></c>');
    expect(xml).toContain('<c r="A3" t="b"><v>1</v></c>');
    // 2026-11-21 is day 46347 in Excel; 08:00 is a third of a day.
    expect(Number(/s="3"><v>([\d.]+)</.exec(xml)?.[1])).toBeCloseTo(46_347 + 1 / 3, 8);
    expect(await readBack(Number.NaN, new Date(Number.NaN))).toEqual(["NaN", "Invalid Date"]);
  });

  it("truncates a text that is too long for a cell", async () => {
    const [text] = await readBack("长".repeat(MAX_CELL_LENGTH + 1));
    expect(text).toHaveLength(MAX_CELL_LENGTH);
  });

  it("names columns beyond Z", () => {
    expect([0, 25, 26, 51, 52, 701, 702].map(columnLetters)).toEqual([
      "A",
      "Z",
      "AA",
      "AZ",
      "BA",
      "ZZ",
      "AAA",
    ]);
  });

  it("refuses more rows than a sheet can have", async () => {
    const rows = Array.from({ length: MAX_ROWS }, () => null);
    await expect(buffer(writeXlsx([], rows))).rejects.toThrow("1048576 rows");
  });
});

describe("The stream", () => {
  it("pulls rows as they are read, and closes their source when the reader disconnects", async () => {
    let pulled = 0;
    let closed = false;
    async function* rows() {
      try {
        for (;;) {
          pulled += 1;
          yield `第${pulled}行${random()}`;
        }
      } finally {
        closed = true;
      }
    }
    const stream = writeXlsx(one, rows());
    let bytes = 0;
    for await (const chunk of stream) {
      bytes += (chunk as Buffer).length;
      if (bytes > 100_000) break;
    }
    expect(pulled).toBeLessThan(40_000);
    await expect.poll(() => closed).toBe(true);
  });

  it("ends with the error of its rows", async () => {
    async function* rows() {
      yield "一";
      await Promise.resolve();
      throw new Error("the database is gone");
    }
    await expect(buffer(writeXlsx(one, rows()))).rejects.toThrow("the database is gone");
  });
});

describe("The download", () => {
  it("names the file in UTF-8 and in ASCII", () => {
    expect(contentDisposition("员工 (1)'.xlsx")).toBe(
      "attachment; filename=\"__ _1__.xlsx\"; filename*=UTF-8''%E5%91%98%E5%B7%A5%20%281%29%27.xlsx",
    );
    const evil = contentDisposition('a"\r\nset-cookie: x\ud800');
    expect(evil).not.toMatch(/[\r\n]/);
    expect(evil).toMatch(/^attachment; filename="[\w.\- ]+"; /);
  });

  it("is a response with all rows, including the first", async () => {
    const response = await xlsxResponse("字典.xlsx", one, ["一", "二"], log);
    expect(response.headers.get("content-type")).toBe(XLSX_TYPE);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const rows = readXlsx(Buffer.from(await response.arrayBuffer()));
    expect(rows).toEqual([["值"], ["一"], ["二"]]);
  });

  it("fails before it starts when the first row fails", async () => {
    const rows = {
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("no database")) }),
    };
    await expect(xlsxResponse("x.xlsx", one, rows, log)).rejects.toThrow("no database");
  });
});

describe("Over HTTP", () => {
  const serve = async (rows: AsyncIterable<string>) => {
    const server = createServer(
      getRequestListener(() => xlsxResponse("大.xlsx", one, rows, log), {
        overrideGlobalObjects: false,
      }),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  it("a client that disconnects closes the row iterator", async () => {
    let closed = false;
    async function* rows() {
      try {
        for (let i = 0; ; i += 1) yield `第${i}行${random()}`;
      } finally {
        closed = true;
      }
    }
    const leave = new AbortController();
    const response = await fetch(await serve(rows()), { signal: leave.signal });
    await response.body?.getReader().read();
    leave.abort();
    await expect.poll(() => closed).toBe(true);
  });

  it("rows that fail midway abort the download, so that it cannot pass for a complete file", async () => {
    async function* rows() {
      for (let i = 0; i < 50_000; i += 1) yield `第${i}行${random()}`;
      await Promise.resolve();
      throw new Error("the database is gone");
    }
    const response = await fetch(await serve(rows()));
    expect(response.status).toBe(200);
    await expect(response.arrayBuffer()).rejects.toThrow();
    expect(logged.map(String)).toEqual(["Error: the database is gone"]);
  });
});
