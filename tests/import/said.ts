/**
 * One file for each way in which the shown text of a cell differs from its bytes. Each file lists what must be stored and which
 * findings the cells must have. Rows with a finding are not imported.
 */
import { Buffer } from "node:buffer";
import { oldXls } from "./old-xls.ts";
import { rawZip } from "./raw-zip.ts";
import { type Cell, partsOf } from "../../src/server/base/xlsx/workbook.harness.ts";

export interface SaidFile {
  readonly name: string;
  readonly bytes: Buffer;
  /** Headers, which are labels of fields. */
  readonly head: readonly string[];
  /** Per row without a finding: the texts that must be stored; null for an empty one. */
  readonly stored: readonly (readonly (string | null)[])[];
  /** The expected findings: row in the file, header, part of the message. */
  readonly findings: readonly (readonly [row: number, header: string, words: string])[];
}

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
/** Styles from 1 on have these formats, in order. */
const stylesOf = (formats: readonly string[]): string => {
  const escape = (code: string): string =>
    code.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  const defined = formats.map(
    (code, i) => `<numFmt numFmtId="${200 + i}" formatCode="${escape(code)}"/>`,
  );
  const used = formats.map((_, i) => `<xf numFmtId="${200 + i}"/>`);
  return `<styleSheet xmlns="${MAIN}"><numFmts>${defined.join("")}</numFmts><cellXfs><xf numFmtId="0"/>${used.join("")}</cellXfs></styleSheet>`;
};
export const xlsx = (
  rows: readonly (readonly Cell[])[],
  formats: readonly string[] = [],
  behind = "",
): Buffer =>
  rawZip(
    Object.entries(partsOf(rows, { parts: { "xl/styles.xml": stylesOf(formats) }, behind })).map(
      ([name, data]) => ({ name, data }),
    ),
  );
export const styled = (style: number, value: number): Cell => ({
  xml: `<c r="REF" s="${style}"><v>${value}</v></c>`,
});
export const raw = (value: string, type = ""): Cell => ({
  xml: `<c r="REF"${type === "" ? "" : ` t="${type}"`}><v>${value}</v></c>`,
});
export const inline = (text: string): Cell => ({
  xml: `<c r="REF" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`,
});
export const csv = (lines: readonly string[]): Buffer => Buffer.from(lines.join("\r\n"), "utf8");

/** Numbers that lost digits, error values, numbers with exponents in a CSV. */
const spoilt: SaidFile = {
  name: "丢失内容.xlsx",
  head: ["姓名", "工号", "备注", "证件号码"],
  bytes: xlsx([
    ["姓名", "工号", "备注", "证件号码"],
    ["甲一", raw("999999999999999"), raw("12"), "C1"],
    ["甲二", raw("9007199254740993"), null, "C2"],
    [raw("#R&#x45;F!", "e"), "B3", null, "C3"],
    ["甲四", "B4", raw("1.10101199003071E+17"), "C4"],
    ["甲五", "B5", raw("#N/A", "e"), "C5"],
    ["甲六", "B6", null, raw("6222021234567890")],
    ["甲七", "B7", "ok", "C7"],
  ]),
  stored: [
    ["甲一", "999999999999999", "12", "C1"],
    ["甲七", "B7", "ok", "C7"],
  ],
  findings: [
    [3, "工号", "数字超过 15 位"],
    [4, "姓名", "错误值 #REF!"],
    [5, "备注", "数字超过 15 位"],
    [6, "备注", "错误值 #N/A"],
    [7, "证件号码", "数字超过 15 位"],
  ],
};
const exponents: SaidFile = {
  name: "科学计数.csv",
  head: ["姓名", "工号", "备注"],
  bytes: csv(["姓名,工号,备注", "乙一,1E+05,", "乙二,1E5,", "乙三,X3,1.23457E+17", "#NAME?,X4,"]),
  stored: [["乙二", "1E5", null]],
  findings: [
    [2, "工号", "科学计数法"],
    [4, "备注", "科学计数法"],
    [5, "姓名", "错误值 #NAME?"],
  ],
};

/** Numbers with a format: the shown text is stored. */
const shown: SaidFile = {
  name: "显示格式.xlsx",
  head: ["姓名", "工号", "岗位", "备注", "联系电话", "入职日期"],
  bytes: xlsx(
    [
      ["姓名", "工号", "岗位", "备注", "联系电话", "入职日期"],
      ["丙一", styled(1, 12), null, styled(3, 0.125), styled(6, 13_912_345_678), styled(7, 45_322)],
      ["丙二", styled(2, 13), styled(8, 45_322), styled(4, 1234.5), raw("13912345678"), null],
      ["丙三", "S3", styled(9, 1.5), styled(5, -3), null, styled(8, 45_322)],
      ["丙四", styled(10, 100_000), null, null, null, null],
      ["丙五", "S5", null, styled(11, 0.5), null, null],
    ],
    [
      "00000",
      '"E"0000',
      "0.0%",
      '"¥"#,##0.00',
      "0;负0",
      "000-0000-0000",
      'yyyy"年"m"月"d"日"',
      'm"月"d"日"',
      "[h]:mm",
      "0.00E+00",
      "# ?/?",
    ],
  ),
  stored: [
    ["丙一", "00012", null, "12.5%", "13912345678", "2024-01-31"],
    ["丙二", "E0013", "1月31日", "¥1,234.50", "13912345678", null],
    ["丙三", "S3", "36:00", "负3", null, "2024-01-31"],
  ],
  findings: [
    [5, "工号", "科学计数法"],
    [6, "备注", "数字格式"],
  ],
};

