/** Delimited text. Every cell stays the text it is, so that no date and no telephone number is altered. */
import { AppError } from "../../../shared/errors.ts";
import type { Source } from "../../../shared/protocol/import-worker.ts";
import type { Batch, Reader, ReadOptions, ReadOutcome, RowValue } from "../contracts.ts";
import { BatchBuilder } from "./builder.ts";
import { Backslashes } from "./csv-backslash.ts";
import { decodeHead, delimiterOf, detectText, type Escape, escapeOf } from "./csv-detect.ts";
import { PlainRecords } from "./csv-plain.ts";
import { CsvRows } from "./csv-rows.ts";
import { CsvTokens } from "./csv-tokens.ts";
import { type Encoding, isMostlyWhole } from "./encodings.ts";
import { checkSignal } from "./faults.ts";
import { readSlice } from "./inflate.ts";
import { NO_STRINGS } from "./strings.ts";
import { createUtf8Mender } from "./utf8.ts";

/** Bytes per read, for the first and for later reads. Each read is a round trip to another process. */
const SLICES = { first: 1 << 16, next: 1 << 20 };
const LF = 10;
const QUOTE = 34;
/** A first line that names the delimiter for spreadsheets; it is not a row. */
const SEP = /^sep=.\r?\n/i;

const hasBom = (b: Uint8Array): boolean => b[0] === 0xef && b[1] === 0xbb && b[2] === 0xbf;

/** Converts chunks to text. Bytes that do not fit the encoding become U+FFFD, which the check reports at its cell. */
function toText(encoding: Encoding): (chunk: Uint8Array, last: boolean) => string {
  const decoder = new TextDecoder(encoding);
  return (chunk, last) => decoder.decode(chunk, { stream: !last });
}

/** Converts chunks to UTF-8. */
function toUtf8(encoding: Encoding): (chunk: Uint8Array, last: boolean) => Uint8Array {
  if (encoding === "utf-8") return (chunk) => chunk;
  const decode = toText(encoding);
  const encoder = new TextEncoder();
  return (chunk, last) => encoder.encode(decode(chunk, last));
}

/** Where U+FFFD stands in UTF-8; -1 when it does not. */
function brokenAt(b: Uint8Array): number {
  for (let i = b.indexOf(0xef); i >= 0; i = b.indexOf(0xef, i + 1)) {
    if (b[i + 1] === 0xbf && b[i + 2] === 0xbd) return i;
  }
  return -1;
}

function warningsOf(facts: {
  /** Row of the first broken bytes; 0 when there are none. */
  readonly broken: number;
  readonly nulls: number;
  readonly strayQuotes: number;
  readonly escape: Escape;
}): string[] {
  const said: string[] = [];
  if (facts.broken > 0) {
    said.push(
      `第 ${facts.broken} 行起有损坏的文字，已显示为 �，请在检查时改正；如果到处都是 �，请换一种编码`,
    );
  }
  if (facts.escape === "backslash") {
    said.push('反斜杠按 MySQL 的写法读取：\\" 是双引号，\\\\ 是反斜杠');
  }
  if (facts.nulls > 0) said.push(`有 ${facts.nulls} 格写着 NULL 或 \\N，按空白处理`);
  if (facts.strayQuotes > 0) {
    said.push(`有 ${facts.strayQuotes} 个双引号的位置不合规则，已按原样保留，请核对这些内容`);
  }
  return said;
}

