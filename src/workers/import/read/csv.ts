/** Delimited text. Every cell stays the text it is, so that no date and no telephone number is altered. */
import { AppError } from "../../../shared/errors.ts";
import type { Source } from "../../../shared/protocol/import-worker.ts";
import type { Batch, Reader, ReadOptions, ReadOutcome, RowValue } from "../contracts.ts";
import { BatchBuilder } from "./builder.ts";
import { decodeHead, delimiterOf, detectText, type Encoding } from "./csv-detect.ts";
import { PlainRecords } from "./csv-plain.ts";
import { CsvRows } from "./csv-rows.ts";
import { CsvTokens } from "./csv-tokens.ts";
import { checkSignal } from "./faults.ts";
import { readSlice } from "./inflate.ts";
import { NO_STRINGS } from "./strings.ts";
import { createUtf8Check } from "./utf8.ts";

/** Bytes per read, for the first and for later reads. Each read is a round trip to another process. */
const SLICES = { first: 1 << 16, next: 1 << 20 };
const LF = 10;
const QUOTE = 34;
/** A first line that names the delimiter for spreadsheets; it is not a row. */
const SEP = /^sep=.\r?\n/i;

/**
 * Converts chunks to UTF-8. If the file is UTF-8 already, the bytes still have to be validated. @throws TypeError when the bytes
 * do not fit the encoding
 */
function toUtf8(encoding: Encoding): (chunk: Uint8Array, last: boolean) => Uint8Array {
  if (encoding === "utf-8") return (chunk) => chunk;
  const decode = toText(encoding);
  const encoder = new TextEncoder();
  return (chunk, last) => encoder.encode(decode(chunk, last));
}

const hasBom = (b: Uint8Array): boolean => b[0] === 0xef && b[1] === 0xbb && b[2] === 0xbf;

/** Converts chunks to text. @throws TypeError when the bytes do not fit the encoding */
function toText(encoding: Encoding): (chunk: Uint8Array, last: boolean) => string {
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (chunk, last) => decoder.decode(chunk, { stream: !last });
}

/** @throws AppError import.* */
export async function openCsv(blob: Blob, signal: AbortSignal, slices = SLICES): Promise<Reader> {
  const found = await detectText(blob, signal);

  /** Encoding and delimiter: those chosen in the source, else those detected. */
  function shapeOf(source: Source): { readonly encoding: Encoding; readonly delimiter: string } {
    const encoding = source.encoding ?? found.encoding;
    const guessed =
      encoding === found.encoding
        ? found.delimiter
        : delimiterOf(decodeHead(found.head, encoding, true));
    return { encoding, delimiter: source.delimiter ?? guessed };
  }

  /**
   * Reads the file piece by piece and converts each; the next piece is read meanwhile.
   *
   * @param make throws TypeError when the bytes do not fit the encoding
   * @param take gets the converted piece and the file offset after it; returns false to stop reading
   * @param record number of the current record, for the error text
   */
  async function eachPiece<P>(
    signal: AbortSignal,
    encoding: Encoding,
    make: (chunk: Uint8Array, last: boolean) => P,
    take: (piece: P, at: number) => boolean,
    record: () => number,
  ): Promise<void> {
    let at = 0;
    let coming = readSlice(blob, 0, slices.first);
    while (at < blob.size) {
      let slice = await coming;
      checkSignal(signal);
      if (slice.length === 0) return;
      // Cut at line ends so that no record spans two pieces. A line feed is never part of another character, except in UTF-16.
      const lines =
        encoding.startsWith("utf-16") || at + slice.length >= blob.size
          ? 0
          : slice.lastIndexOf(LF) + 1;
      if (lines > 0) slice = slice.subarray(0, lines);
      at += slice.length;
      if (at < blob.size) {
        coming = readSlice(blob, at, at + slices.next);
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
    const plain = new PlainRecords(delimiter);
    const bytesOf = toUtf8(encoding);
    const isUtf8 = createUtf8Check();
    const isPlain = (bytes: Uint8Array): boolean =>
      maxRows === Infinity && plain.canTake && tokens.atStart && !bytes.includes(QUOTE);
    await eachPiece(
      options.signal,
      encoding,
      (chunk, last) => {
        let bytes = bytesOf(chunk, last);
        if (read === 0) {
          if (hasBom(bytes)) bytes = bytes.subarray(3);
          const said = SEP.exec(String.fromCharCode(...bytes.subarray(0, 7)))?.[0];
          if (said !== undefined) tokens.record = 2;
          bytes = bytes.subarray(said?.length ?? 0);
        }
        const taken = isPlain(bytes) ? plain.take(bytes, tokens.record) : null;
        const rest = bytes.subarray(taken?.bytes ?? 0);
        if (!isUtf8(rest, last)) throw new TypeError("no UTF-8");
        return { taken, rest };
      },
      ({ taken, rest }, at) => {
        read = at;
        if (taken !== null) {
          tokens.record += taken.records;
          if (taken.batch !== null) builder.adopt([taken.batch], taken.batch.width);
        }
        tokens.feed(rest);
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
