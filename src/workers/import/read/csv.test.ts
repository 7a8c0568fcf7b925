import { describe, expect, test } from "vitest";
import { ourCells } from "../cells.harness.ts";
import type { Source } from "../../../shared/protocol/import-worker.ts";
import { type Batch, CELL } from "../contracts.ts";
import { delimiterOf } from "./csv-detect.ts";
import { openReader } from "./index.ts";
import { textBytes } from "./texts.ts";

const { signal } = new AbortController();
const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

async function rowsOf(bytes: Uint8Array<ArrayBuffer> | string, source: Source = {}) {
  const reader = await openReader(new Blob([bytes]), "", signal);
  const batches: Batch[] = [];
  const outcome = await reader.read({ source, maxRows: Infinity, signal }, (b) => batches.push(b));
  const rows: string[][] = [];
  const numbers: number[] = [];
  for (const batch of batches) {
    for (let r = 0; r < batch.rows; r += 1) {
      numbers.push(batch.rowNumbers[r] ?? 0);
      const row: string[] = [];
      for (let c = 0; c < outcome.width; c += 1) {
        const at = r * batch.width + c;
        if (c >= batch.width || batch.kinds[at] === CELL.empty) row.push("");
        else {
          row.push(new TextDecoder().decode(textBytes(batch, batch.values[at] ?? 0)));
        }
      }
      rows.push(row);
    }
  }
  return { rows, numbers, opened: reader.opened, warnings: outcome.warnings };
}

/** UTF-16 of a text, low byte first or last. */
const utf16 = (text: string, little: boolean): number[] =>
  [...text].flatMap((_, i) => {
    const unit = text.charCodeAt(i);
    return little ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255];
  });
/** 姓名,电话 / 王伟,1380 in GB18030. */
const GBK = [
  0xd0, 0xd5, 0xc3, 0xfb, 0x2c, 0xb5, 0xe7, 0xbb, 0xb0, 0x0d, 0x0a, 0xcd, 0xf5, 0xce, 0xb0, 0x2c,
  0x31, 0x33, 0x38, 0x30, 0x0d, 0x0a,
];
const TABLE = [
  ["姓名", "电话"],
  ["王伟", "1380"],
];

describe("Encodings", () => {
  const text = "姓名,电话\r\n王伟,1380\r\n";
  test.each([
    ["UTF-8", "utf-8", [...utf8(text)]],
    ["UTF-8 with a BOM", "utf-8", [0xef, 0xbb, 0xbf, ...utf8(text)]],
    ["UTF-16 LE with a BOM", "utf-16le", [0xff, 0xfe, ...utf16(text, true)]],
    ["UTF-16 BE with a BOM", "utf-16be", [0xfe, 0xff, ...utf16(text, false)]],
    ["UTF-16 LE", "utf-16le", utf16(text, true)],
    ["UTF-16 BE", "utf-16be", utf16(text, false)],
    ["GB18030", "gb18030", GBK],
  ])("%s", async (_, encoding, bytes) => {
    const { rows, opened } = await rowsOf(Uint8Array.from(bytes));
    expect(opened.encoding).toBe(encoding);
    expect(rows).toEqual(TABLE);
  });

  test("GB18030 is detected when it first occurs after a megabyte of ASCII", async () => {
    const ascii = utf8("E00001,someone,1380\r\n".repeat(60_000));
    const bytes = new Uint8Array(ascii.length + GBK.length * 20_000);
    bytes.set(ascii);
    for (let k = 0; k < 20_000; k += 1) bytes.set(GBK, ascii.length + k * GBK.length);
    const { rows, opened } = await rowsOf(bytes);
    expect(opened.encoding).toBe("gb18030");
    expect(rows).toHaveLength(100_000);
    expect(rows.at(-1)).toEqual(["王伟", "1380", ""]);
  });

  test("A chosen encoding overrides detection", async () => {
    const bytes = Uint8Array.from(GBK);
    expect((await rowsOf(bytes, { encoding: "gb18030" })).rows).toEqual(TABLE);
    await expect(rowsOf(bytes, { encoding: "utf-8" })).rejects.toMatchObject({
      code: "import.encoding",
    });
  });
});

describe("Text formulas and stray control characters", () => {
  test.each([
    ['="00123",x', ["00123", "x"]],
    ['"=""00123""",x', ["00123", "x"]],
    ['="a""b",x', ['a"b', "x"]],
    ['="",x', ["", "x"]],
    ["=1+1,x", ["=1+1", "x"]],
    ['"=""a""&""b""",x', ['="a"&"b"', "x"]],
  ])("%s", async (line, cells) => {
    const { rows, warnings } = await rowsOf(`工号,姓名\r\n${line}\r\n`);
    expect(rows[1]).toEqual(cells);
    expect(warnings).toEqual([]);
  });

  const lines = Array.from({ length: 60 }, (_, i) => `E${1000 + i},王伟,1380000${1000 + i}`);
  test("A single NUL affects only its cell, early or late, at an even or odd offset", async () => {
    for (const at of [1, 2, 59]) {
      for (const more of ["", "x"]) {
        const given = lines.map((line, i) =>
          i === at ? line.replace("王伟", `王${more}\0伟`) : line,
        );
        const { rows, opened } = await rowsOf(`工号,姓名,电话\n${given.join("\n")}`);
        expect(opened.encoding).toBe("utf-8");
        expect(rows).toHaveLength(61);
        expect(rows[at + 1]).toEqual([`E${1000 + at}`, `王${more}\0伟`, `1380000${1000 + at}`]);
      }
    }
  });

  test("A single NUL in GB18030 affects only its cell", async () => {
    const many = Array.from({ length: 20 }, () => GBK).flat();
    const { rows, opened } = await rowsOf(Uint8Array.from([...many, 0x41, 0, 0x42, 0x2c, 0x31]));
    expect(opened.encoding).toBe("gb18030");
    expect(rows.at(-1)).toEqual(["A\0B", "1"]);
  });
});

