/**
 * The table under its mapping: the findings of each row, kept up to date through edits, replacements and undo. Each change
 * recounts everything in one pass over typed arrays, which takes less than a frame for a hundred thousand rows.
 */
import type {
  CellIssue,
  Checked,
  Correction,
  TableView,
  TableWindow,
} from "../../../shared/protocol/import-worker.ts";
import { mappedFields } from "../../../shared/domain/import-fields.ts";
import { dayAt } from "../../../shared/domain/days.ts";
import { createRules } from "../../../shared/domain/import-rules.ts";
import type {
  AskTaken,
  CheckRequest,
  ColumnValues,
  TotalDecision,
} from "../../../shared/protocol/import-worker.ts";
import type { Table } from "../contracts.ts";
import { type Column, createColumn } from "./columns.ts";
import { findCopies } from "./copies.ts";
import { findDoubles } from "./doubles.ts";
import { createTaken } from "./taken.ts";
import { createContradicting } from "./contradicting.ts";
import { type Counted, countFindings } from "./counting.ts";
import { createMissing } from "./missing.ts";
import { type Change, toAll, undoing } from "./change.ts";
import { createRowsOut, findBlanks } from "./rows-out.ts";
import { createSpare } from "./spare.ts";
import { findTotals } from "./total.ts";
import { valuesOf } from "./values.ts";

/** Most steps that can be undone. */
const UNDO = 200;
const TAKEN = "已有在职员工使用";
const IS_TOTAL = "像是合计行或落款行，不是员工；请选择是否导入";
/** Most near-copies that are listed one by one. */
const TOLD = 20;

export interface CheckedTable {
  readonly columns: readonly Column[];
  readonly request: CheckRequest;
  /** Cells that differ from the file. They are part of the job's key. */
  readonly edits: readonly string[];
  tally(): Checked;
  window(view: TableView, from: number, count: number): TableWindow;
  values(column: number, limit: number): ColumnValues;
  /** @returns the number of cells that each of them changed; 0 for one whose row or column is gone */
  correct(corrections: readonly Correction[]): Promise<number[]>;
  undo(): void;
  /** Decides whether the rows at the end that sum up or sign the list are imported. */
  decideTotal(decision: TotalDecision): void;
  isBad(i: number): boolean;
  issues(i: number): CellIssue[];
}

/**
 * @param deps.breathe yields to the event loop; rejects when the work is cancelled
 * @param deps.now current time in ms since 1970, for the duration, and for days that can hardly be true
 */
