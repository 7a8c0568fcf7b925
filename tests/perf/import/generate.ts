/**
 * Streams employee tables of any length: 20 columns with typical content, derived from a counter and not from chance, so that two
 * runs measure the same bytes. Strings repeat as in a real staff list: numbers, telephones and addresses are unique, names
 * repeat, the rest comes from dictionaries. A table with about 1.5 million different strings in 2 million cells (100,000 rows)
 * would be unlike any staff list.
 */
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { zlibDeflate } from "../../../src/server/base/xlsx/deflate.ts";
import { zip, type ZipEntry } from "../../../src/shared/xlsx/zip.ts";

export type FileShape = "shared" | "inline" | "csv";

export const HEADERS = [
  "工号",
  "姓名",
  "身份证号",
  "手机号",
  "性别",
  "民族",
  "学历",
  "部门",
  "岗位",
  "入职日期",
  "出生日期",
  "工资",
  "年龄",
  "考核分",
  "邮箱",
  "住址",
  "已婚",
  "合同编号",
  "紧急联系人",
  "备注",
] as const;

const FAMILY = [..."王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗"];
const GIVEN = [..."伟芳娜敏静丽强磊军洋勇艳杰娟涛明超霞平刚桂英华玉兰红"];
const ETHNIC = ["汉族", "回族", "满族", "壮族", "苗族", "维吾尔族", "彝族", "土家族"];
const DEGREES = ["初中", "高中", "中专", "大专", "本科", "硕士"];
const REMARKS = ["", "", "", "夜班", "需要住宿", "转正 & 续签", "实习 <三个月>"];
const DICTIONARY = {
  names: FAMILY.flatMap((f) => GIVEN.flatMap((a) => GIVEN.slice(0, 12).map((b) => f + a + b))),
  genders: ["男", "女"],
  ethnic: ETHNIC,
  degrees: DEGREES,
  departments: Array.from({ length: 120 }, (_, k) => `第${(k % 12) + 1}大队${k + 1}中队`),
  posts: Array.from({ length: 40 }, (_, k) => `岗位${String.fromCharCode(65 + (k % 26))}${k}`),
  remarks: REMARKS.filter(Boolean),
} as const;

/** A well-spread hash of a row number. */
const mix = (row: number, salt: number): number =>
  (Math.imul(row ^ (salt * 0x9e3779b1), 0x85ebca6b) ^ (row >>> 7)) >>> 0;

const pick = <T>(list: readonly T[], row: number, salt: number): T =>
  list[mix(row, salt) % list.length] as T;

const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
const pad = (n: number, length: number): string => String(n).padStart(length, "0");

function idNumber(row: number, born: number): string {
  const day = new Date(Date.UTC(1899, 11, 30) + born * 86_400_000);
  const body = `1101${pad(1 + (row % 18), 2)}${day.getUTCFullYear()}${pad(day.getUTCMonth() + 1, 2)}${pad(day.getUTCDate(), 2)}${pad(row % 1000, 3)}`;
  const sum = WEIGHTS.reduce((total, weight, k) => total + weight * Number(body[k]), 0);
  return body + "10X98765432"[sum % 11];
}

export type Value =
  | { readonly t: "s"; readonly text: string; readonly own: boolean }
  | { readonly t: "n" | "d"; readonly n: number }
  | { readonly t: "b"; readonly n: 0 | 1 }
  | null;

const own = (text: string): Value => ({ t: "s", text, own: true });
const common = (text: string): Value => ({ t: "s", text, own: false });

/** @param row 0 is the first row below the headers */
export function valuesOf(row: number): Value[] {
  const born = 25_600 + (mix(row, 3) % 12_000);
  const remark = pick(REMARKS, row, 9);
  return [
    own(`E${pad(row + 1, 8)}`),
    common(pick(DICTIONARY.names, row, 1)),
    own(idNumber(row, born)),
    own(`1${pick(["38", "39", "50", "86", "99"], row, 2)}${pad(row, 8)}`),
    common(pick(DICTIONARY.genders, row, 4)),
    common(pick(DICTIONARY.ethnic, row, 5)),
    common(pick(DICTIONARY.degrees, row, 6)),
    common(pick(DICTIONARY.departments, row, 7)),
    common(pick(DICTIONARY.posts, row, 8)),
    { t: "d", n: 40_000 + (mix(row, 10) % 5000) },
    { t: "d", n: born },
    { t: "n", n: 3000 + (mix(row, 11) % 2_000_000) / 100 },
    { t: "n", n: 18 + (mix(row, 12) % 45) },
    { t: "n", n: (mix(row, 13) % 1000) / 10 },
    own(`user${row + 1}@example.com`),
    own(`北京市朝阳区建国路${(row % 900) + 1}号院${(row % 40) + 1}号楼${row + 1}室`),
    { t: "b", n: (row & 1) as 0 | 1 },
    own(`HT-2024-${pad(row, 7)}`),
    common(pick(DICTIONARY.names, row, 14)),
    remark === "" ? null : common(remark),
  ];
}

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const letter = (column: number): string => String.fromCharCode(65 + column);
const LETTERS = HEADERS.map((_, column) => letter(column));

