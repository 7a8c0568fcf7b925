/** Delimited text: every cell is text as it stands, so that no date and no telephone number is mangled. */
import { AppError } from "../../../shared/errors.ts";
import type { Source } from "../../../shared/protocol/import-worker.ts";
import type { Batch, Reader, ReadOptions, ReadOutcome } from "../contracts.ts";
import { BatchBuilder } from "./builder.ts";
import { decodeHead, delimiterOf, detectText, type Encoding } from "./csv-detect.ts";
import { CsvRows } from "./csv-rows.ts";
import { CsvTokens } from "./csv-tokens.ts";
import { checkSignal } from "./faults.ts";
import { readSlice } from "./inflate.ts";
import type { RowValue } from "./rows.ts";
import { NO_STRINGS } from "./strings.ts";
import { createUtf8Check } from "./utf8.ts";

const SLICE = 1 << 19;
const FIRST_SLICE = 1 << 16;
/** A line that tells spreadsheets the delimiter is no row. */
const SEP = /^sep=.\r?\n/i;

/** UTF-8 of each chunk. @throws TypeError when the bytes are not of the encoding */
function toUtf8(encoding: Encoding): (chunk: Uint8Array, last: boolean) => Uint8Array {
  if (encoding !== "utf-8") {
    const decode = toText(encoding);
    const encoder = new TextEncoder();
    return (chunk, last) => encoder.encode(decode(chunk, last));
  }
  const isUtf8 = createUtf8Check();
  let first = true;
  return (chunk, last) => {
    if (!isUtf8(chunk, last)) throw new TypeError("no UTF-8");
    const bom = first && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf;
    first = false;
    return bom ? chunk.subarray(3) : chunk;
  };
}

/** Text of each chunk. @throws TypeError when the bytes are not of the encoding */
function toText(encoding: Encoding): (chunk: Uint8Array, last: boolean) => string {
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (chunk, last) => decoder.decode(chunk, { stream: !last });
}

/** @throws AppError import.* */
export async function openCsv(blob: Blob, signal: AbortSignal): Promise<Reader> {
  const found = await detectText(blob, signal);

  /** What the source asks for, or what was found. */
  function shapeOf(source: Source): { readonly encoding: Encoding; readonly delimiter: string } {
    const encoding = source.encoding ?? found.encoding;
    const guessed =
      encoding === found.encoding
        ? found.delimiter
        : delimiterOf(decodeHead(found.head, encoding, true));
    return { encoding, delimiter: source.delimiter ?? guessed };
  }

  /**
   * The file piece by piece, each made of its bytes; the next one is read meanwhile.
   *
   * @param make throws TypeError for bytes that are not of the encoding
   * @param take is given what was made, and whether it is the last; false: it wants no more
   * @param record that is under way, for what is said of a fault
   */
  async function eachPiece<P>(
    signal: AbortSignal,
    encoding: Encoding,
    make: (chunk: Uint8Array, last: boolean) => P,
    take: (piece: P, at: number) => boolean,
    record: () => number,
  ): Promise<void> {
    let at = 0;
    let coming = readSlice(blob, 0, FIRST_SLICE);
    while (at < blob.size) {
      const slice = await coming;
      checkSignal(signal);
      at += slice.length;
      if (slice.length === 0) return;
      if (at < blob.size) {
        coming = readSlice(blob, at, at + SLICE);
        coming.catch(() => undefined);
      }
      let piece: P;
      try {
        piece = make(slice, at >= blob.size);
      } catch (cause) {
        throw new AppError("import.encoding", {
          message: `第 ${record()} 行之后的文字编码无法识别，请另存为“CSV UTF-8”或 .xlsx 再导入`,
          details: { row: record(), encoding },
          cause,
        });
      }
      if (!take(piece, at)) return;
    }
  }

  async function read(options: ReadOptions, onBatch: (batch: Batch) => void): Promise<ReadOutcome> {
    const { source, maxRows, onProgress, onStrings } = options;
    const { encoding, delimiter } = shapeOf(source);
    onStrings?.(NO_STRINGS);
    let read = 0;
    const builder = new BatchBuilder((batch) => {
      onBatch(batch);
      onProgress?.({ phase: "read", rows: builder.total, part: read / blob.size });
    });
    const tokens = new CsvTokens(builder, delimiter, maxRows);
    await eachPiece(
      options.signal,
      encoding,
      toUtf8(encoding),
      (bytes, at) => {
        const said =
          read === 0 ? SEP.exec(String.fromCharCode(...bytes.subarray(0, 7)))?.[0] : undefined;
        if (said !== undefined) tokens.record = 2;
        read = at;
        tokens.feed(bytes.subarray(said?.length ?? 0));
        return !tokens.done;
      },
      () => tokens.record,
    );
    tokens.finish();
    const warnings =
      tokens.strayQuotes === 0
        ? []
        : [`有 ${tokens.strayQuotes} 个双引号的位置不合规则，已按原样保留，请核对这些内容`];
    return {
      rows: builder.total,
      width: builder.width,
      strings: NO_STRINGS,
      date1904: false,
      formats: [],
      warnings,
    };
  }

  async function readRows(
    options: Pick<ReadOptions, "source" | "signal">,
    onRows: (rows: RowValue[][]) => void,
  ): Promise<void> {
    const { encoding, delimiter } = shapeOf(options.source);
    const rows = new CsvRows(delimiter);
    let first = true;
    await eachPiece(
      options.signal,
      encoding,
      toText(encoding),
      (text, at) => {
        const said = first ? SEP.exec(text)?.[0] : undefined;
        if (said !== undefined) rows.record = 2;
        first = false;
        onRows(rows.feed(text.slice(said?.length ?? 0), at >= blob.size));
        return true;
      },
      () => rows.record,
    );
  }

  return {
    opened: {
      kind: "csv",
      bytes: blob.size,
      sheets: [{ index: 0, name: "", hidden: false }],
      encoding: found.encoding,
      delimiter: found.delimiter,
    },
    read,
    readRows,
  };
}