/** Cells with characters that no database accepts. */
const unfit: SaidFile = {
  name: "坏字符.xlsx",
  head: ["姓名", "工号", "备注"],
  bytes: xlsx([
    ["姓名", "工号", "备注"],
    [inline("丁_x0000_一"), "D1", null],
    ["丁二", inline("D_xD83D_2"), null],
    [inline("\u200b"), "D3", null],
    ["丁四", "D4", inline("a_x0000_b")],
    ["丁五", "D5", inline("\u200b\ufeff")],
    ["丁六", "D6", "好"],
  ]),
  stored: [
    ["丁五", "D5", null],
    ["丁六", "D6", "好"],
  ],
  findings: [
    [2, "姓名", "控制字符"],
    [3, "工号", "没有正确保存"],
    [4, "姓名", "不能为空"],
    [5, "备注", "控制字符"],
  ],
};

/** Marks that are copied along from chats. */
const marks: SaidFile = {
  name: "聊天粘贴.xlsx",
  head: ["姓名", "工号", "联系电话", "备注"],
  bytes: xlsx([
    ["姓名", "工号", "联系电话", "备注"],
    [
      "戊一",
      inline("\u202aG1\u202c"),
      inline("\u202d139\u200b1234\u200d5678\u202c"),
      "甲\u3000乙\u00a0丙\u200b丁",
    ],
    [inline("戊\u202e二"), "G2", null, null],
    [inline("戊&#10;三"), "G3", null, null],
    [inline("戊_x0007_四"), "G4", null, null],
    [inline("\u3000戊\u3000五\u200b"), "G5", null, inline("一行&#10;两行")],
  ]),
  stored: [
    ["戊一", "G1", "13912345678", "甲\u3000乙\u00a0丙\u200b丁"],
    ["戊五", "G5", null, "一行\n两行"],
  ],
  findings: [
    [3, "姓名", "方向标记"],
    [4, "姓名", "换行"],
    [5, "姓名", "控制字符"],
  ],
};

/** Formulas and quotes as text. */
const formulas: SaidFile = {
  name: "等号引号.csv",
  head: ["姓名", "工号", "备注"],
  bytes: csv([
    "姓名,工号,备注",
    '己一,="00123",',
    '己二,"=""00124""",x',
    "己\0三,H3,",
    ...Array.from({ length: 20 }, (_, i) => `己${i + 10},H${i + 10},`),
  ]),
  stored: [
    ["己一", "00123", null],
    ["己二", "00124", "x"],
    ...Array.from({ length: 20 }, (_, i) => [`己${i + 10}`, `H${i + 10}`, null]),
  ],
  findings: [[4, "姓名", "控制字符"]],
};
const old: SaidFile = {
  name: "旧表.xls",
  head: ["姓名", "工号"],
  bytes: oldXls(
    [
      ["姓名", "工号"],
      ["王伟", "J1"],
      ["李娜", "J2"],
    ],
    936,
  ),
  stored: [
    ["王伟", "J1"],
    ["李娜", "J2"],
  ],
  findings: [],
};
const sums: SaidFile = {
  name: "合计.xlsx",
  head: ["姓名", "工号", "入职日期"],
  bytes: xlsx(
    [
      ["姓名", "工号", "入职日期"],
      ["庚一", "K1", styled(1, 45_295.999_999_999_99)],
      ["庚二", "K2", styled(1, 45_295.5)],
      ["合计", "2", null],
    ],
    ["yyyy-mm-dd"],
  ),
  stored: [
    ["庚一", "K1", "2024-01-05"],
    ["庚二", "K2", "2024-01-04"],
  ],
  findings: [[4, "姓名", "合计行"]],
};

export const SAID_FILES: readonly (readonly [title: string, file: SaidFile])[] = [
  ["C.1 numbers that lost digits, and error values", spoilt],
  ["C.1 exponents and errors of a csv", exponents],
  ["C.2 numbers and days by their formats", shown],
  ["C.3 a NUL, half a surrogate pair, nothing visible", unfit],
  ["C.4 marks of chats, controls and line breaks", marks],
  ['C.5 ="00123" and one NUL in a csv', formulas],
  ["C.5 the code page of Excel 5", old],
  ["C.5 a sum at the end, a serial a hair before midnight", sums],
];
