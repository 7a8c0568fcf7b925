/** Messages between the benchmark's page and its worker. */

export type ReaderName =
  | "this reader, lazy"
  | "this reader, rows"
  | "this reader, first 100 rows"
  | "native inflate alone"
  | "native decode alone"
  | "excel2json-wasm"
  | "hucre"
  | "hucre, streaming"
  | "@e965/xlsx"
  | "read-excel-file"
  | "papaparse"
  | "uDSV";

export interface Task {
  readonly reader: ReaderName;
  readonly file: File;
}

export interface Measured {
  /** Rows read, including the header; 0 where no rows are made. */
  readonly rows: number;
  /** A cell of the last row as text, to show that the reader read to the end. */
  readonly last: string;
  /** ms from the file to the last row. */
  readonly total: number;
  /** ms from the file to the first 100 rows. */
  readonly first: number;
}

export type Answer = { readonly measured: Measured } | { readonly error: string };

export interface PageResult {
  readonly measured: Measured;
  /** Longest task on the main thread while the worker read, ms. */
  readonly longestTask: number;
  readonly longestGap: number;
}