describe("Fields", () => {
  test.each([
    [
      "quotes",
      'a,"b,c"\n"d""e",f',
      [
        ["a", "b,c"],
        ['d"e', "f"],
      ],
    ],
    [
      "line ends within quotes",
      '"a\r\nb",c\r\nd,e',
      [
        ["a\r\nb", "c"],
        ["d", "e"],
      ],
    ],
    [
      "CR alone",
      "a,b\rc,d\r",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    [
      "no line end at the end",
      "a,b\nc",
      [
        ["a", "b"],
        ["c", ""],
      ],
    ],
    ["an empty quoted field", 'a,"",b\n', [["a", "", "b"]]],
    ["blanks are kept", " a , b\n", [[" a ", " b"]]],
    ["numbers are texts", "007,1e5,2024-1-2\n", [["007", "1e5", "2024-1-2"]]],
    ["a first line that names the delimiter", "sep=;\na;b\n", [["a", "b"]]],
  ])("%s", async (_, text, rows) => {
    expect((await rowsOf(text)).rows).toEqual(rows);
  });

  test("Empty records are left out but count as lines", async () => {
    const { rows, numbers } = await rowsOf("a,b\n\n,,\nc,d\n");
    expect(rows).toEqual([
      ["a", "b"],
      ["c", "d"],
    ]);
    expect(numbers).toEqual([1, 4]);
  });

  test("One wide row among many short ones costs little memory", async () => {
    const wide = Array.from({ length: 450 }, (_, k) => `v${k}`);
    const lines = Array.from({ length: 100_000 }, (_, k) => (k === 60_000 ? wide.join(",") : "a"));
    const reader = await openReader(new Blob([lines.join("\n")]), "", signal);
    const batches: Batch[] = [];
    await reader.read({ source: {}, maxRows: Infinity, signal }, (batch) => batches.push(batch));
    expect(batches.reduce((sum, { rows }) => sum + rows, 0)).toBe(100_000);
    expect(Math.max(...batches.map(({ kinds }) => kinds.length))).toBeLessThanOrEqual(1 << 20);
  });

  test("Stray quotes are kept and a warning counts them", async () => {
    const { rows, warnings } = await rowsOf('a,5"x\n"b"c,d\n');
    expect(rows).toEqual([
      ["a", '5"x'],
      ["bc", "d"],
    ]);
    expect(warnings).toEqual([expect.stringContaining("2 个双引号")]);
  });

  test("Fields are the same wherever a chunk ends", async () => {
    const unit = '"甲""乙\r\n",b,😀 \r\n"",x"y,"z"\r\n';
    const { rows } = await rowsOf(unit.repeat(40_000));
    expect(rows).toHaveLength(80_000);
    expect(new Set(rows.map((row) => row.join("|")))).toEqual(
      new Set(['甲"乙\r\n|b|😀 ', '|x"y|z']),
    );
  });
});

test.each([
  ["a,b,c\n1,2,3\n", ","],
  ["a;b;c\n1,5;2;3\n", ";"],
  ["a\tb\n1,5\t2,5\n", "\t"],
  ["a|b|c\n1|2|3\n", "|"],
  ['"x;y;z",b\n"x;y",c\n', ","],
  ["only\none\n", ","],
  ["sep=|\na,b|c,d\n", "|"],
])("The delimiter of %j is detected as %j", (text, delimiter) => {
  expect(delimiterOf(text)).toBe(delimiter);
});

test("A chosen delimiter overrides detection", async () => {
  expect((await rowsOf("a,b;c\n", { delimiter: ";" })).rows).toEqual([["a,b", "c"]]);
});

test("A CSV file that is named .xlsx is read as CSV", async () => {
  const reader = await openReader(new Blob(["姓名,电话\n王伟,1380\n"]), "员工.xlsx", signal);
  expect(reader.opened).toMatchObject({ kind: "csv", delimiter: ",", encoding: "utf-8" });
  expect((await ourCells(new Blob(["a,b\n"]))).get("!B1")).toBe("text:b");
});

test.each([
  "not a zip",
  "not a zip, really",
  "Dear all, please find, enclosed\nthe file",
  "系统繁忙，请稍后，再试\n",
  "Not Found\n\nThe file, which you want, is gone.\nAsk again, later.\n",
])("Plain text with the name of a workbook is refused as such: %j", async (text) => {
  for (const name of ["员工.xlsx", "员工.XLS", "员工.et"]) {
    await expect(openReader(new Blob([text]), name, signal)).rejects.toMatchObject({
      code: "import.plain-text",
      message: expect.stringContaining("普通文字，不是表格") as string,
    });
  }
  // with the name of a text it may be a list
  expect((await openReader(new Blob([text]), "员工.csv", signal)).opened.kind).toBe("csv");
});

test("A preview reads only the first rows", async () => {
  const reader = await openReader(new Blob(["a,b\n".repeat(500_000)]), "", signal);
  const batches: Batch[] = [];
  await reader.read({ source: {}, maxRows: 100, signal }, (batch) => batches.push(batch));
  expect(batches.map((batch) => batch.rows)).toEqual([100]);
});
