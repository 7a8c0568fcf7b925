/** Finds the header row: files often have titles and notes above it. */
import { CELL, type CellKind } from "./contracts.ts";

/** Rows that are searched. */
const LOOKED_AT = 30;

export interface HeaderSource {
  readonly rows: number;
  readonly width: number;
  kind(i: number, column: number): CellKind;
  text(i: number, column: number): string;
  rowNumber(i: number): number;
}

export interface Header {
  /** Its index among the rows with content; -1 when the row is blank. */
  readonly index: number;
  /** Its row number in the file. */
  readonly row: number;
  /** Index of the first row below it. */
  readonly below: number;
}

/**
 * @param wanted row number in the file; null: the first of the widest rows (60 % or more) that holds mostly words (80 % or more)
 */
export function findHeader(source: HeaderSource, wanted: number | null): Header {
  if (wanted !== null) {
    let low = 0;
    let high = source.rows;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (source.rowNumber(middle) < wanted) low = middle + 1;
      else high = middle;
    }
    const there = low < source.rows && source.rowNumber(low) === wanted;
    return { index: there ? low : -1, row: wanted, below: there ? low + 1 : low };
  }
  if (source.rows === 0) return { index: -1, row: 1, below: 0 };
  const looks = Array.from({ length: Math.min(LOOKED_AT, source.rows) }, (_, i) => look(source, i));
  const widest = Math.max(...looks.map((row) => row.filled));
  const wide = looks.map((row) => row.filled >= Math.max(1, 0.6 * widest));
  const named = looks.findIndex((row, i) => wide[i] && row.words >= 0.8 * row.filled);
  const index = Math.max(0, named >= 0 ? named : wide.indexOf(true));
  return { index, row: source.rowNumber(index), below: index + 1 };
}

/** A number, date, id or telephone number, as found below a header. */
const FIGURES = /^[\d\s.,:/+\-()%年月日]*[xX]?$/;

function look(source: HeaderSource, i: number): { filled: number; words: number } {
  let filled = 0;
  let words = 0;
  for (let column = 0; column < source.width; column += 1) {
    const kind = source.kind(i, column);
    if (kind === CELL.empty) continue;
    const text = source.text(i, column).trim();
    if (text === "") continue;
    filled += 1;
    const isText = kind === CELL.text || kind === CELL.shared;
    if (isText && text.length <= 60 && !FIGURES.test(text)) words += 1;
  }
  return { filled, words };
}
