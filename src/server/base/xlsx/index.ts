/**
 * Exports as .xlsx: one sheet, streamed, with memory use independent of the number of rows. Rows are pulled as the client
 * reads, so they can come page by page from the database. When the client disconnects, the row iterator is closed.
 */
import { Readable } from "node:stream";
import type { Logger } from "pino";
import { type CellValue, writeWorkbook, XLSX_TYPE } from "../../../shared/xlsx/workbook.ts";
import { zlibDeflate } from "./deflate.ts";

export type { CellValue } from "../../../shared/xlsx/workbook.ts";

export interface Column<Row> {
  /** Shown in the first row. */
  readonly title: string;
  readonly value: (row: Row) => CellValue;
  /** In characters; default 16. */
  readonly width?: number;
}

type Rows<Row> = AsyncIterable<Row> | Iterable<Row>;

/**
 * @param sheetName at most 31 characters, none of `[]:*?/\`
 * @returns bytes of the workbook; destroyed with the error that `rows` throws
 */
export function writeXlsx<Row>(
  columns: readonly Column<Row>[],
  rows: Rows<Row>,
  sheetName = "Sheet1",
): Readable {
  const sheet = { name: sheetName, columns, rows: cells(columns, rows) };
  return Readable.from(writeWorkbook(sheet, zlibDeflate), { objectMode: false });
}

async function* cells<Row>(
  columns: readonly Column<Row>[],
  rows: Rows<Row>,
): AsyncGenerator<CellValue[]> {
  for await (const row of rows) yield columns.map(({ value }) => value(row));
}

/**
 * The download response of an export. The first row is read before the response starts, so that a failing query gives an error
 * response instead of a truncated file.
 *
 * @param fileName with its extension, any characters
 * @param log of the request (`c.var.log`): logs a failure after the first row, which truncates the download
 * @throws the error of reading the first row
 */
export async function xlsxResponse<Row>(
  fileName: string,
  columns: readonly Column<Row>[],
  rows: Rows<Row>,
  log: Pick<Logger, "error">,
): Promise<Response> {
  const primed = await prime(rows, log);
  const stream = writeXlsx(columns, primed.rows);
  // The iterator has started, so close it with the stream even if the stream never read from it.
  stream.once("close", primed.close);
  return new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, {
    headers: {
      "content-type": XLSX_TYPE,
      "content-disposition": contentDisposition(fileName),
      "cache-control": "no-store",
    },
  });
}

/**
 * Fetches rows in pieces. Each piece is a separate query for the rows after the last one, so nothing stays open while the
 * client reads slowly.
 *
 * @param fetch returns the next rows in order, at most `limit`; `last` is null at the beginning
 */
export async function* inPieces<Row>(
  limit: number,
  fetch: (last: Row | null, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<Row> {
  for (let last: Row | null = null; ;) {
    const rows = await fetch(last, limit);
    yield* rows;
    last = rows.at(-1) ?? null;
    if (rows.length < limit) return;
  }
}

/** RFC 6266: the name in UTF-8, and an ASCII name for older clients. */
export function contentDisposition(fileName: string): string {
  // A lone surrogate has no UTF-8 form.
  const name = Buffer.from(fileName).toString();
  const ascii = name.replaceAll(/[^\w.\- ]/g, "_");
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** @returns all rows, the first of which is already read; close is idempotent */
async function prime<Row>(
  rows: Rows<Row>,
  log: Pick<Logger, "error">,
): Promise<{ readonly rows: AsyncGenerator<Row>; close(): void }> {
  const iterator =
    Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]();
  const first = await iterator.next();
  const close = async (): Promise<void> => {
    await iterator.return?.();
  };
  return {
    rows: (async function* () {
      try {
        for (let at = first; at.done !== true; at = await iterator.next()) yield at.value;
      } catch (error) {
        log.error({ err: error }, "an export broke off");
        // oxlint-disable-next-line preserve-caught-error -- the HTTP server prints what breaks a stream, and a failed query names its values
        throw new Error("the rows of the export failed");
      }
    })(),
    // Ignore errors after the reader has gone.
    close: () => void close().catch(() => undefined),
  };
}
