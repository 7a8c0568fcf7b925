/** Small workbooks made by hand, so that a test says byte for byte what a file holds. */
import { type Bytes, zip, type ZipEntry } from "../../../shared/xlsx/zip.ts";

export type Cell =
  | string
  | number
  | boolean
  | null
  /** Serial in a style of days. */
  | { readonly day: number }
  | { readonly inline: string }
  /** The whole element, `REF` in it stands for the cell's name. */
  | { readonly xml: string };

export interface Options {
  readonly date1904?: boolean;
  /** Parts to put in place of those made here, or beside them. */
  readonly parts?: Readonly<Record<string, string | null>>;
  readonly before?: string;
  readonly behind?: string;
}

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const name = (column: number): string =>
  (column >= 26 ? name(Math.floor(column / 26) - 1) : "") + String.fromCharCode(65 + (column % 26));

const REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

/** Parts of a workbook of one sheet. */
export function partsOf(
  rows: readonly (readonly Cell[])[],
  options: Options = {},
): Record<string, string> {
  const strings: string[] = [];
  const cell = (value: Cell, ref: string): string => {
    if (value === null) return "";
    if (typeof value === "number") return `<c r="${ref}"><v>${value}</v></c>`;
    if (typeof value === "boolean") return `<c r="${ref}" t="b"><v>${value ? 1 : 0}</v></c>`;
    if (typeof value === "string") {
      return `<c r="${ref}" t="s"><v>${strings.push(`<si><t>${escape(value)}</t></si>`) - 1}</v></c>`;
    }
    if ("day" in value) return `<c r="${ref}" s="1"><v>${value.day}</v></c>`;
    if ("inline" in value) {
      return `<c r="${ref}" t="inlineStr"><is><t>${escape(value.inline)}</t></is></c>`;
    }
    return value.xml.replaceAll("REF", ref);
  };
  const data = rows
    .map(
      (row, r) =>
        `<row r="${r + 1}">${row.map((value, c) => cell(value, `${name(c)}${r + 1}`)).join("")}</row>`,
    )
    .join("");
  const parts: Record<string, string> = {
    "_rels/.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${REL}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `<workbook xmlns="${MAIN}" xmlns:r="${REL}"><workbookPr${options.date1904 === true ? ' date1904="1"' : ""}/><sheets><sheet name="表" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${REL}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${REL}/styles" Target="styles.xml"/><Relationship Id="rId3" Type="${REL}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    "xl/styles.xml": `<styleSheet xmlns="${MAIN}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
    "xl/worksheets/sheet1.xml": `<worksheet xmlns="${MAIN}">${options.before ?? ""}<sheetData>${data}</sheetData>${options.behind ?? ""}</worksheet>`,
    "xl/sharedStrings.xml": `<sst xmlns="${MAIN}">${strings.join("")}</sst>`,
  };
  for (const [path, content] of Object.entries(options.parts ?? {})) {
    if (content === null) delete parts[path];
    else parts[path] = content;
  }
  return parts;
}

export async function zipOf(
  parts: Readonly<Record<string, string | Iterable<Buffer>>>,
): Promise<Blob> {
  const entries: ZipEntry[] = Object.entries(parts).map(([path, content]) => ({
    name: path,
    content: typeof content === "string" ? [Buffer.from(content)] : content,
  }));
  const chunks: Bytes[] = [];
  for await (const chunk of zip(entries)) chunks.push(chunk);
  return new Blob(chunks);
}

export const xlsxOf = (rows: readonly (readonly Cell[])[], options: Options = {}): Promise<Blob> =>
  zipOf(partsOf(rows, options));
