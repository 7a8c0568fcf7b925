/**
 * The interfaces between the parts of the import worker: readers make batches, the table keeps them, checks look at cells by
 * their bytes. No part decodes a text before it is needed.
 */
import type { CellFacts } from "../../shared/domain/import-rules.ts";
import type { RowsPiece } from "../../shared/protocol/read-ahead.ts";
import type { Opened, ReadProgress, Source } from "../../shared/protocol/import-worker.ts";

/** Kinds of a cell, as kept in Batch.kinds. */
export const CELL = {
  empty: 0,
  /** Index into the shared strings. */
  shared: 1,
  /** A text of the batch's own bytes (UTF-8). */
  text: 2,
  number: 3,
  /** A number whose style shows it as a day or a time. The value is the serial in the file's date system. */
  date: 4,
  /** 0 or 1. */
  bool: 5,
  /** An error value such as #N/A; its text is stored like that of kind `text`. */
  error: 6,
  /**
   * A number, day or time that its format shows in another way. `values` is an index into `numbers`; the style is in the next
   * entry.
   */
  shownNumber: 7,
  shownDate: 8,
  /** A shared string or a text that its format shows with more around it; kept as `shownNumber` is, with the index of the text. */
  shownShared: 9,
  shownText: 10,
} as const;
export type CellKind = (typeof CELL)[keyof typeof CELL];

/**
 * Rows of equal width in typed arrays; cell (r, c) is at r * width + c. Rows without any value are left out. A cell takes five
 * bytes, because a table of 500,000 rows is held as a whole.
 */
export interface Batch {
  readonly rows: number;
  readonly width: number;
  /** Per row: its number in the file; 1 is the first line. */
  readonly rowNumbers: Uint32Array;
  /** CellKind, with WIDE added when `values` holds an index into `numbers`. */
  readonly kinds: Uint8Array;
  /** Depends on the kind: index of the shared string; index into `ends`; the whole number or serial; 0 or 1. */
  readonly values: Int32Array;
  /** Numbers and serials that are not 32-bit integers. */
  readonly numbers: Float64Array;
  /** Where text k ends in `bytes`; it begins `gap` bytes after the end of text k - 1. */
  readonly ends: Uint32Array;
  /** 1 when the file's delimiters are kept between the texts. */
  readonly gap: 0 | 1;
  /** UTF-8. */
  readonly bytes: Uint8Array;
}
/** Added to the kinds number and date in Batch.kinds. */
export const WIDE = 16;

/** A block of merged cells below its topmost row: rows by their numbers in the file, the column by its index. */
export interface Merge {
  readonly top: number;
  readonly bottom: number;
  readonly column: number;
}

/** A cell as a JavaScript value; null when empty. Days and times are a Date in UTC. */
export type RowValue = string | number | boolean | Date | null;

/** Texts that cells refer to by index: bytes and offsets, decoded on demand. */
export interface SharedStrings {
  readonly count: number;
  text(index: number): string;
  /** UTF-8, valid until the next call. */
  bytes(index: number): Uint8Array;
}

export interface ReadOptions {
  readonly source: Source;
  /** Stop after this many rows (preview); Infinity reads all. */
  readonly maxRows: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: ReadProgress) => void;
  /** Called before the first batch if all shared strings are known by then: in a full read, not in a preview. */
  readonly onStrings?: (strings: SharedStrings) => void;
}

export interface ReadOutcome {
  readonly rows: number;
  /** Width of the widest row. */
  readonly width: number;
  readonly strings: SharedStrings;
  /** Whether serials count from 1904. */
  readonly date1904: boolean;
  /** Codes of the number formats, indexed by style. */
  readonly formats: readonly string[];
  /** Merged cells of several rows. Not known after a preview of a long sheet. */
  readonly merges: readonly Merge[];
  readonly warnings: readonly string[];
}

