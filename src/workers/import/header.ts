/** Finds the header rows: files often have titles and notes above them, and headers in two rows where cells are merged. */
import { CELL, type CellKind } from "./contracts.ts";

/** Rows that are searched. */
const LOOKED_AT = 30;
/** Most rows of headers that are found. The person can name more. */
const DEEPEST = 3;
/** Between a group's header and the header of its column, as in 紧急联系人 › 电话. */
export const LEVELS = " › ";

export interface HeaderSource {
  readonly rows: number;
  readonly width: number;
  kind(i: number, column: number): CellKind;
  text(i: number, column: number): string;
  rowNumber(i: number): number;
}

export interface Header {
  /** Index of its first row among the rows with content; -1 when that row is blank. */
  readonly index: number;
  /** Number of its first row in the file. */
  readonly row: number;
  /** Number of its last row in the file. */
  readonly end: number;
  /** Index of the first row below it. */
  readonly below: number;
}

/**
 * @param wanted row number in the file; null: the first of the widest rows (60 % or more) that holds mostly words (80 % or more)
 * @param wantedEnd last row of the headers in the file; null: it is found by `endOf`
 */
export function findHeader(
  source: HeaderSource,
  wanted: number | null,
  wantedEnd: number | null = null,
): Header {
  const index = indexOf(source, wanted);
  const row = wanted ?? (index < 0 ? 1 : source.rowNumber(index));
  if (index < 0) {
    const end = Math.max(row, wantedEnd ?? row);
    return { index, row, end, below: wanted === null ? 0 : firstFrom(source, end + 1) };
  }
  if (wantedEnd !== null && wantedEnd > row) {
    return { index, row, end: wantedEnd, below: firstFrom(source, wantedEnd + 1) };
  }
  const last = wantedEnd === null ? endOf(source, index) : index;
  return { index, row, end: source.rowNumber(last), below: last + 1 };
}

/** Index of the first row whose number is at least this. */
export function firstFrom(source: HeaderSource, row: number): number {
  let low = 0;
  let high = source.rows;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (source.rowNumber(middle) < row) low = middle + 1;
    else high = middle;
  }
  return low;
}

function indexOf(source: HeaderSource, wanted: number | null): number {
  if (wanted !== null) {
    const at = firstFrom(source, wanted);
    return at < source.rows && source.rowNumber(at) === wanted ? at : -1;
  }
  if (source.rows === 0) return -1;
  const looks = Array.from({ length: Math.min(LOOKED_AT, source.rows) }, (_, i) => look(source, i));
  const widest = Math.max(...looks.map((row) => row.filled));
  const wide = looks.map((row) => row.filled >= Math.max(1, 0.6 * widest));
  const named = looks.findIndex((row, i) => wide[i] && row.words >= 0.8 * row.filled);
  let first = Math.max(0, named >= 0 ? named : wide.indexOf(true));
  // Groups fill few cells of their row, so the row of their columns is found first.
  for (let depth = 1; depth < DEEPEST && isGroupRow(source, first - 1); depth += 1) first -= 1;
  return first;
}

/** A number, date, id or telephone number, as found below a header. */
const FIGURES = /^[\d\s.,:/+\-()%年月日]*[xX]?$/;
const isWord = (kind: CellKind, text: string): boolean =>
  (kind === CELL.text || kind === CELL.shared) && text.length <= 60 && !FIGURES.test(text);

function look(source: HeaderSource, i: number): { filled: number; words: number } {
  let filled = 0;
  let words = 0;
  for (let column = 0; column < source.width; column += 1) {
    const kind = source.kind(i, column);
    if (kind === CELL.empty) continue;
    const text = source.text(i, column).trim();
    if (text === "") continue;
    filled += 1;
    if (isWord(kind, text)) words += 1;
  }
  return { filled, words };
}

/** Most characters of a header in one of several rows of them. A longer text is a note. */
const LONGEST = 20;

/**
 * Whether row i names groups of the columns that the row below names: it has words only, at least two of them. Each is a group of at
 * least two columns that have names of their own, or the name of a column without another one.
 */
function isGroupRow(source: HeaderSource, i: number): boolean {
  if (i < 0 || source.rowNumber(i) + 1 !== source.rowNumber(i + 1)) return false;
  const above = textsOf(source, i);
  const below = textsOf(source, i + 1);
  const starts = [...above.keys()].filter((c) => above[c] !== "");
  let groups = 0;
  for (const [at, c] of starts.entries()) {
    const text = above[c] ?? "";
    const isName = text.length <= LONGEST && !/[:：]/.test(text);
    if (!isName || !isWord(source.kind(i, c), text)) return false;
    if (below[c] === "") continue;
    const end = starts[at + 1] ?? source.width;
    if (end < c + 2 || below[c + 1] === "") return false;
    groups += 1;
  }
  return starts.length >= 2 && groups > 0;
}

/** Index of the last header row below the first one. */
function endOf(source: HeaderSource, first: number): number {
  let last = first;
  while (last + 1 < source.rows && last + 1 - first < DEEPEST) {
    if (!isSecond(source, last) && !(isGroupRow(source, last) && isNames(source, last + 1))) break;
    last += 1;
  }
  return last;
}

/** Whether the row has short words only, as headers are. */
function isNames(source: HeaderSource, i: number): boolean {
  const texts = textsOf(source, i);
  return texts.every(
    (text, c) => text === "" || (isWord(source.kind(i, c), text) && text.length <= LONGEST),
  );
}

/**
 * Whether the row below row i names the columns of groups: it has words only, all of them below a group, and nothing below the
 * other headers. A group is a header whose neighbour to the right is blank, as merged cells are.
 */
function isSecond(source: HeaderSource, i: number): boolean {
  const above = textsOf(source, i);
  const below = textsOf(source, i + 1);
  let isGroup = false;
  let blanks = 0;
  let single = 0;
  for (let c = 0; c < source.width; c += 1) {
    const text = below[c] ?? "";
    if (above[c] !== "") {
      isGroup = (above[c + 1] ?? "") === "" && (below[c + 1] ?? "") !== "";
      if (!isGroup && text === "") single += 1;
    }
    if (text === "") continue;
    if (!isGroup || !isWord(source.kind(i + 1, c), text) || text.length > LONGEST) return false;
    if (above[c] === "") blanks += 1;
  }
  return blanks > 0 && single > 0;
}

const textsOf = (source: HeaderSource, i: number): string[] =>
  Array.from({ length: source.width }, (_, c) => source.text(i, c).trim());

/** The name of each column; of a column below a group the names of both. */
export function headerTexts(source: HeaderSource, { index, below }: Header): string[] {
  if (index < 0) return Array.from({ length: source.width }, () => "");
  let names = textsOf(source, index);
  for (let i = index + 1; i < below; i += 1) {
    const own = textsOf(source, i);
    let group = "";
    names = names.map((name, c) => {
      if (name !== "") group = name;
      const text = own[c] ?? "";
      if (text === "" || text === name) return name;
      return group === "" ? text : group + LEVELS + text;
    });
  }
  return names;
}
