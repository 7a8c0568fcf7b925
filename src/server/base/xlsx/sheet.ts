/**
 * The parts of a workbook with one sheet. Texts are inline strings in cells with the text format, so they are never formulas.
 * Texts that would become a formula when a person edits the cell also get the quote prefix, which preserves them.
 */

export type CellValue = string | number | boolean | Date | null | undefined;

export interface Column<Row> {
  /** Shown in the first row. */
  readonly title: string;
  /** Dates become date cells in the platform's time zone, +08:00. */
  readonly value: (row: Row) => CellValue;
  /** In characters; default 16. */
  readonly width?: number;
}

/** Excel's limits. It reports a larger file as damaged. */
export const MAX_ROWS = 1_048_576;
export const MAX_CELL_LENGTH = 32_767;
/** Characters collected before they are emitted: many rows per chunk, never the whole sheet. */
const CHUNK = 64 * 1024;

const TEXT = 1;
const QUOTED_TEXT = 2;
const DATE_TIME = 3;
const TITLE = 4;

const HEAD = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n`;
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** @param sheetName at most 31 characters, none of `[]:*?/\` */
export function workbookParts(sheetName: string): readonly { name: string; xml: string }[] {
  return [
    {
      name: "[Content_Types].xml",
      xml: `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/></Types>`,
    },
    {
      name: "_rels/.rels",
      xml: `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    },
    {
      name: "xl/workbook.xml",
      xml: `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}/relationships"><sheets><sheet name="${escapeXml(sheetName)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      xml: `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/relationships/styles" Target="styles.xml"/></Relationships>`,
    },
    {
      name: "xl/styles.xml",
      xml: `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" quotePrefix="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/></cellXfs></styleSheet>`,
    },
  ];
}

/** @throws Error over 1,048,576 rows including the header row, and any error of `rows` */
export async function* sheetXml<Row>(
  columns: readonly Column<Row>[],
  rows: AsyncIterable<Row> | Iterable<Row>,
): AsyncGenerator<Buffer> {
  const letters = columns.map((_, i) => columnLetters(i));
  const widths = columns.map(
    ({ width = 16 }, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`,
  );
  const titles = columns.map(({ title }, i) => textCell(`${letters[i]}1`, title, TITLE));
  let text = `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join("")}</cols><sheetData><row r="1">${titles.join("")}</row>`;
  let at = 1;
  for await (const row of rows) {
    at += 1;
    if (at > MAX_ROWS) throw new Error(`a sheet has no more than ${MAX_ROWS} rows`);
    text += `<row r="${at}">`;
    for (const [i, column] of columns.entries())
      text += cell(`${letters[i]}${at}`, column.value(row));
    text += "</row>";
    if (text.length >= CHUNK) {
      yield Buffer.from(text);
      text = "";
    }
  }
  yield Buffer.from(`${text}</sheetData></worksheet>`);
}

function cell(at: string, value: CellValue): string {
  if (value === null || value === undefined || value === "") return "";
  if (typeof value === "boolean") return `<c r="${at}" t="b"><v>${value ? 1 : 0}</v></c>`;
  if (typeof value === "number" && Number.isFinite(value))
    return `<c r="${at}"><v>${value}</v></c>`;
  if (value instanceof Date && !Number.isNaN(value.getTime())) {
    return `<c r="${at}" s="${DATE_TIME}"><v>${excelDate(value)}</v></c>`;
  }
  const text = String(value);
  return textCell(at, text, /^[=+\-@\t\r\n]/.test(text) ? QUOTED_TEXT : TEXT);
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
export function escapeXml(text: string): string {
  return text
    .replaceAll(/_(?=x[0-9a-fA-F]{4}_)/g, "_x005F_")
    .replaceAll(
      // oxlint-disable-next-line no-control-regex -- these are the signs that XML forbids
      /[\0-\u0008\u000b-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      hex,
    )
    .replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
}
