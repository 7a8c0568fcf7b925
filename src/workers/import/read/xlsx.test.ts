import { describe, expect, test } from "vitest";
import { ourCells } from "../cells.harness.ts";
import {
  partsOf,
  xlsxOf,
  zipOf,
  type Cell,
  type Options,
} from "../../../server/base/xlsx/workbook.harness.ts";
import type { Batch } from "../contracts.ts";
import { openReader } from "./index.ts";

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const { signal } = new AbortController();

const cellsOf = async (
  rows: readonly (readonly Cell[])[],
  options: Options = {},
): Promise<Record<string, string>> =>
  Object.fromEntries(
    [...(await ourCells(await xlsxOf(rows, options)))].map(([at, value]) => [at.slice(2), value]),
  );

const sheet = (xml: string): Options => ({ parts: { "xl/worksheets/sheet1.xml": xml } });
const one = async (xml: string): Promise<string | undefined> => (await cellsOf([[{ xml }]]))["A1"];

describe("A cell", () => {
  test.each([
    ['<c r="REF"><v>12</v></c>', "number:12"],
    ['<c r="REF"><v>-0.5</v></c>', "number:-0.5"],
    ['<c r="REF"><v>1.1010119900307E+17</v></c>', "number:110101199003070000"],
    ['<c r="REF"><v>110101199003070010</v></c>', "number:110101199003070000"],
    ['<c r="REF"><v> 7 </v></c>', "number:7"],
    ['<c r="REF"><v>0.30000000000000004</v></c>', "number:0.3"],
    ['<c r="REF"><v>4294967296</v></c>', "number:4294967296"],
    ['<c r="REF" t="n"><v>abc</v></c>', "text:abc"],
    ['<c r="REF" t="n"><v>0x10</v></c>', "text:0x10"],
    ['<c r="REF"><v>1e999</v></c>', "text:1e999"],
    ['<c r="REF"><v></v></c>', undefined],
    ['<c r="REF"><v/></c>', undefined],
    ['<c r="REF"/>', undefined],
    ['<c r="REF" t="b"><v>1</v></c>', "bool:1"],
    ['<c r="REF" t="e"><v>#N/A</v></c>', "error:#N/A"],
    ['<c r="REF" t="d"><v>2024-02-29T12:00:00Z</v></c>', "date:45351.5"],
    ['<c r="REF" t="d"><v>2024-02-30</v></c>', "text:2024-02-30"],
    [
      '<c r="REF" t="str"><f>A&amp;"b"</f><v>a &amp; b &#x4e2d;&#20013; &copy;</v></c>',
      "text:a & b 中中 &copy;",
    ],
    [
      '<c r="REF" t="str"><v>_x000D__x4E2D_ _x005F_x0041_ _xD83D__xDE00_</v></c>',
      "text:\r中 _x0041_ 😀",
    ],
    ['<c r="REF" t="str"><v><![CDATA[<b> & ]]>x</v></c>', "text:<b> & x"],
    ['<c r="REF" t="str"><v>a\r\nb</v></c>', "text:a\nb"],
    ['<c r="REF"><f>SUM(A1:A2)</f></c>', undefined],
    ['<c r="REF"><f t="shared" si="0"/><v>3</v></c>', "number:3"],
    ['<c r="REF" t="inlineStr"><is><t xml:space="preserve"> a </t></is></c>', "text: a "],
    [
      '<c r="REF" t="inlineStr"><is><r><rPr><b/></rPr><t>甲</t></r><r><t>乙</t></r><rPh sb="0" eb="1"><t>guide</t></rPh></is></c>',
      "text:甲乙",
    ],
    ['<c r="REF" t="inlineStr"><is><t/></is></c>', "text:"],
    ["<c r='REF' s='1'><v>45000</v></c>", "date:45000"],
    ['<c\n  t = "str"\n  r = "REF" ><v>x</v ></c >', "text:x"],
    ['<c s="1" t="s" r="REF"><v></v><extLst><ext><v>9</v></ext></extLst></c>', undefined],
  ])("The cell %s is read as %s", async (xml, expected) => {
    expect(await one(xml)).toBe(expected);
  });

  test("A cell without r follows the one before", async () => {
    expect(
      await cellsOf(
        [],
        sheet(
          `<worksheet xmlns="${MAIN}"><sheetData><row><c><v>1</v></c><c r="D1"><v>4</v></c><c><v>5</v></c></row><row><c><v>6</v></c></row><row r="9"/><row><c><v>7</v></c></row></sheetData></worksheet>`,
        ),
      ),
    ).toEqual({ A1: "number:1", D1: "number:4", E1: "number:5", A2: "number:6", A10: "number:7" });
  });
});

