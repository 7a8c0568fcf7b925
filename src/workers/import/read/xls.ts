/** Reads .xls (BIFF) with a library that is loaded on demand. The library reads the whole file, so size and rows are limited. */
import { AppError } from "../../../shared/errors.ts";
import { type Batch, CELL, type Reader, type ReadOptions, WIDE } from "../contracts.ts";
import { BatchBuilder } from "./builder.ts";
import { codepages } from "./codepages.ts";
import { STYLE, styleOf, textStyleOf } from "./formats.ts";
import { checkSignal, corrupt, mergeWarnings, tooLarge } from "./faults.ts";
import { LIMITS } from "./limits.ts";
import { NO_STRINGS } from "./strings.ts";
import { readSlice } from "./inflate.ts";

interface Place {
  readonly r: number;
  readonly c: number;
}
/** The used part of the library's cells. */
interface LibraryCell {
  readonly t: string;
  readonly v?: unknown;
  readonly w?: string;
  readonly z?: unknown;
}
interface LibrarySheet {
  readonly "!data"?: readonly (readonly (LibraryCell | undefined)[] | undefined)[];
  readonly "!merges"?: readonly { readonly s: Place; readonly e: Place }[];
  readonly "!rows"?: readonly ({ readonly hidden?: boolean } | undefined)[];
  readonly "!cols"?: readonly ({ readonly hidden?: boolean } | undefined)[];
}

async function parse(bytes: Uint8Array, rows: number) {
  // A deployment may have removed it; the tab finds out (docs/shell.md#a-missing-script).
  const { read, set_cptable } = await import("@e965/xlsx").catch((cause: unknown) => {
    throw new AppError("server.unavailable", { cause });
  });
  set_cptable(codepages);
  try {
    const book = read(bytes, { type: "array", dense: true, cellNF: true, sheetRows: rows });
    if (book.SheetNames.length === 0) throw new AppError("import.no-sheet");
    return book;
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const said = cause instanceof Error ? cause.message : "";
    throw /password|encrypt/i.test(said)
      ? new AppError("import.encrypted", {
          message:
            "文件设有打开密码或结构保护，请在 Excel 或 WPS 中打开，取消后另存为 .xlsx 再导入",
          cause,
        })
      : corrupt("old spreadsheet", cause);
  }
}

/** @throws AppError import.* */
export async function openXls(blob: Blob, signal: AbortSignal): Promise<Reader> {
  if (blob.size > LIMITS.xlsBytes) throw tooLarge("xls");
  const bytes = await readSlice(blob, 0, blob.size);
  checkSignal(signal);
  const first = await parse(bytes, 1);
  const date1904 = first.Workbook?.WBProps?.date1904 === true;

  async function read(
    { source, maxRows, signal, onProgress, onStrings }: ReadOptions,
    onBatch: (batch: Batch) => void,
  ) {
    checkSignal(signal);
    // A preview reads a few more rows, because blank ones do not count.
    const book = await parse(bytes, Math.min(LIMITS.xlsRows, maxRows + 100));
    checkSignal(signal);
    const name = book.SheetNames[source.sheet ?? 0];
    if (name === undefined) throw new AppError("import.no-sheet");
    // Read in its dense form, which the types of the library do not know.
    const sheet = book.Sheets[name] as unknown as LibrarySheet;
    onStrings?.(NO_STRINGS);
    const builder = new BatchBuilder((batch) => {
      onBatch(batch);
      onProgress?.({ phase: "read", rows: builder.total, part: null });
    });
    const formats: string[] = [];
    const put = cellWriter(builder, formats);
    const rows = sheet["!data"] ?? [];
    let hiddenRows = 0;
    for (let r = 0; r < rows.length && builder.total < maxRows; r += 1) {
      let width = 0;
      for (const [c, cell] of rows[r]?.entries() ?? []) {
        if (cell !== undefined && put(cell, r + 1, c)) width = c + 1;
      }
      if (width === 0) continue;
      if (sheet["!rows"]?.[r]?.hidden === true) hiddenRows += 1;
      builder.commit(r + 1, width);
    }
    builder.flush();
    const merged = sheet["!merges"] ?? [];
    const warnings = mergeWarnings(merged.length, source.fill === true);
    if (hiddenRows > 0) warnings.push(`有 ${hiddenRows} 个隐藏行，也会一起导入`);
    if (sheet["!cols"]?.some((column) => column?.hidden === true) === true) {
      warnings.push("有隐藏列，也会一起读取");
    }
    return {
      rows: builder.total,
      width: builder.width,
      strings: NO_STRINGS,
      date1904,
      formats,
      merges: merged.flatMap(({ s, e }) =>
        e.r > s.r ? [{ top: s.r + 1, bottom: e.r + 1, column: s.c }] : [],
      ),
      warnings,
    };
  }

  return {
    opened: {
      kind: "xls",
      bytes: blob.size,
      sheets: first.SheetNames.map((name, index) => ({
        index,
        name,
        hidden: (first.Workbook?.Sheets?.[index]?.Hidden ?? 0) !== 0,
      })),
      encoding: null,
      delimiter: null,
      escape: null,
      isGuess: false,
    },
    read,
  };
}

/**
 * @param formats format codes, indexed by style; new ones are added
 * @returns a function that stores a cell and returns whether it had content
 */
function cellWriter(
  builder: BatchBuilder,
  formats: string[],
): (cell: LibraryCell, row: number, column: number) => boolean {
  const encoder = new TextEncoder();
  const known = new Map<
    string,
    { readonly how: number; readonly text: number; readonly style: number }
  >();
  const lookUp = (format: unknown) => {
    const code = typeof format === "string" ? format : "";
    const found = known.get(code) ?? {
      how: styleOf(code),
      text: textStyleOf(code),
      style: formats.push(code) - 1,
    };
    known.set(code, found);
    return found;
  };
  return (cell, row, column) => {
    const { t, v } = cell;
    let kind: number = CELL.empty;
    let value = 0;
    if (t === "n" && typeof v === "number") {
      const { how, style } = lookUp(cell.z);
      if (how >= STYLE.number) {
        kind = how === STYLE.number ? CELL.shownNumber : CELL.shownDate;
        value = builder.number(v);
        builder.number(style);
      } else {
        kind = how === STYLE.day ? CELL.date : CELL.number;
        value = v | 0;
        if (value !== v) {
          value = builder.number(v);
          kind |= WIDE;
        }
      }
    } else if (t === "b") {
      kind = CELL.bool;
      value = v === true ? 1 : 0;
    } else if (t === "s" || t === "str" || t === "e") {
      const text = t === "e" ? (cell.w ?? "#ERROR!") : String(v ?? "");
      if (text === "") return false;
      const bytes = encoder.encode(text);
      builder.appendRaw(bytes, 0, bytes.length);
      kind = t === "e" ? CELL.error : CELL.text;
      value = builder.endText(row, column);
      const { text: shows, style } = lookUp(cell.z);
      if (kind === CELL.text && shows !== 0) {
        kind = CELL.shownText;
        value = builder.number(value);
        builder.number(style);
      }
    }
    if (kind === CELL.empty) return false;
    if (column >= builder.stride) builder.widen(column, row);
    const at = builder.rows * builder.stride + column;
    builder.kinds[at] = kind;
    builder.values[at] = value;
    return true;
  };
}
