/** Gives merged cells, and cells that say 同上, the content of the cell above. Nothing is copied: a row of such a column refers to another. */
import { isSameAsAbove, LONGEST_MARK } from "../../shared/domain/above.ts";
import { CELL, type CellKind, type Merge } from "./contracts.ts";

export interface FillSource {
  readonly rows: number;
  readonly width: number;
  kind(i: number, column: number): CellKind;
  bytes(i: number, column: number): Uint8Array;
  text(i: number, column: number): string;
  /** Index of the first row whose number in the file is at least this. */
  firstFrom(row: number): number;
  rowNumber(i: number): number;
}

/** Rows in which marks are looked for, to offer the filling. */
const LOOKED_AT = 200;

const isText = (kind: CellKind): boolean => kind === CELL.text || kind === CELL.shared;
const isMark = (source: FillSource, i: number, column: number): boolean =>
  isText(source.kind(i, column)) &&
  source.bytes(i, column).length <= LONGEST_MARK &&
  isSameAsAbove(source.text(i, column));

/** Whether some cell could be filled: merged cells below the header, and marks in the first rows. */
export function isFillable(source: FillSource, merges: readonly Merge[], first: number): boolean {
  const head = first < source.rows ? source.rowNumber(first) : Infinity;
  if (merges.some(({ top, bottom }) => top >= head && bottom > top)) return true;
  for (let i = first + 1; i < Math.min(source.rows, first + LOOKED_AT); i += 1) {
    for (let column = 0; column < source.width; column += 1) {
      if (isMark(source, i, column)) return true;
    }
  }
  return false;
}

/**
 * @param first index of the first row below the header; nothing is taken from above it
 * @returns the index of the row from which a cell takes its content: mostly its own
 */
export function createFill(
  source: FillSource,
  merges: readonly Merge[],
  first: number,
): (i: number, column: number) => number {
  const made = new Map<number, Int32Array>();

  function make(column: number): Int32Array {
    const from = Int32Array.from({ length: source.rows }, (_, i) => i);
    for (const merge of merges) {
      if (merge.column !== column) continue;
      const top = source.firstFrom(merge.top);
      if (top < first || top >= source.rows || source.rowNumber(top) !== merge.top) continue;
      for (let i = top + 1; i < source.rows && source.rowNumber(i) <= merge.bottom; i += 1) {
        if (source.kind(i, column) === CELL.empty) from[i] = top;
      }
    }
    for (let i = first + 1; i < source.rows; i += 1) {
      // The row above may itself be filled.
      if (from[i]! < i) from[i] = from[from[i]!]!;
      else if (isMark(source, i, column)) from[i] = from[i - 1]!;
    }
    made.set(column, from);
    return from;
  }
  return (i, column) => (made.get(column) ?? make(column))[i] ?? i;
}
