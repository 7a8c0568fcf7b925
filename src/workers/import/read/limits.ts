/**
 * The limits of a file: far more than a person produces, far less than would exhaust the page's memory. They are checked while
 * reading, so that a zip bomb is stopped whatever sizes it declares.
 */
export const LIMITS = {
  /** Entries in a zip. */
  entries: 20_000,
  /** Bytes in a zip's central directory. */
  directory: 16 << 20,
  /** Inflated bytes of a part that is read as a whole (workbook, relations, styles). */
  part: 24 << 20,
  /** Inflated bytes of a sheet. */
  sheet: 2 ** 31,
  /** Inflated bytes of the shared strings. */
  strings: 2 ** 30,
  /** Shared strings. */
  stringCount: 2 ** 25,
  /** Inflated bytes per packed byte; checked only above `ratioFrom` bytes. */
  ratio: 300,
  ratioFrom: 48 << 20,
  /** Bytes of one row, including tags. */
  row: 8 << 20,
  /** UTF-8 bytes of one cell: 32,767 characters, the maximum in a spreadsheet. */
  cell: 32_767 * 3,
  rows: 1_048_576,
  columns: 500,
  /** Cells kept, including empty ones. */
  cells: 100_000_000,
  /** UTF-8 bytes of all texts kept. */
  text: 2 ** 30,
  /** Merged blocks that are kept. */
  merges: 100_000,
  sheets: 1000,
  styles: 1 << 20,
  /** Size and rows of an .xls, which is read as a whole. */
  xlsBytes: 64 << 20,
  xlsRows: 65_536,
} as const;
