/**
 * What the rooms of the import worker know of each other: readers make batches, the table keeps them, checking looks at cells by
 * their bytes. Nothing here decodes a text that nobody looks at.
 */
import type { CellFacts } from "../../shared/domain/import-rules.ts";
import type { RowsPiece } from "../../shared/protocol/read-ahead.ts";
import type { RowValue } from "./read/rows.ts";
import type { Opened, ReadProgress, Source } from "../../shared/protocol/import-worker.ts";

/** Kinds of a cell, as kept in Batch.kinds. */
export const CELL = {
  empty: 0,
  /** Index into the shared strings. */
  shared: 1,
  /** A text of the batch's own bytes (UTF-8). */
  text: 2,
  number: 3,
  /** A number that its style shows as a day or a time: the serial in the file's date system. */
  date: 4,
  /** 0 or 1. */
  bool: 5,
  /** An error value such as #N/A; its text as of kind text. */
  error: 6,
  /** A number, or a day or a time, that its format shows otherwise: index in `numbers` of it, its style is the next one. */
  shownNumber: 7,
  shownDate: 8,
} as const;
export type CellKind = (typeof CELL)[keyof typeof CELL];

/**
 * Rows of equal width in typed arrays; cell (r, c) is at r * width + c. Rows without any value are left out. Five bytes a cell,
 * since a table of 500,000 rows is held whole.
 */
export interface Batch {
  readonly rows: number;
  readonly width: number;
  /** Row in the file (1 is its first line) of each. */
  readonly rowNumbers: Uint32Array;
  /** CellKind, with WIDE added when `values` holds an index into `numbers`. */
  readonly kinds: Uint8Array;
  /** By kind: index of the shared string; index into `ends`; the whole number or serial; 0 or 1. */
  readonly values: Int32Array;
  /** Numbers and serials that are no 32-bit integer. */
  readonly numbers: Float64Array;
  /** Where text k ends in `bytes`; it begins `gap` bytes behind the end of text k - 1. */
  readonly ends: Uint32Array;
  /** 1: the delimiters of the file stand between the texts. */
  readonly gap: 0 | 1;
  /** UTF-8. */
  readonly bytes: Uint8Array;
}
/** Added to the kinds number and date in Batch.kinds. */
export const WIDE = 16;

/** Texts that cells name by index: bytes and offsets, decoded when asked. */
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
  /** Called before the first batch when the strings are all there by then: in a whole read, not in a preview. */
  readonly onStrings?: (strings: SharedStrings) => void;
}

export interface ReadOutcome {
  readonly rows: number;
  /** Widest row. */
  readonly width: number;
  readonly strings: SharedStrings;
  /** Whether serials count from 1904. */
  readonly date1904: boolean;
  /** Codes of the number formats, by style. */
  readonly formats: readonly string[];
  readonly warnings: readonly string[];
}

/** One for each kind of file. Throws AppError import.* in words a clerk understands. */
export interface Reader {
  readonly opened: Opened;
  /** Calls `onBatch` in the order of the file. */
  read(options: ReadOptions, onBatch: (batch: Batch) => void): Promise<ReadOutcome>;
  /** All rows as values, where there is a shorter way to them than by batches; `rowsFrom` of read/rows.ts takes either. */
  readonly readRows?: (
    options: Pick<ReadOptions, "source" | "signal">,
    onRows: (rows: RowValue[][]) => void,
  ) => Promise<void>;
}
/** What comes of an entry, in its order: inflated bytes, or what was read from them. */
export interface Pieces<T> {
  /** Valid until the next call; null at the end. @throws AppError import.corrupt when the file can no longer be read, any other error for bad data */
  next(): Promise<T | null>;
  /** What came last comes again, as bytes; for what was read from bytes elsewhere. */
  readonly back?: () => void;
  /** Idempotent; no need to wait. */
  close(): void;
}
/** Raw deflate. */
export type Inflate = (packed: Blob) => Pieces<Uint8Array>;

/** How a sheet's numbers are to be taken. */
export interface SheetStyles {
  /** By style: STYLE of read/formats.ts. */
  readonly styles: Uint8Array;
  readonly date1904: boolean;
}
/** A thread beside this one that begins before it is asked. */
export interface Ahead {
  readonly inflate: Inflate;
  /** A sheet's part: bytes, and now and then the rows of the bytes that would have come. */
  readonly sheet: (packed: Blob, styles: SheetStyles) => Pieces<Uint8Array | RowsPiece>;
}

/** Tells the kind by content, not by name. @throws AppError import.* */
export type OpenReader = (
  file: Blob,
  name: string,
  signal: AbortSignal,
  /** All is done here when left out. */
  ahead?: Ahead,
) => Promise<Reader>;

/**
 * The whole file below its header row. Row indexes i from 0. A number of more than 15 digits has lost some in the file (an 18-digit id
 * that a spreadsheet took for a number), and its id is never that of a text.
 */
export interface Table {
  readonly rows: number;
  readonly headers: readonly string[];
  readonly date1904: boolean;
  rowNumber(i: number): number;
  /** shownNumber is number, shownDate is date. */
  kind(i: number, column: number): CellKind;
  /** Beyond the text, for the rules. */
  facts(i: number, column: number): CellFacts;
  /** Number, date serial, bool; shared index. */
  value(i: number, column: number): number;
  /** UTF-8 of kinds shared, text, error; valid until the next call. */
  bytes(i: number, column: number): Uint8Array;
  /** As a person reads it: by its format, otherwise days as YYYY-MM-DD and numbers without exponent; "" when empty. */
  text(i: number, column: number): string;
  /** Equal ids in a column are equal texts; -1 when empty. Made on first use of a column. For remembered verdicts and duplicates. */
  ids(column: number): {
    readonly ids: Int32Array;
    readonly count: number;
    text(id: number): string;
  };
}
/** What createTable makes: the table, and how it was found. */
export interface ReadTable extends Table {
  /** Row in the file of the headers. */
  readonly headerRow: number;
  /** In words: headers that are empty or double. */
  readonly warnings: readonly string[];
}