/** @throws AppError import.* */
export async function openCsv(
  blob: Blob,
  name: string,
  signal: AbortSignal,
  slices = SLICES,
): Promise<Reader> {
  const found = await detectText(blob, signal);
  // One column may be a list, but a text with the name of a workbook is more likely a message about why there is none.
  if (/\.(?:xls\w?|et|ett|ods|numbers)$/i.test(name) && !found.isTable) {
    throw new AppError("import.plain-text");
  }

  /** Encoding, delimiter and escape: those chosen in the source, else those detected. */
  function shapeOf(source: Source): {
    readonly encoding: Encoding;
    readonly delimiter: string;
    readonly escape: Escape;
  } {
    const encoding = source.encoding ?? found.encoding;
    const isFound =
      encoding === found.encoding && (source.delimiter ?? found.delimiter) === found.delimiter;
    const text = isFound ? "" : decodeHead(found.head, encoding, true);
    const delimiter =
      source.delimiter ?? (encoding === found.encoding ? found.delimiter : delimiterOf(text));
    const escape = source.escape ?? (isFound ? found.escape : escapeOf(text, delimiter));
    return { encoding, delimiter, escape };
  }

  function isReadable({ encoding }: Source): boolean {
    if (encoding === undefined) return !found.isGuess;
    const isFound = encoding === found.encoding && !found.isGuess;
    return isFound || isMostlyWhole(decodeHead(found.head, encoding, true));
  }

  /**
   * Reads the file piece by piece; the next piece is read meanwhile.
   *
   * @param onPiece gets a piece, whether it is the last one, and the file offset after it; returns false to stop reading
   */
  async function eachPiece(
    signal: AbortSignal,
    encoding: Encoding,
    onPiece: (piece: Uint8Array, last: boolean, at: number) => boolean,
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
      if (!onPiece(slice, at >= blob.size, at)) return;
    }
  }

  async function read(options: ReadOptions, onBatch: (batch: Batch) => void): Promise<ReadOutcome> {
    const { source, maxRows, onProgress, onStrings } = options;
    // A preview shows what a guess or a wrong choice makes of the text; nothing else may come of it.
    if (maxRows === Infinity && !isReadable(source)) throw new AppError("import.encoding");
    const { encoding, delimiter, escape } = shapeOf(source);
    onStrings?.(NO_STRINGS);
    let read = 0;
    let broken = 0;
    const builder = new BatchBuilder((batch) => {
      onBatch(batch);
      onProgress?.({ phase: "read", rows: builder.total, part: read / blob.size });
    });
    const tokens = new CsvTokens(builder, delimiter, maxRows);
    const plain = new PlainRecords(delimiter);
    const bytesOf = toUtf8(encoding);
    const mender = createUtf8Mender();
    const backslashes = escape === "backslash" ? new Backslashes(delimiter) : null;

    const isPlain = (bytes: Uint8Array): boolean =>
      maxRows === Infinity &&
      plain.canTake &&
      tokens.atStart &&
      !mender.isWaiting &&
      !bytes.includes(QUOTE);
    /** Takes the records of a piece that need no special care. @returns the bytes behind them */
    const takePlain = (bytes: Uint8Array): Uint8Array => {
      if (!isPlain(bytes)) return bytes;
      const taken = plain.readRecords(bytes, tokens.record);
      tokens.record += taken.records;
      if (taken.batch !== null) builder.adopt([taken.batch], taken.batch.width);
      return bytes.subarray(taken.bytes);
    };
    const feed = (bytes: Uint8Array, last: boolean): void => {
      if (backslashes === null) tokens.feed(bytes);
      else tokens.feed(takePlain(backslashes.feed(bytes, last)));
    };
    await eachPiece(options.signal, encoding, (chunk, last, at) => {
      let bytes = bytesOf(chunk, last);
      if (read === 0) {
        if (hasBom(bytes)) bytes = bytes.subarray(3);
        const said = SEP.exec(String.fromCharCode(...bytes.subarray(0, 7)))?.[0];
        if (said !== undefined) tokens.record = 2;
        bytes = bytes.subarray(said?.length ?? 0);
      }
      read = at;
      const isWhole = encoding === "utf-8";
      const firstBroken = isWhole ? -1 : brokenAt(bytes);
      if (backslashes === null && firstBroken < 0) bytes = takePlain(bytes);
      const mended = isWhole ? mender.mend(bytes, last) : { bytes, brokenAt: firstBroken };
      if (mended.brokenAt < 0) feed(mended.bytes, last);
      else {
        feed(mended.bytes.subarray(0, mended.brokenAt), false);
        if (broken === 0) broken = tokens.record;
        feed(mended.bytes.subarray(mended.brokenAt), last);
      }
      return !tokens.done;
    });
    tokens.finish();
    return {
      rows: builder.total,
      width: builder.width,
      strings: NO_STRINGS,
      date1904: false,
      formats: [],
      merges: [],
      warnings: warningsOf({
        broken,
        nulls: builder.nulls + plain.nulls,
        strayQuotes: tokens.strayQuotes,
        escape,
      }),
    };
  }

  async function readRows(
    options: Pick<ReadOptions, "source" | "signal">,
    onRows: (rows: RowValue[][]) => void,
  ): Promise<void> {
    const { encoding, delimiter, escape } = shapeOf(options.source);
    const rows = new CsvRows(delimiter);
    const decode = toText(encoding);
    const backslashes = escape === "backslash" ? new Backslashes(delimiter) : null;
    const encoder = new TextEncoder();
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    let first = true;
    await eachPiece(options.signal, encoding, (chunk, last) => {
      let text = decode(chunk, last);
      const said = first ? SEP.exec(text)?.[0] : undefined;
      if (said !== undefined) rows.record = 2;
      first = false;
      text = text.slice(said?.length ?? 0);
      if (backslashes !== null) {
        text = decoder.decode(backslashes.feed(encoder.encode(text), last), { stream: !last });
      }
      onRows(rows.feed(text, last));
      return true;
    });
  }

  return {
    opened: {
      kind: "csv",
      bytes: blob.size,
      sheets: [{ index: 0, name: "", hidden: false }],
      encoding: found.encoding,
      delimiter: found.delimiter,
      escape: found.escape,
      isGuess: found.isGuess,
    },
    read,
    readRows,
  };
}
