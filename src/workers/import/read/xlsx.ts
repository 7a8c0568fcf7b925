/** .xlsx. A full read takes the strings first, so that batches can become rows at once; a preview takes the first rows first. */
import { AppError } from "../../../shared/errors.ts";
import type { RowsPiece } from "../../../shared/protocol/read-ahead.ts";
import type {
  Ahead,
  Batch,
  Inflate,
  Pieces,
  Reader,
  ReadOptions,
  ReadOutcome,
} from "../contracts.ts";
import { BatchBuilder } from "./builder.ts";
import { corrupt, mergeWarnings } from "./faults.ts";
import { LIMITS } from "./limits.ts";
import { pump } from "./pump.ts";
import { type SheetFacts, SheetTokens } from "./sheet.ts";
import { NO_STRINGS, StringTokens, type StringTable } from "./strings.ts";
import { openWorkbook } from "./workbook.ts";
import { openEntry, openZip, type ZipEntry } from "./zip.ts";

const nothing = (): void => undefined;

interface Strings {
  /** Call once. @param enough stop after this many strings */
  read(enough: number): Promise<StringTable>;
  close(): void;
}

async function openStrings(
  blob: Blob,
  entry: ZipEntry | null,
  signal: AbortSignal,
  inflate?: Inflate,
): Promise<Strings> {
  if (entry === null) return { read: () => Promise.resolve(NO_STRINGS), close: nothing };
  const stream = await openEntry(blob, entry, LIMITS.strings, signal, inflate);
  return {
    async read(enough) {
      const tokens = new StringTokens(entry.size, enough);
      await pump(stream, tokens, 8 * LIMITS.cell, enough !== Infinity, nothing);
      return tokens.table();
    },
    close: stream.close,
  };
}

function warningsOf(facts: SheetFacts, fill: boolean): string[] {
  const said = mergeWarnings(facts.merged, fill);
  if (facts.hiddenRows > 0) said.push(`有 ${facts.hiddenRows} 个隐藏行，也会一起导入`);
  if (facts.hiddenColumns > 0) said.push("有隐藏列，也会一起读取");
  if (facts.formulas > 0) {
    said.push(
      `有 ${facts.formulas} 个公式没有保存计算结果，按空白处理；请用 Excel 或 WPS 打开并保存一次`,
    );
  }
  return said;
}

/**
 * @param ahead used for full reads only; a preview reads little and should start at once
 * @throws AppError import.*
 */
export async function openXlsx(blob: Blob, signal: AbortSignal, ahead?: Ahead): Promise<Reader> {
  const zip = await openZip(blob, signal);
  const workbook = await openWorkbook(blob, zip, signal);

  async function read(
    { source, maxRows, signal, onProgress, onStrings }: ReadOptions,
    onBatch: (batch: Batch) => void,
  ): Promise<ReadOutcome> {
    const sheet = workbook.sheets[source.sheet ?? 0];
    if (sheet === undefined) throw new AppError("import.no-sheet");
    const preview = maxRows !== Infinity;
    const { styles, formats, date1904 } = workbook;
    const open = (inflate?: Inflate) => openStrings(blob, workbook.strings, signal, inflate);
    // Requested before the sheet, because the read-ahead thread works in the order of requests.
    const all = preview ? null : await open(ahead?.inflate);
    let strings = NO_STRINGS;
    let stream: Pieces<Uint8Array | RowsPiece> | null = null;
    try {
      stream = await openEntry<RowsPiece>(
        blob,
        sheet.entry,
        LIMITS.sheet,
        signal,
        preview || ahead === undefined
          ? undefined
          : (packed) => ahead.sheet(packed, { styles, date1904 }),
      );
      if (all !== null) {
        strings = await all.read(Infinity);
        onStrings?.(strings);
      }
    } catch (error) {
      all?.close();
      stream?.close();
      throw error;
    }
    let inflated = 0;
    const builder = new BatchBuilder((batch) => {
      if (!preview && tokens.maxShared >= strings.count) throw missing(tokens.maxShared, strings);
      onBatch(batch);
      onProgress?.({
        phase: "read",
        rows: builder.total,
        part: sheet.entry.size === 0 ? null : Math.min(1, inflated / sheet.entry.size),
      });
    });
    const tokens = new SheetTokens({ builder, styles, date1904 }, maxRows);
    await pump(stream, tokens, LIMITS.row, preview, (bytes) => {
      inflated = bytes;
    });
    if (preview && tokens.maxShared >= 0) {
      strings = await (await open()).read(tokens.maxShared + 1);
      if (tokens.maxShared >= strings.count) throw missing(tokens.maxShared, strings);
    }
    const { total, width } = builder;
    const { facts } = tokens;
    const warnings = warningsOf(facts, source.fill === true);
    return { rows: total, width, strings, date1904, formats, merges: facts.merges, warnings };
  }

  return {
    opened: {
      kind: "xlsx",
      bytes: blob.size,
      sheets: workbook.sheets.map(({ name, hidden }, index) => ({ index, name, hidden })),
      encoding: null,
      delimiter: null,
      escape: null,
      isGuess: false,
    },
    read,
  };
}

const missing = (index: number, strings: StringTable): AppError =>
  corrupt(`shared string ${index} of ${strings.count}`);