/** One implementation per kind of file. Throws AppError import.*, whose text a clerk understands. */
export interface Reader {
  readonly opened: Opened;
  /** Calls `onBatch` in the order of the file. */
  read(options: ReadOptions, onBatch: (batch: Batch) => void): Promise<ReadOutcome>;
  /** All rows as values, if the format has a shorter way than batches; `rowsFrom` of read/rows.ts uses either. */
  readonly readRows?: (
    options: Pick<ReadOptions, "source" | "signal">,
    onRows: (rows: RowValue[][]) => void,
  ) => Promise<void>;
}
/** The content of an entry in order: inflated bytes, or rows that were read from them. */
export interface Pieces<T> {
  /**
   * The piece is valid until the next call; null at the end. @throws AppError import.corrupt when the file can no longer be read,
   * another error for bad data
   */
  next(): Promise<T | null>;
  /** Gives the last piece again as bytes. For rows that another thread read but that do not fit here. */
  readonly back?: () => void;
  /** Idempotent; the caller need not wait for it. */
  close(): void;
}
/** Inflates raw deflate data. */
export type Inflate = (packed: Blob) => Pieces<Uint8Array>;

/** How a sheet's numbers are to be read. */
export interface SheetStyles {
  /** Per style: STYLE of read/formats.ts. */
  readonly styles: Uint8Array;
  readonly date1904: boolean;
}
/** A parallel thread that starts before its result is needed. */
export interface Ahead {
  readonly inflate: Inflate;
  /** A sheet's part as bytes; some pieces come as rows that were already read from the bytes in that place. */
  readonly sheet: (packed: Blob, styles: SheetStyles) => Pieces<Uint8Array | RowsPiece>;
}

/** Detects the kind by content, not by name. @throws AppError import.* */
export type OpenReader = (
  file: Blob,
  name: string,
  signal: AbortSignal,
  /** If omitted, this thread does all the work. */
  ahead?: Ahead,
) => Promise<Reader>;

/** The texts of a column by id. */
export interface ColumnIds {
  /** Per row: the id of its text; -1 when empty. */
  readonly ids: Int32Array;
  readonly count: number;
  text(id: number): string;
  /** The texts of all ids. Decodes them together, which takes a tenth of the time of `text` for each. */
  texts(): string[];
}

/**
 * The whole file below its header row. Row indexes i start at 0. A number of more than 15 digits has lost digits in the file (for
 * example an 18-digit id that a spreadsheet stored as a number), so its id never equals that of a text.
 */
export interface Table {
  readonly rows: number;
  readonly headers: readonly string[];
  readonly date1904: boolean;
  rowNumber(i: number): number;
  /** A shownNumber is reported as number, a shownDate as date, a shownShared or shownText as text. */
  kind(i: number, column: number): CellKind;
  /** What the rules need beyond the text. */
  facts(i: number, column: number): CellFacts;
  /** Number, date serial or bool; for a shared string its index. */
  value(i: number, column: number): number;
  /** UTF-8 of the kinds shared, text and error; valid until the next call. */
  bytes(i: number, column: number): Uint8Array;
  /** As a person reads it: by its format if it has one, else days as YYYY-MM-DD and numbers without exponent; "" when empty. */
  text(i: number, column: number): string;
  /** Number of cells of the column that are not empty. */
  filled(column: number): number;
  /**
   * Equal ids in a column mean equal texts; -1 when empty. Built on first use of a column; used to judge each text once and to
   * find duplicates.
   */
  ids(column: number): ColumnIds;
}
/** The result of createTable: the table and how its header was found. */
export interface ReadTable extends Table {
  /** Row of the headers in the file. */
  readonly headerRow: number;
  /** Last row of the headers. */
  readonly headerEnd: number;
  /** Whether `fill` changes or would change a cell, as far as merges and the first rows tell. */
  readonly isFillable: boolean;
  /** User texts about headers that are empty or double. */
  readonly warnings: readonly string[];
}
