/**
 * How much of each thing a file may hold: far more than a person makes, far less than takes the page's memory. A bomb meets one of
 * these while it is being read, whatever its sizes say.
 */
export const LIMITS = {
  /** Entries of a zip. */
  entries: 20_000,
  /** Bytes of a zip's central directory. */
  directory: 16 << 20,
  /** Inflated bytes of a part that is read whole (workbook, relations, styles). */
  part: 24 << 20,
  /** Inflated bytes of a sheet. */
  sheet: 2 ** 31,
  /** Inflated bytes of the shared strings. */
  strings: 2 ** 30,
  /** Shared strings. */
  stringCount: 2 ** 25,
  /** Inflated bytes for one packed byte; looked at once there are more than `ratioFrom` bytes. */
  ratio: 300,
  ratioFrom: 48 << 20,
  /** Bytes of one row, tags included. */
  row: 8 << 20,
  /** UTF-8 bytes of one cell: 32,767 characters, the most that a spreadsheet takes. */
  cell: 32_767 * 3,
  rows: 1_048_576,
  columns: 500,
  /** Cells kept, empty ones among them. */
  cells: 100_000_000,
  /** UTF-8 bytes of texts kept of all cells. */
  text: 2 ** 30,
  sheets: 1000,
  styles: 1 << 20,
  /** Size and rows of an .xls, which is read at once. */
  xlsBytes: 64 << 20,
  xlsRows: 65_536,
} as const;
export type Limits = { readonly [K in keyof typeof LIMITS]: number };
