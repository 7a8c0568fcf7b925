/**
 * Writes workbooks: one visible sheet, streamed, with memory use independent of the number of rows. Texts are inline strings in
 * cells with the text format, so they are never formulas. Texts that would become a formula when a person edits the cell also
 * get the quote prefix, which preserves them.
 */
import { strToU8 } from "fflate";
import { type Bytes, type Deflate, zip, type ZipEntry } from "./zip.ts";

export const XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

export interface SheetColumn {
  /** Shown in the first row. */
  readonly title: string;
  /** In characters; default 16. */
  readonly width?: number;
  /** Choices of the column's drop-down. */
  readonly choices?: readonly string[];
}
/** Shown in red. */
export interface WrongText {
  readonly wrong: string;
}
/** A date becomes a date cell in the platform's time zone, +08:00. */
export type CellValue = string | number | boolean | Date | WrongText | null | undefined;

export interface Sheet {
  /** At most 31 characters, none of `[]:*?/\`. */
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  /** Pulled one by one as the workbook is read. */
  readonly rows: AsyncIterable<readonly CellValue[]> | Iterable<readonly CellValue[]>;
  /** People will fill in the columns, so their empty cells have the text format as well. */
  readonly form?: true;
}

/** Excel's limits. It reports a larger file as damaged. */
export const MAX_ROWS = 1_048_576;
export const MAX_CELL_LENGTH = 32_767;
/** Rows that a drop-down covers. */
const LIST_ROWS = 10_000;
/** Characters collected before they are emitted: many rows per chunk, never the whole sheet. */
const CHUNK = 64 * 1024;
const CHOICES = "选项";

/** Indexes of cellXfs in STYLES. */
const STYLE = { text: 1, quoted: 2, dateTime: 3, title: 4, wrong: 5, wrongQuoted: 6 } as const;

const HEAD = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n`;
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml";
const xf = (format: number, font: number, more = ""): string =>
  `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0"${more}/>`;
const wrongXf = (more = ""): string =>
  `<xf numFmtId="49" fontId="2" fillId="2" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1"${more}/>`;
const STYLES = `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="3"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font><font><sz val="11"/><color rgb="FFCB272D"/><name val="Calibri"/></font></fonts><fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFFFECE8"/></patternFill></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="7">${xf(0, 0)}${xf(49, 0, ' applyNumberFormat="1"')}${xf(49, 0, ' applyNumberFormat="1" quotePrefix="1"')}${xf(164, 0, ' applyNumberFormat="1"')}${xf(49, 1, ' applyNumberFormat="1" applyFont="1"')}${wrongXf()}${wrongXf(' quotePrefix="1"')}</cellXfs></styleSheet>`;

/**
 * @param deflate of the platform, for the sheet
 * @throws Error over 1,048,576 rows including the header row, and any error of `rows`
 */
export function writeWorkbook(sheet: Sheet, deflate?: Deflate): AsyncGenerator<Bytes> {
  const lists = sheet.columns.flatMap(({ choices = [] }, column) =>
    choices.length === 0 ? [] : [{ column, choices }],
  );
  const names = lists.length > 0 ? [sheet.name, CHOICES] : [sheet.name];
  const part = (name: string, xml: string): ZipEntry => ({
    name,
    content: [strToU8(HEAD + xml)],
  });
  const entries: ZipEntry[] = [
    part(
      "[Content_Types].xml",
      `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/>${names.map((_, i) => `<Override PartName="/xl/worksheets/sheet${i + 1}.xml" ContentType="${TYPES}.worksheet+xml"/>`).join("")}<Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/></Types>`,
    ),
    part(
      "_rels/.rels",
      `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ),
    part(
      "xl/workbook.xml",
      `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}/relationships"><sheets>${names.map((name, i) => `<sheet name="${escapeXml(name)}" sheetId="${i + 1}"${i > 0 ? ' state="hidden"' : ""} r:id="rId${i + 1}"/>`).join("")}</sheets></workbook>`,
    ),
    part(
      "xl/_rels/workbook.xml.rels",
      `<Relationships xmlns="${PACKAGE}/relationships">${names.map((_, i) => `<Relationship Id="rId${i + 1}" Type="${OFFICE}/relationships/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`).join("")}<Relationship Id="rId${names.length + 1}" Type="${OFFICE}/relationships/styles" Target="styles.xml"/></Relationships>`,
    ),
    { name: "xl/styles.xml", content: [strToU8(STYLES)] },
    { name: "xl/worksheets/sheet1.xml", content: sheetXml(sheet, lists) },
  ];
  if (lists.length > 0) entries.push(part("xl/worksheets/sheet2.xml", choicesXml(lists)));
  return zip(entries, deflate);
}