describe("A sheet", () => {
  test("Prefix, strict namespace and comments are understood, and entities of a DOCTYPE are not expanded", async () => {
    const xml = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e "<sheetData>boom</sheetData>">]><!-- <x:sheetData> --><x:worksheet xmlns:x="http://purl.oclc.org/ooxml/spreadsheetml/main"><x:dimension ref="A1"/><x:sheetData><!-- <x:row r="3"> --><x:row r="2" hidden="1"><x:c r="B2" t="inlineStr"><x:is><x:t>a&e;b</x:t></x:is></x:c><x:c r="C2" t="s"><x:v>0</x:v></x:c></x:row></x:sheetData></x:worksheet>`;
    const strings = `<x:sst xmlns:x="http://purl.oclc.org/ooxml/spreadsheetml/main" count="1"><x:si><x:r><x:rPr/><x:t>甲</x:t></x:r><x:r><x:t>乙</x:t></x:r><x:rPh sb="0" eb="1"><x:t>guide</x:t></x:rPh><x:phoneticPr fontId="1"/></x:si></x:sst>`;
    const parts = { "xl/worksheets/sheet1.xml": xml, "xl/sharedStrings.xml": strings };
    expect(await cellsOf([], { parts })).toEqual({ B2: "text:a&e;b", C2: "text:甲乙" });
  });

  test("A wrong or missing dimension is ignored", async () => {
    const rows = [["a", "b"], ["c"]];
    const expected = { A1: "text:a", B1: "text:b", A2: "text:c" };
    expect(await cellsOf(rows, { before: '<dimension ref="A1"/>' })).toEqual(expected);
    expect(await cellsOf(rows, { before: '<dimension ref="A1:XFD1048576"/>' })).toEqual(expected);
    expect(await cellsOf(rows)).toEqual(expected);
  });

  test("Warnings name merged cells, hidden columns and formulas without a result", async () => {
    const blob = await xlsxOf(
      [
        ["a", { xml: '<c r="REF"><f>NOW()</f></c>' }],
        ["b", "c"],
      ],
      {
        before: '<cols><col min="2" max="3" hidden="1"/></cols>',
        behind: '<mergeCells count="1"><mergeCell ref="A1:A2"/></mergeCells>',
      },
    );
    const reader = await openReader(blob, "", signal);
    const { warnings } = await reader.read({ source: {}, maxRows: Infinity, signal }, () => {});
    expect(warnings).toEqual([
      expect.stringContaining("1 处合并单元格"),
      "有隐藏列，也会一起读取",
      expect.stringContaining("1 个公式没有保存计算结果"),
    ]);
  });

  test("Sheets are found by their relation, and hidden ones are marked", async () => {
    const parts = partsOf([["first"]]);
    parts["xl/workbook.xml"] =
      `<workbook xmlns="${MAIN}" xmlns:r="r"><sheets><sheet name="甲&amp;乙" sheetId="1" r:id="b"/><sheet name="藏" sheetId="2" state="veryHidden" r:id="a"/></sheets></workbook>`;
    parts["xl/_rels/workbook.xml.rels"] =
      `<Relationships><Relationship Id="a" Type="x/worksheet" Target="/xl/worksheets/sheet1.xml"/><Relationship Id="b" Type="x/worksheet" Target="../xl/./odd/Name.XML"/><Relationship Id="c" Type="x/sharedStrings" Target="sharedStrings.xml"/></Relationships>`;
    parts["xl/odd/name.xml"] =
      `<worksheet><sheetData><row><c t="inlineStr"><is><t>second</t></is></c></row></sheetData></worksheet>`;
    const blob = await zipOf(parts);
    const reader = await openReader(blob, "", signal);
    expect(reader.opened.sheets).toEqual([
      { index: 0, name: "甲&乙", hidden: false },
      { index: 1, name: "藏", hidden: true },
    ]);
    expect([...(await ourCells(blob))]).toEqual([
      ["甲&乙!A1", "text:second"],
      ["藏!A1", "text:first"],
    ]);
  });

  test("The workbook is the part that the package names, whatever its name is", async () => {
    const {
      "xl/workbook.xml": book = "",
      "xl/_rels/workbook.xml.rels": rels = "",
      ...parts
    } = partsOf([["first"]]);
    parts["xl/workbook2.xml"] = book;
    parts["xl/_rels/workbook2.xml.rels"] = rels;
    parts["_rels/.rels"] = (parts["_rels/.rels"] ?? "").replace("workbook.xml", "workbook2.xml");
    expect([...(await ourCells(await zipOf(parts)))]).toEqual([["表!A1", "text:first"]]);
  });

  test("A sheet without rows gives no rows", async () => {
    expect(await cellsOf([], sheet("<worksheet><sheetData/></worksheet>"))).toEqual({});
    expect(await cellsOf([], sheet("<chartsheet/>"))).toEqual({});
  });
});

test("A chunk can end at any place without changing the cells", async () => {
  const rows: Cell[][] = [];
  for (let r = 0; r < 3000; r += 1) {
    rows.push([
      `名字${r}`,
      r / 7,
      { inline: `a & b ${"长".repeat(r % 90)}` },
      { day: 40000 + r },
      { xml: `<c  r='REF' t="str"><f>"x"</f><v><![CDATA[</row></c>]]>${r}</v></c>` },
      r % 2 === 0,
    ]);
  }
  const cells = await ourCells(await xlsxOf(rows));
  expect(cells.size).toBe(18_000);
  for (const r of [0, 1, 777, 1500, 2222, 2999]) {
    expect([..."ABCDEF"].map((column) => cells.get(`表!${column}${r + 1}`))).toEqual([
      `text:名字${r}`,
      `number:${Number((r / 7).toPrecision(15))}`,
      `text:a & b ${"长".repeat(r % 90)}`,
      `date:${40000 + r}`,
      `text:</row></c>${r}`,
      `bool:${r % 2 === 0 ? 1 : 0}`,
    ]);
  }
});

test("A preview reads the first rows without the rest of the file", async () => {
  const rows = Array.from({ length: 20_000 }, (_, r) => [`s${r}`, r]);
  const reader = await openReader(await xlsxOf(rows), "", signal);
  const batches: Batch[] = [];
  const outcome = await reader.read({ source: {}, maxRows: 100, signal }, (b) => batches.push(b));
  expect(batches.map((batch) => batch.rows)).toEqual([100]);
  expect(outcome.strings.count).toBe(100);
  expect(outcome.strings.text(99)).toBe("s99");
});

test("A full read has its strings before its batches and reports progress", async () => {
  const rows = Array.from({ length: 9000 }, (_, r) => [`s${r}`, r]);
  const reader = await openReader(await xlsxOf(rows), "", signal);
  const seen: string[] = [];
  await reader.read(
    {
      source: {},
      maxRows: Infinity,
      signal,
      onStrings: (strings) => seen.push(`strings ${strings.count}`),
      onProgress: ({ rows: read, part }) => seen.push(`rows ${read} ${(part ?? 9) <= 1}`),
    },
    (batch) => seen.push(`batch ${batch.rows}`),
  );
  expect(seen).toEqual([
    "strings 9000",
    "batch 4096",
    "rows 4096 true",
    "batch 4096",
    "rows 8192 true",
    "batch 808",
    "rows 9000 true",
  ]);
});

test("Reading stops when it is cancelled", async () => {
  const rows = Array.from({ length: 9000 }, (_, r) => [{ inline: `s${r}` }]);
  const reader = await openReader(await xlsxOf(rows), "", signal);
  const abort = new AbortController();
  const reading = reader.read({ source: {}, maxRows: Infinity, signal: abort.signal }, () =>
    abort.abort(),
  );
  await expect(reading).rejects.toMatchObject({ code: "import.cancelled" });
  await expect(openReader(new Blob(["a,b"]), "", abort.signal)).rejects.toMatchObject({
    code: "import.cancelled",
  });
});

test("Wide tables are widened up to 500 columns", async () => {
  const wide = await cellsOf([["a"], Array.from({ length: 500 }, (_, c) => c)]);
  expect(wide["SF2"]).toBe("number:499");
  expect(wide["A1"]).toBe("text:a");
  const tooWide = xlsxOf([["a"], [{ xml: '<c r="SG2"><v>1</v></c>' }]]).then(ourCells);
  await expect(tooWide).rejects.toMatchObject({ code: "import.too-many-columns" });
  // A cell with only a style has no content.
  expect(await cellsOf([["a", { xml: '<c r="XFD1" s="1"/>' }]])).toEqual({ A1: "text:a" });
});

test("A cell in the usual notation equals the same cell with an extra blank", async () => {
  const numbers = ["0", "7.0", "12.50", "0.1", "3000.07", "999999999.999999", "1.1234567"];
  const others = ["1.", ".5", "-1.5", "1e3", "1.5e3", "4294967296", "123456789012.5", "1.x", "x"];
  const values = [...numbers, ...others].flatMap((v) => [
    `<c r="REF"_><v>${v}</v></c>`,
    `<c r="REF" s="1"_><v>${v}</v></c>`,
  ]);
  const bools = ["0", "1", "2", "10", "true", "false"].map(
    (v) => `<c r="REF" t="b"_><v>${v}</v></c>`,
  );
  const signs = [
    "&amp;",
    "&lt;b&gt;",
    "a&amp;&amp;b",
    "&amp",
    "&gt",
    "&ampx;",
    "&at;",
    "&quot;&#65;",
  ];
  const texts = signs.map((v) => `<c r="REF" t="inlineStr"_><is><t>${v}</t></is></c>`);
  const file = (more: string) =>
    xlsxOf([...values, ...bools, ...texts].map((xml) => [{ xml: xml.replace("_", more) }]));
  const cells = await ourCells(await file(""));
  expect(cells).toEqual(await ourCells(await file(" ")));
  expect(cells.size).toBe(values.length + bools.length + texts.length);
  expect([...cells.values()].slice(-8)).toEqual(
    ["&", "<b>", "a&&b", "&amp", "&gt", "&ampx;", "&at;", '"A'].map((text) => `text:${text}`),
  );
  expect([...cells.values()]).toEqual(
    expect.arrayContaining(["number:0.1", "number:999999999.999999"]),
  );
});
