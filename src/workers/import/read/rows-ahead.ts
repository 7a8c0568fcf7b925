/**
 * Reads the rows of a sheet from a chunk of whole rows without knowing what came before. A chunk with anything unusual is left to
 * the thread that reads the sheet in order.
 */
import type { RowsPiece } from "../../../shared/protocol/read-ahead.ts";
import type { Batch, SheetStyles } from "../contracts.ts";
import { BatchBuilder } from "./builder.ts";
import { spells } from "./markup.ts";
import { RowTokens } from "./row-tokens.ts";

/** @returns the index after the last row that ends in b[from, to); -1 when none does */
export function endOfRows(b: Uint8Array, from: number, to: number): number {
  for (let i = b.lastIndexOf(60, to - 6); i >= from; i = b.lastIndexOf(60, i - 1)) {
    if (b[i + 1] === 47 && b[i + 5] === 62 && spells(b, i + 2, "row")) return i + 6;
    if (i === 0) break;
  }
  return -1;
}

/** Whether the row at i has a number. A row without one depends on the row before it. */
function isNumbered(b: Uint8Array, at: number): boolean {
  if (!spells(b, at, '<row r="')) return false;
  let i = at + 8;
  if (b[i] === 48) return false;
  while (b[i]! >= 48 && b[i]! <= 57) i += 1;
  return i > at + 8 && b[i] === 34;
}

/** @returns a function that reads b[0, end), which zeros must follow; null when the chunk depends on other bytes */
export function createRowsAhead(
  styles: SheetStyles,
): (b: Uint8Array, end: number) => RowsPiece | null {
  let batches: Batch[] = [];
  const fresh = (width?: number) => {
    const builder = new BatchBuilder((batch) => batches.push(batch), width);
    return { builder, rows: new RowTokens({ builder, ...styles }, 0) };
  };
  let reader = fresh();

  /** @returns whether b[0, end) consists of rows only */
  function readAll(b: Uint8Array, end: number): boolean {
    const { rows } = reader;
    let first = true;
    for (let i = 0; ;) {
      while (i < end && b[i]! <= 32) i += 1;
      if (i >= end) return !first;
      if (first ? !isNumbered(b, i) : !spells(b, i, "<row")) return false;
      if (b[i + 4]! > 32 && b[i + 4] !== 62 && b[i + 4] !== 47) return false;
      first = false;
      i = rows.row(b, i, end);
      if (i < 0) return false;
    }
  }

  return (b, end) => {
    batches = [];
    const { builder, rows } = reader;
    const { hiddenRows, formulas } = rows.seen;
    let alone = false;
    try {
      alone = readAll(b, end);
      if (alone) builder.flush();
    } catch {
      // The thread that reads in order meets the same fault and reports it.
      alone = false;
    }
    if (!alone) {
      reader = fresh(builder.stride);
      return null;
    }
    return {
      length: end,
      batches,
      width: builder.width,
      lastRow: rows.lastRow,
      maxShared: rows.maxShared,
      hiddenRows: rows.seen.hiddenRows - hiddenRows,
      formulas: rows.seen.formulas - formulas,
    };
  };
}
