/** Delimited text: every cell is text as it stands, so that no date and no telephone number is mangled. */
import { AppError } from "../../../shared/errors.ts";
import type { Batch, Reader, ReadOptions, ReadOutcome } from "../contracts.ts";
import { BatchBuilder } from "./builder.ts";
import { decodeHead, delimiterOf, detectText, type Encoding } from "./csv-detect.ts";
import { CsvTokens } from "./csv-tokens.ts";
import { checkSignal } from "./faults.ts";
import { NO_STRINGS } from "./strings.ts";
import { readSlice } from "./inflate.ts";

const SLICE = 1 << 19;
const FIRST_SLICE = 1 << 16;

/** UTF-8 of each chunk. @throws TypeError when the bytes are not of the encoding */
function toUtf8(encoding: Encoding): (chunk: Uint8Array, last: boolean) => Uint8Array {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const encoder = new TextEncoder();
  let first = true;
  return (chunk, last) => {
    const text = decoder.decode(chunk, { stream: !last });
    if (encoding !== "utf-8") return encoder.encode(text);
    const bom = first && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf;
    first = false;
    return bom ? chunk.subarray(3) : chunk;
  };
}

/** @throws AppError import.* */
export async function openCsv(blob: Blob, signal: AbortSignal): Promise<Reader> {
  const found = await detectText(blob, signal);

  async function read(
    { source, maxRows, signal, onProgress, onStrings }: ReadOptions,
    onBatch: (batch: Batch) => void,
  ): Promise<ReadOutcome> {
    const encoding = source.encoding ?? found.encoding;
    const guessed =
      encoding === found.encoding
        ? found.delimiter
        : delimiterOf(decodeHead(found.head, encoding, true));
    const delimiter = source.delimiter ?? guessed;
    onStrings?.(NO_STRINGS);
    let at = 0;
    const builder = new BatchBuilder((batch) => {
      onBatch(batch);
      onProgress?.({ phase: "read", rows: builder.total, part: at / blob.size });
    });
    const tokens = new CsvTokens(builder, delimiter, maxRows);
    const utf8 = toUtf8(encoding);
    let coming = readSlice(blob, 0, FIRST_SLICE);
    while (!tokens.done && at < blob.size) {
      const slice = await coming;
      checkSignal(signal);
      at += slice.length;
      if (slice.length === 0) break;
      if (at < blob.size && maxRows === Infinity) {
        coming = readSlice(blob, at, at + SLICE);
        coming.catch(() => undefined);
      } else coming = readSlice(blob, at, Math.min(blob.size, at + SLICE));
      let bytes;
      try {
        bytes = utf8(slice, at >= blob.size);
      } catch (cause) {
        throw new AppError("import.encoding", {
          message: `第 ${tokens.record} 行之后的文字编码无法识别，请另存为“CSV UTF-8”或 .xlsx 再导入`,
          details: { row: tokens.record, encoding },
          cause,
        });
      }
      if (at === slice.length) {
        // a line that tells spreadsheets the delimiter is no row
        const said = /^sep=.\r?\n/i.exec(String.fromCharCode(...bytes.subarray(0, 7)))?.[0];
        if (said !== undefined) {
          bytes = bytes.subarray(said.length);
          tokens.record = 2;
        }
      }
      tokens.feed(bytes);
    }
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
      warnings,
    };
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
  };
}
