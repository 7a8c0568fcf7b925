/** Counts the findings of a table in one pass over typed arrays, which takes less than a frame for a hundred thousand rows. */
import type { Checked } from "../../../shared/protocol/import-worker.ts";
import type { Column } from "./columns.ts";
import type { Contradicting } from "./contradicting.ts";
import { spoken, type Tally } from "./tally.ts";

/** Most lines about a column and a rule. */
const LINES = 100;

export interface Counted {
  readonly badRows: Int32Array;
  readonly warnedRows: Int32Array;
  readonly byRule: Checked["byRule"];
  /** Number of wrong cells of the row. */
  wrongIn(i: number): number;
}

export interface ToCount {
  readonly rows: number;
  readonly columns: readonly Column[];
  /** Per unique column: for each row that repeats a value, the first row with that value. */
  readonly doubles: ReadonlyMap<Column, ReadonlyMap<number, number>>;
  readonly contradicting: Contradicting;
  /** Rows that are nearly copies. */
  readonly copies: ReadonlyMap<number, number>;
  /** Whether a row is left out. */
  isOut(i: number): boolean;
  /** Rows about which the person is asked, and the finding that says so. */
  readonly asked: {
    readonly rows: readonly number[];
    readonly column: Column | undefined;
    readonly rule: string;
    readonly message: string;
  };
}

const WRONG = 1;
const NOTED = 2;

export function countFindings(given: ToCount): Counted {
  const { rows, columns, doubles, contradicting, copies, isOut, asked } = given;
  const wrongCells = new Uint16Array(rows);
  const warned = new Uint8Array(rows);
  const tallies = new Map<string, Tally>();
  const add = (
    column: Column,
    found: Omit<Tally, "column" | "cells" | "by">,
    cells: number,
    message: string,
  ): void => {
    const key = `${column.column}:${found.rule}`;
    const known = tallies.get(key) ?? { ...found, column: column.column, cells: 0, by: new Map() };
    known.cells += cells;
    known.by.set(message, (known.by.get(message) ?? 0) + cells);
    tallies.set(key, known);
  };
  const warning = true as const;

  for (const column of columns) {
    const { ids, count, hasNotes } = column;
    const kinds = new Uint8Array(count + 1);
    const hits = new Uint32Array(count + 1);
    for (let id = -1; id < count; id += 1) {
      if (column.wrong(id) !== null) kinds[id + 1] = WRONG;
      else if (hasNotes && column.note(id) !== null) kinds[id + 1] = NOTED;
    }
    for (let i = 0; i < rows; i += 1) {
      const at = ids[i]! + 1;
      const kind = kinds[at]!;
      if (kind === 0 || isOut(i)) continue;
      hits[at]! += 1;
      if (kind === WRONG) wrongCells[i]! += 1;
      else warned[i] = 1;
    }
    for (let at = 0; at < hits.length; at += 1) {
      if ((hits[at] ?? 0) < 1) continue;
      const wrong = column.wrong(at - 1);
      if (wrong !== null) add(column, { rule: wrong.rule }, hits[at]!, wrong.message);
      const note = wrong === null ? column.note(at - 1) : null;
      if (note !== null) add(column, { rule: note.rule, warning }, hits[at]!, note.message);
    }
    for (const i of doubles.get(column)?.keys() ?? []) {
      if (isOut(i)) continue;
      wrongCells[i]! += 1;
      add(column, { rule: "duplicate" }, 1, `${column.field.label}在文件中重复`);
    }
  }
  for (const [i, found] of contradicting.byRow) {
    if (isOut(i)) continue;
    for (const one of found) {
      const column = contradicting.columnOf(one.field);
      if (column === undefined) continue;
      if (one.warning === true) warned[i] = 1;
      else wrongCells[i]! += 1;
      const rule = "contradiction";
      add(column, one.warning === true ? { rule, warning } : { rule }, 1, one.message);
    }
  }
  for (const i of copies.keys()) warned[i] = 1;
  for (const i of asked.rows) {
    wrongCells[i]! += 1;
    if (asked.column !== undefined) add(asked.column, { rule: asked.rule }, 1, asked.message);
  }
  return {
    badRows: rowsWith(wrongCells),
    warnedRows: rowsWith(warned),
    byRule: [...tallies.values()]
      .sort((a, b) => Number(a.warning === true) - Number(b.warning === true) || b.cells - a.cells)
      .slice(0, LINES)
      .map(({ by, ...tally }) => ({ ...tally, message: spoken(by) })),
    wrongIn: (i) => wrongCells[i]!,
  };
}

function rowsWith(marks: Uint8Array | Uint16Array): Int32Array {
  let found = 0;
  for (let i = 0; i < marks.length; i += 1) if (marks[i]! > 0) found += 1;
  const rows = new Int32Array(found);
  for (let i = 0, at = 0; i < marks.length; i += 1) {
    if ((marks[i] ?? 0) < 1) continue;
    rows[at] = i;
    at += 1;
  }
  return rows;
}