export async function checkTable(
  table: Table,
  request: CheckRequest,
  askTaken: AskTaken,
  deps: {
    readonly breathe: () => Promise<void>;
    readonly now: () => number;
    readonly onProgress: (part: number) => void;
  },
): Promise<CheckedTable> {
  const began = deps.now();
  const { mapping, mode, context } = request;
  const rules = createRules(context, dayAt(began));
  const wanted = mappedFields(mapping, context);
  const columns: Column[] = [];
  for (const { column, field } of wanted) {
    await deps.breathe();
    columns.push(await createColumn(table, column, field, rules, TAKEN, deps.breathe));
    deps.onProgress(columns.length / (wanted.length + 1));
  }
  const unique = columns.filter(({ field }) => field.unique === true);
  const learnTaken = createTaken(unique, mode, askTaken, deps.breathe);
  if (unique.length > 0) await learnTaken();

  const { rows } = table;
  /** Per unique column: for each row that repeats a value, the first row with that value. */
  const doubles = new Map<Column, Map<number, number>>();
  const isBlank = findBlanks(rows, columns);
  const out = createRowsOut(isBlank);
  const totals = columns.length === 0 ? [] : findTotals(table, (i) => isBlank[i] === 1);
  let decision: TotalDecision = "ask";
  /** The column in which a finding about the whole row is shown. */
  const totalColumn = columns.find(({ column }) => column === totals[0]?.column) ?? columns[0];
  const isTotal = (i: number): boolean => totals.some((total) => total.i === i);
  const isOut = out.has;
  const isAsked = (i: number): boolean => decision === "ask" && isTotal(i);
  const contradicting = createContradicting(columns, rows);
  const findMissing = createMissing(columns, rows, rules);
  const spare = createSpare(columns, rows);
  let copies = new Map<number, number>();
  let counted: Counted;

  function count(): Counted {
    const at = totals.map(({ i }) => i);
    out.leaveOut(decision === "out" ? at : []);
    copies = findCopies(rows, columns, isOut);
    counted = countFindings({
      rows,
      columns,
      doubles,
      contradicting,
      copies,
      isOut,
      asked: {
        rows: decision === "ask" ? at : [],
        column: totalColumn,
        rule: "total",
        message: IS_TOTAL,
      },
    });
    return counted;
  }
  const searchDoubles = (column: Column): void =>
    void doubles.set(column, findDoubles(column, rows));
  for (const column of unique) searchDoubles(column);
  counted = count();
  const took = deps.now() - began;
  /** Per correction: what its cells had before. */
  const steps: Change[][] = [];
  const edited = new Map<string, string>();

  const columnAt = (column: number): Column | undefined =>
    columns.find((one) => one.column === column);

  /** The findings of a cell, the gravest first. */
  function findingsOf(column: Column, i: number): CellIssue[] {
    const at = column.column;
    if (isAsked(i) && column === totalColumn) {
      return [{ column: at, rule: "total", message: IS_TOTAL }];
    }
    const wrong = column.wrong(column.ids[i]!);
    if (wrong !== null) return [{ column: at, ...wrong }];
    const found: CellIssue[] = [];
    const first = doubles.get(column)?.get(i);
    if (first !== undefined) {
      const message = `${column.field.label}与第 ${table.rowNumber(first)} 行重复`;
      found.push({ column: at, rule: "duplicate", message });
    }
    for (const { field, message, meant, warning } of contradicting.byRow.get(i) ?? []) {
      if (field !== column.field.key) continue;
      const suggestion =
        meant !== undefined && field === "gender" ? rules.labelOf("gender", meant) : meant;
      found.push({
        column: at,
        rule: "contradiction",
        message,
        ...(suggestion === undefined ? {} : { suggestion }),
        ...(warning === true ? { warning } : {}),
      });
    }
    const note = column.note(column.ids[i]!);
    if (note !== null) {
      found.push({ column: at, rule: note.rule, message: note.message, warning: true });
    }
    const copied = column.field.key === "name" ? copies.get(i) : undefined;
    if (copied !== undefined) found.push(copyOf(column, copied));
    return found;
  }
  const issues = (i: number): CellIssue[] =>
    isOut(i) ? [] : columns.flatMap((column) => findingsOf(column, i));

  const copyOf = ({ column }: Column, first: number): CellIssue => ({
    column,
    rule: "copy",
    message: `与第 ${table.rowNumber(first)} 行几乎相同，又没有身份证号和工号，可能是同一个人`,
    warning: true,
  });

  function write(changes: readonly Change[]): void {
    steps.push(changes.map(undoing));
    if (steps.length > UNDO) steps.shift();
    for (const change of changes) setAll(change);
  }
  const setAll = ({ column, rows: at, ids }: Change): void => {
    for (const [k, i] of at.entries()) set(column, i, ids[k]!);
  };
  function set(column: Column, i: number, id: number): void {
    column.ids[i] = id;
    const place = `${i}:${column.column}`;
    // A cell that undo restored no longer differs from the file.
    if (table.ids(column.column).ids[i] === id) edited.delete(place);
    else edited.set(place, column.text(id));
    if (contradicting.involves(column)) contradicting.update(i);
  }
  async function settle(...changed: readonly Column[]): Promise<void> {
    const numbers = changed.filter(({ field }) => field.unique === true);
    if (numbers.length > 0) await learnTaken();
    for (const column of numbers) searchDoubles(column);
    count();
  }
  /** What a correction changes; empty when there is nothing to change. */
  function changesBy(correction: Correction): readonly Change[] {
    const column = columnAt(correction.column);
    if (column === undefined) return [];
    if (correction.kind === "spare") return spare.move(column, isOut);
    if (correction.kind === "edit") {
      const i = rowIndex(correction.row);
      return i < 0 ? [] : [toAll(column, [i], column.idOf(correction.value))];
    }
    const { from, to } = correction;
    if (from === to) return [];
    const ids = new Set(column.idsOf(from));
    const hit: number[] = [];
    for (let i = 0; i < rows; i += 1) if (!isOut(i) && ids.has(column.ids[i]!)) hit.push(i);
    return hit.length === 0 ? [] : [toAll(column, hit, column.idOf(to))];
  }
  /** Makes a correction without counting again. */
  function make(correction: Correction): readonly Change[] {
    const changes = changesBy(correction);
    if (changes.length > 0) write(changes);
    return changes;
  }
  const rowIndex = (row: number): number => {
    let low = 0;
    let high = rows - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const there = table.rowNumber(middle);
      if (there === row) return middle;
      if (there < row) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  };

  return {
    columns,
    request,
    get edits() {
      const cells = [...edited].map(([place, text]) => `${place}=${text}`).sort();
      return decision === "in" ? [...cells, "total=in"] : cells;
    },
    tally: () => ({
      rows: rows - out.count,
      blank: out.blank,
      good: rows - out.count - counted.badRows.length,
      bad: counted.badRows.length,
      warned: counted.warnedRows.length,
      byRule: counted.byRule,
      undo: steps.length,
      total:
        totals.length === 0
          ? null
          : {
              rows: totals.map(({ i, text }) => ({ row: table.rowNumber(i), text })),
              decision,
            },
      missing: findMissing(isOut),
      spare: spare.count(isOut),
      copies: {
        count: copies.size,
        rows: [...copies]
          .slice(0, TOLD)
          .map(([i, earlier]) => ({ row: table.rowNumber(i), earlier: table.rowNumber(earlier) })),
      },
      took,
    }),
    window(view, from, size) {
      const chosen = view === "all" ? null : view === "bad" ? counted.badRows : counted.warnedRows;
      const all = chosen?.length ?? rows - out.count;
      const shown = [];
      for (let at = from; at < Math.min(all, from + size); at += 1) {
        const i = chosen === null ? out.rowAt(at) : chosen[at]!;
        const cells = table.headers.map((_, c) => {
          const column = columnAt(c);
          return column === undefined ? table.text(i, c) : column.text(column.ids[i]!);
        });
        shown.push({ row: table.rowNumber(i), cells, issues: issues(i) });
      }
      return { total: all, from, rows: shown };
    },
    values(at, limit) {
      const column = columnAt(at);
      if (column === undefined) return [];
      return valuesOf(column, limit, isOut);
    },
    async correct(corrections) {
      const made = corrections.map(make);
      const changed = new Set(made.flatMap((changes) => changes.map(({ column }) => column)));
      if (changed.size > 0) await settle(...changed);
      return made.map((changes) => changes[0]?.rows.length ?? 0);
    },
    undo() {
      const step = steps.pop();
      if (step === undefined) return;
      for (const change of step) {
        setAll(change);
        if (change.column.field.unique === true) searchDoubles(change.column);
      }
      count();
    },
    decideTotal(wanted) {
      decision = wanted;
      count();
    },
    isBad: (i) => isOut(i) || counted.wrongIn(i) > 0,
    issues,
  };
}
