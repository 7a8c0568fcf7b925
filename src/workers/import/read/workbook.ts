/** The small parts of an .xlsx: its sheets and their parts, the date system, and how styles show numbers. */
import { AppError } from "../../../shared/errors.ts";
import { corrupt } from "./faults.ts";
import { builtInCode } from "./format-code.ts";
import { styleOf, textStyleOf } from "./formats.ts";
import { LIMITS } from "./limits.ts";
import { tags } from "./markup.ts";
import { entryText, type Zip, type ZipEntry } from "./zip.ts";

export interface SheetPart {
  readonly name: string;
  readonly hidden: boolean;
  readonly entry: ZipEntry;
}

export interface Workbook {
  readonly sheets: readonly SheetPart[];
  readonly date1904: boolean;
  /** Per cell style: how its numbers are kept (STYLE), and its format code. */
  readonly styles: Uint8Array;
  readonly formats: readonly string[];
  readonly strings: ZipEntry | null;
}

interface Relation {
  readonly type: string;
  readonly target: string;
}

/** Part names are matched case-insensitively, as the Open Packaging Conventions require. */
function find(zip: Zip, name: string): ZipEntry | undefined {
  const exact = zip.get(name);
  if (exact !== undefined) return exact;
  const lower = name.toLowerCase();
  for (const entry of zip.values()) if (entry.name.toLowerCase() === lower) return entry;
  return undefined;
}

/** Resolves a target relative to the folder of its source part, or to the root when it begins with a slash. */
function resolve(folder: string, target: string): string {
  const parts: string[] = target.startsWith("/") ? [] : folder.split("/").filter(Boolean);
  for (const part of target.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}

async function relations(zip: Zip, part: string, textOf: TextOf): Promise<Map<string, Relation>> {
  const slash = part.lastIndexOf("/") + 1;
  const folder = part.slice(0, slash);
  const entry = find(zip, `${folder}_rels/${part.slice(slash)}.rels`);
  const found = new Map<string, Relation>();
  if (entry === undefined) return found;
  for (const tag of tags(await textOf(entry))) {
    if (tag.name !== "Relationship" || tag.closing) continue;
    const type = tag.attribute("Type") ?? "";
    found.set(tag.attribute("Id") ?? "", {
      // Strict and transitional namespaces have the same last segment.
      type: type.slice(type.lastIndexOf("/") + 1),
      target: resolve(folder, tag.attribute("Target") ?? ""),
    });
  }
  return found;
}

/** The error for a zip that is not a supported workbook. */
function notWorkbook(zip: Zip): AppError {
  const names = [...zip.keys()];
  if (names.length === 0) return new AppError("import.empty");
  const table =
    names.some((name) => /(^|\/)workbook\.bin$/i.test(name)) ||
    names.includes("content.xml") ||
    names.some((name) => /^index\/.*\.iwa$/i.test(name));
  if (table) return new AppError("import.unsupported");
  return new AppError("import.not-table");
}

/** The usual names of these parts. */
const USUAL = ["_rels/.rels", "xl/_rels/workbook.xml.rels", "xl/workbook.xml", "xl/styles.xml"];

type TextOf = (entry: ZipEntry) => Promise<string>;

/** Reads each part once, and starts the usual ones in parallel: in sequence they take longer than the first rows. */
function createTexts(blob: Blob, zip: Zip, signal: AbortSignal): TextOf {
  const read = new Map<ZipEntry, Promise<string>>();
  const textOf: TextOf = (entry) => {
    const known = read.get(entry) ?? entryText(blob, entry, signal);
    read.set(entry, known);
    return known;
  };
  for (const name of USUAL) {
    const entry = zip.get(name);
    // The caller that awaits the part gets the error.
    if (entry !== undefined) textOf(entry).catch(() => undefined);
  }
  return textOf;
}

/** @throws AppError import.* */
export async function openWorkbook(blob: Blob, zip: Zip, signal: AbortSignal): Promise<Workbook> {
  const textOf = createTexts(blob, zip, signal);
  const root = await relations(zip, "", textOf);
  const said = [...root.values()].find((relation) => relation.type === "officeDocument")?.target;
  const path = said !== undefined && find(zip, said) !== undefined ? said : "xl/workbook.xml";
  const entry = find(zip, path);
  if (entry === undefined || !/\.xml$/i.test(path)) throw notWorkbook(zip);
  const related = await relations(zip, path, textOf);
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const byType = (type: string, fallback: string): ZipEntry | undefined => {
    const target = [...related.values()].find((relation) => relation.type === type)?.target;
    return find(zip, target ?? folder + fallback);
  };
  let date1904 = false;
  let isWorkbook = false;
  const sheets: SheetPart[] = [];
  for (const tag of tags(await textOf(entry))) {
    if (tag.closing) continue;
    if (tag.name === "workbook") isWorkbook = true;
    else if (tag.name === "workbookPr") date1904 = isTrue(tag.attribute("date1904"));
    else if (tag.name === "sheet" && sheets.length < LIMITS.sheets) {
      const relation = related.get(tag.attribute("id") ?? "");
      if (relation !== undefined && relation.type !== "worksheet") continue;
      const part = find(
        zip,
        relation?.target ?? `${folder}worksheets/sheet${sheets.length + 1}.xml`,
      );
      if (part === undefined) throw corrupt(`part of sheet ${sheets.length + 1}`);
      const state = tag.attribute("state") ?? "visible";
      sheets.push({
        name: tag.attribute("name") ?? `Sheet${sheets.length + 1}`,
        hidden: state !== "visible",
        entry: part,
      });
    }
  }
  if (!isWorkbook) throw notWorkbook(zip);
  if (sheets.length === 0) throw new AppError("import.no-sheet");
  const styles = byType("styles", "styles.xml");
  return {
    sheets,
    date1904,
    ...stylesOf(styles === undefined ? "" : await textOf(styles)),
    strings: byType("sharedStrings", "sharedStrings.xml") ?? null,
  };
}

const isTrue = (value: string | undefined): boolean =>
  value === "1" || value === "true" || value === "on";

function stylesOf(xml: string): Pick<Workbook, "styles" | "formats"> {
  const codes = new Map<number, string>();
  const formats: string[] = [];
  let inCells = false;
  for (const tag of tags(xml)) {
    if (tag.name === "cellXfs") {
      inCells = !tag.closing;
    } else if (tag.closing) {
      continue;
    } else if (tag.name === "numFmt") {
      codes.set(Number(tag.attribute("numFmtId")), tag.attribute("formatCode") ?? "");
    } else if (tag.name === "xf" && inCells && formats.length < LIMITS.styles) {
      const id = Number(tag.attribute("numFmtId") ?? 0);
      formats.push(codes.get(id) ?? builtInCode(id));
    }
  }
  const known = new Map<string, number>();
  const styles = Uint8Array.from(formats, (code) => {
    const style = known.get(code) ?? styleOf(code) | textStyleOf(code);
    known.set(code, style);
    return style;
  });
  return { styles, formats };
}
