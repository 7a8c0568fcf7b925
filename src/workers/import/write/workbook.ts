/**
 * Makes small workbooks in the browser. Every cell is a text, never a formula, whatever it begins with. A text that looks like a
 * formula also gets the quote prefix, so that editing the cell does not turn it into one. Columns with a list get drop-downs.
 */
import { zip } from "./zip.ts";

export interface SheetColumn {
  readonly title: string;
  /** Width in characters. */
  readonly width?: number;
  /** Choices of the column's drop-down. */
  readonly choices?: readonly string[];
}
export interface CellText {
  readonly text: string;
  /** Shown in red. */
  readonly wrong?: boolean;
}
type Cell = string | CellText;

export const XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const MAX_CELL = 32_767;
const LIST_ROWS = 10_000;
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const SHEET_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";
const STYLE = { text: 1, quoted: 2, title: 3, wrong: 4, wrongQuoted: 5 } as const;

/** Writes characters that XML cannot hold in the form that spreadsheets read back. */
export const escapeXml = (text: string): string =>
  text
    .replace(/_x[0-9A-Fa-f]{4}_/g, "_x005F$&")
    .replace(
      // oxlint-disable-next-line no-control-regex -- these are what XML cannot hold
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g,
      (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`,
    )
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;");

const letters = (column: number): string => {
  let name = "";
  for (let n = column + 1; n > 0; n = Math.floor((n - 1) / 26)) {
    name = String.fromCharCode(65 + ((n - 1) % 26)) + name;
  }
  return name;
};
/** Whether the text would become a formula when edited. */
const risky = (text: string): boolean => /^[=+\-@\t\r]/.test(text);

function cellXml(place: string, cell: Cell): string {
  const { text, wrong = false } = typeof cell === "string" ? { text: cell } : cell;
  if (text === "" && !wrong) return "";
  const style = wrong
    ? risky(text)
      ? STYLE.wrongQuoted
      : STYLE.wrong
    : risky(text)
      ? STYLE.quoted
      : STYLE.text;
  return `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(text.slice(0, MAX_CELL))}</t></is></c>`;
}

const STYLES = `${HEAD}<styleSheet xmlns="${MAIN}"><fonts count="3"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font><font><sz val="11"/><color rgb="FFCB272D"/><name val="Calibri"/></font></fonts><fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFFFECE8"/></patternFill></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="6"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" quotePrefix="1"/><xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/><xf numFmtId="49" fontId="2" fillId="2" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1"/><xf numFmtId="49" fontId="2" fillId="2" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" quotePrefix="1"/></cellXfs></styleSheet>`;

const fixedParts = (sheets: readonly string[]): { name: string; data: string }[] => [
  {
    name: "[Content_Types].xml",
    data: `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${SHEET_TYPE}.sheet.main+xml"/>${sheets.map((_, i) => `<Override PartName="/xl/worksheets/sheet${i + 1}.xml" ContentType="${SHEET_TYPE}.worksheet+xml"/>`).join("")}<Override PartName="/xl/styles.xml" ContentType="${SHEET_TYPE}.styles+xml"/></Types>`,
  },
  {
    name: "_rels/.rels",
    data: `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  },
  {
    name: "xl/workbook.xml",
    data: `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${sheets.map((name, i) => `<sheet name="${escapeXml(name)}" sheetId="${i + 1}"${i > 0 ? ' state="hidden"' : ""} r:id="rId${i + 1}"/>`).join("")}</sheets></workbook>`,
  },
  {
    name: "xl/_rels/workbook.xml.rels",
    data: `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${sheets.map((_, i) => `<Relationship Id="rId${i + 1}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`).join("")}<Relationship Id="rId${sheets.length + 1}" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  },
  { name: "xl/styles.xml", data: STYLES },
];

/**
 * @param rows at most as many as a sheet holds. Read one by one, so that a long report is never one large string.
 * @param sheetName at most 31 characters
 */
export async function workbook(
  sheetName: string,
  columns: readonly SheetColumn[],
  rows: Iterable<readonly Cell[]>,
): Promise<Blob> {
  const lists = columns.flatMap(({ choices }, column) =>
    choices === undefined || choices.length === 0 ? [] : [{ column, choices }],
  );
  const pieces: string[] = [];
  let text = `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns.map(({ width = 16 }, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" style="1" customWidth="1"/>`).join("")}</cols><sheetData><row r="1">${columns.map(({ title }, i) => `<c r="${letters(i)}1" s="${STYLE.title}" t="inlineStr"><is><t>${escapeXml(title)}</t></is></c>`).join("")}</row>`;
  let at = 1;
  for (const row of rows) {
    at += 1;
    text += `<row r="${at}">${row.map((cell, i) => cellXml(`${letters(i)}${at}`, cell)).join("")}</row>`;
    if (text.length > 256 * 1024) {
      pieces.push(text);
      text = "";
    }
  }
  text += "</sheetData>";
  if (lists.length > 0) {
    // The choices are on a hidden sheet, because a list within the rule holds only 255 characters.
    text += `<dataValidations count="${lists.length}">${lists.map(({ column, choices }, i) => `<dataValidation type="list" allowBlank="1" showErrorMessage="1" sqref="${letters(column)}2:${letters(column)}${LIST_ROWS}"><formula1>选项!$${letters(i)}$1:$${letters(i)}$${choices.length}</formula1></dataValidation>`).join("")}</dataValidations>`;
  }
  pieces.push(`${text}</worksheet>`);
  const parts: { name: string; data: string | readonly string[] }[] = [
    ...fixedParts(lists.length > 0 ? [sheetName, "选项"] : [sheetName]),
    { name: "xl/worksheets/sheet1.xml", data: pieces },
  ];
  if (lists.length > 0) {
    const longest = Math.max(...lists.map(({ choices }) => choices.length));
    const body = Array.from(
      { length: longest },
      (_, r) =>
        `<row r="${r + 1}">${lists.map(({ choices }, i) => cellXml(`${letters(i)}${r + 1}`, choices[r] ?? "")).join("")}</row>`,
    ).join("");
    parts.push({
      name: "xl/worksheets/sheet2.xml",
      data: `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>${body}</sheetData></worksheet>`,
    });
  }
  return new Blob(await zip(parts), { type: XLSX_TYPE });
}
