/**
 * The rows of a table that are no rows of the import (docs/import.md#blank-rows): those in which no matched column shows anything, and
 * the rows at the end that sum up or sign the list, once the person has said so.
 */
import { isInvisible } from "../../../shared/domain/text-marks.ts";
import type { Column } from "./columns.ts";

export interface RowsOut {
  readonly count: number;
  /** Number of rows in which no matched column shows anything. */
  readonly blank: number;
  has(i: number): boolean;
  /** Index of the row at a place of the list of rows that stay. */
  rowAt(place: number): number;
  /** Leaves out these rows besides the blank ones. */
  leaveOut(others: readonly number[]): void;
}

/**
 * @param rows number of rows
 * @returns per row: 1 when no column shows anything in it, as in prepared rows that hold a serial number or blanks only
 */
export function findBlanks(rows: number, columns: readonly Column[]): Uint8Array {
  const isBlank = new Uint8Array(rows).fill(columns.length === 0 ? 0 : 1);
  for (const { ids, count, text } of columns) {
    const isSeen = new Uint8Array(count + 1);
    for (let id = 0; id < count; id += 1) isSeen[id + 1] = isInvisible(text(id)) ? 0 : 1;
    for (let i = 0; i < rows; i += 1) if (isSeen[ids[i]! + 1] === 1) isBlank[i] = 0;
  }
  return isBlank;
}

/** @param isBlank per row: 1 for a blank one */
export function createRowsOut(isBlank: Uint8Array): RowsOut {
  const isOut = isBlank.slice();
  const blank = isBlank.reduce((sum, one) => sum + one, 0);
  let count = blank;
  /** The rows that stay; null while all do, as in most tables. */
  let kept: Int32Array | null = null;
  function update(): void {
    count = isOut.reduce((sum, one) => sum + one, 0);
    kept = null;
    if (count === 0) return;
    kept = new Int32Array(isOut.length - count);
    for (let i = 0, at = 0; i < isOut.length; i += 1) {
      if (isOut[i] === 1) continue;
      kept[at] = i;
      at += 1;
    }
  }
  update();
  return {
    get count() {
      return count;
    },
    blank,
    has: (i) => isOut[i] === 1,
    rowAt: (place) => (kept === null ? place : kept[place]!),
    leaveOut(others) {
      isOut.set(isBlank);
      for (const i of others) isOut[i] = 1;
      update();
    },
  };
}