/** Pieces of about 64 kB. */
function* buffered(parts: Iterable<string>): Generator<Buffer> {
  let text = "";
  for (const part of parts) {
    text += part;
    if (text.length > 1 << 16) {
      yield Buffer.from(text);
      text = "";
    }
  }
  yield Buffer.from(text);
}

/** Shared string indexes in the order of a writer that meets headers and dictionaries first, then each row's unique strings. */
function createIndex() {
  const known = new Map<string, number>();
  const add = (text: string): void => {
    if (!known.has(text)) known.set(text, known.size);
  };
  for (const text of [...HEADERS, ...Object.values(DICTIONARY).flat()]) add(text);
  return known;
}
const OWN_STRINGS = valuesOf(0).filter((value) => value?.t === "s" && value.own).length;

function* sheetXml(rows: number, shape: "shared" | "inline"): Generator<string> {
  const index = createIndex();
  const text = (ref: string, value: string, at: number): string =>
    shape === "shared"
      ? `<c r="${ref}" t="s"><v>${at}</v></c>`
      : `<c r="${ref}" t="inlineStr"><is><t>${escape(value)}</t></is></c>`;
  yield `${HEAD}<worksheet xmlns="${MAIN}"><dimension ref="A1:${letter(HEADERS.length - 1)}${rows + 1}"/><sheetData>`;
  yield `<row r="1">${HEADERS.map((h, c) => text(`${letter(c)}1`, h, index.get(h) ?? 0)).join("")}</row>`;
  for (let row = 0; row < rows; row += 1) {
    const r = row + 2;
    let xml = `<row r="${r}" spans="1:20">`;
    let next = index.size + row * OWN_STRINGS;
    for (const [c, value] of valuesOf(row).entries()) {
      if (value === null) continue;
      const ref = `${LETTERS[c]}${r}`;
      if (value.t === "s") {
        xml += text(ref, value.text, value.own ? next++ : (index.get(value.text) ?? 0));
      } else if (value.t === "n") xml += `<c r="${ref}"><v>${value.n}</v></c>`;
      else if (value.t === "d") xml += `<c r="${ref}" s="1"><v>${value.n}</v></c>`;
      else xml += `<c r="${ref}" t="b"><v>${value.n}</v></c>`;
    }
    yield `${xml}</row>`;
  }
  yield "</sheetData></worksheet>";
}

function* stringsXml(rows: number): Generator<string> {
  const index = createIndex();
  const unique = index.size + rows * OWN_STRINGS;
  yield `${HEAD}<sst xmlns="${MAIN}" count="${rows * 14}" uniqueCount="${unique}">`;
  for (const text of index.keys()) yield `<si><t>${escape(text)}</t></si>`;
  for (let row = 0; row < rows; row += 1) {
    for (const value of valuesOf(row)) {
      if (value?.t === "s" && value.own) yield `<si><t>${escape(value.text)}</t></si>`;
    }
  }
  yield "</sst>";
}

const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";

function smallParts(shared: boolean): [string, string][] {
  const strings = shared
    ? `<Relationship Id="rId3" Type="${OFFICE}/sharedStrings" Target="sharedStrings.xml"/>`
    : "";
  return [
    [
      "[Content_Types].xml",
      `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>${shared ? `<Override PartName="/xl/sharedStrings.xml" ContentType="${TYPE}.sharedStrings+xml"/>` : ""}</Types>`,
    ],
    [
      "_rels/.rels",
      `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      "xl/workbook.xml",
      `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="员工" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ],
    [
      "xl/_rels/workbook.xml.rels",
      `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/>${strings}</Relationships>`,
    ],
    [
      "xl/styles.xml",
      `<styleSheet xmlns="${MAIN}"><fonts count="1"><font><sz val="11"/></font></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    ],
  ];
}

function* csvText(rows: number): Generator<string> {
  yield `\uFEFF${HEADERS.join(",")}\r\n`;
  for (let row = 0; row < rows; row += 1) {
    const fields = valuesOf(row).map((value) => {
      if (value === null) return "";
      if (value.t === "s") return value.text;
      if (value.t === "b") return value.n === 1 ? "是" : "否";
      if (value.t === "n") return String(value.n);
      return new Date(Date.UTC(1899, 11, 30) + value.n * 86_400_000).toISOString().slice(0, 10);
    });
    yield `${fields.join(",")}\r\n`;
  }
}

/** Resolves when the file is closed. */
export async function writeTable(path: string, rows: number, shape: FileShape): Promise<void> {
  if (shape === "csv") {
    await pipeline(Readable.from(buffered(csvText(rows))), createWriteStream(path));
    return;
  }
  const parts: ZipEntry[] = smallParts(shape === "shared").map(([name, xml]) => ({
    name,
    content: [Buffer.from(HEAD + xml)],
  }));
  parts.push({ name: "xl/worksheets/sheet1.xml", content: buffered(sheetXml(rows, shape)) });
  if (shape === "shared") {
    parts.push({ name: "xl/sharedStrings.xml", content: buffered(stringsXml(rows)) });
  }
  await pipeline(
    Readable.from(zip(parts, zlibDeflate), { objectMode: false }),
    createWriteStream(path),
  );
}