interface List {
  readonly column: number;
  readonly choices: readonly string[];
}

async function* sheetXml(
  { columns, rows, form }: Sheet,
  lists: readonly List[],
): AsyncGenerator<Bytes> {
  const letters = columns.map((_, i) => columnLetters(i));
  const style = form === true ? ` style="${STYLE.text}"` : "";
  const widths = columns.map(
    ({ width = 16 }, i) =>
      `<col min="${i + 1}" max="${i + 1}" width="${width}"${style} customWidth="1"/>`,
  );
  const titles = columns.map(({ title }, i) => textCell(`${letters[i]}1`, title, STYLE.title));
  let text = `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join("")}</cols><sheetData><row r="1">${titles.join("")}</row>`;
  let at = 1;
  for await (const row of rows) {
    at += 1;
    if (at > MAX_ROWS) throw new Error(`a sheet has no more than ${MAX_ROWS} rows`);
    text += `<row r="${at}">`;
    for (let i = 0; i < row.length; i += 1)
      text += cell(`${letters[i] ?? columnLetters(i)}${at}`, row[i]);
    text += "</row>";
    if (text.length >= CHUNK) {
      yield strToU8(text);
      text = "";
    }
  }
  text += "</sheetData>";
  if (lists.length > 0) {
    // The choices are on a hidden sheet, because a list within the rule holds only 255 characters.
    text += `<dataValidations count="${lists.length}">${lists.map(({ column, choices }, i) => `<dataValidation type="list" allowBlank="1" showErrorMessage="1" sqref="${letters[column]}2:${letters[column]}${LIST_ROWS}"><formula1>${CHOICES}!$${columnLetters(i)}$1:$${columnLetters(i)}$${choices.length}</formula1></dataValidation>`).join("")}</dataValidations>`;
  }
  yield strToU8(`${text}</worksheet>`);
}

/** A column per list. */
function choicesXml(lists: readonly List[]): string {
  const longest = Math.max(...lists.map(({ choices }) => choices.length));
  const rows = Array.from({ length: longest }, (_, r) => {
    const cells = lists.map(({ choices }, i) => cell(`${columnLetters(i)}${r + 1}`, choices[r]));
    return `<row r="${r + 1}">${cells.join("")}</row>`;
  });
  return `<worksheet xmlns="${MAIN}"><sheetData>${rows.join("")}</sheetData></worksheet>`;
}

/** Whether a text would become a formula when a person edits the cell; Chinese keyboards write the wide signs. */
const isRisky = (text: string): boolean => /^[=+\-@\t\r\n＝＋－＠]/.test(text);

/** Whether a spreadsheet would replace digits of a whole number by zeros: it keeps 15 of them. */
const isLong = (value: number): boolean => Number.isInteger(value) && Math.abs(value) >= 1e15;

function cell(at: string, value: CellValue): string {
  if (value === null || value === undefined || value === "") return "";
  if (typeof value === "boolean") return `<c r="${at}" t="b"><v>${value ? 1 : 0}</v></c>`;
  if (typeof value === "number" && Number.isFinite(value) && !isLong(value))
    return `<c r="${at}"><v>${value}</v></c>`;
  if (value instanceof Date && !Number.isNaN(value.getTime())) {
    return `<c r="${at}" s="${STYLE.dateTime}"><v>${excelDate(value)}</v></c>`;
  }
  if (typeof value === "object" && "wrong" in value) {
    return textCell(at, value.wrong, isRisky(value.wrong) ? STYLE.wrongQuoted : STYLE.wrong);
  }
  const text = String(value);
  return textCell(at, text, isRisky(text) ? STYLE.quoted : STYLE.text);
}

const textCell = (at: string, text: string, style: number): string =>
  `<c r="${at}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(text.slice(0, MAX_CELL_LENGTH))}</t></is></c>`;

/** Days since 1899-12-30 at +08:00, in whole seconds. */
const excelDate = (date: Date): number =>
  Math.floor(date.getTime() / 1000 + 8 * 3600) / 86_400 + 25_569;

/** 0 → A, 25 → Z, 26 → AA */
export function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const hex = (sign: string): string =>
  `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`;

/**
 * Characters that XML cannot represent are written as `_xHHHH_` (ST_Xstring), and texts that look like that are escaped.
 * Readers undo both.
 */
function escapeXml(text: string): string {
  return text
    .replaceAll(/_(?=x[0-9a-fA-F]{4}_)/g, "_x005F_")
    .replaceAll(
      // oxlint-disable-next-line no-control-regex -- these are the signs that XML forbids
      /[\0-\u0008\u000b-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      hex,
    )
    .replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
}
