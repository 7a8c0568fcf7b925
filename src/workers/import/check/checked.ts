/**
 * The table under its mapping: the findings of each row, kept up to date through edits, replacements and undo. Each change
 * recounts everything in one pass over typed arrays, which takes less than a frame for a hundred thousand rows.
 */
import type { CellIssue, Checked, TableWindow } from "../../../shared/protocol/import-worker.ts";
import { allFields } from "../../../shared/domain/import-fields.ts";
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
import { findTotal } from "./total.ts";
import { spoken, type Tally } from "./tally.ts";

/** Most steps that can be undone. */
const UNDO = 200;
const TAKEN = "已有在职员工使用";
const IS_TOTAL = "像是合计行，不是员工；请选择是否导入这一行";
/** Most near-copies that are listed one by one. */
const TOLD = 20;

interface Step {
  readonly column: Column;
  readonly rows: Int32Array;
  readonly ids: Int32Array;
}

export interface CheckedTable {
  readonly columns: readonly Column[];
  readonly request: CheckRequest;
  /** Cells that differ from the file. They are part of the job's key. */
  readonly edits: readonly string[];
  tally(): Checked;
  window(view: "bad" | "all", from: number, count: number): TableWindow;
  values(column: number, limit: number): ColumnValues;
  edit(row: number, column: number, value: string): Promise<void>;
  /** @returns the number of changed cells */
  replace(column: number, from: string, to: string): Promise<number>;
  undo(): void;
  /** Decides whether the total row at the end of the list is imported. */
  decideTotal(decision: TotalDecision): void;
  isBad(i: number): boolean;
  issues(i: number): CellIssue[];
}

/**
 * @param deps.breathe yields to the event loop; rejects when the work is cancelled
 * @param deps.now current time in ms, to measure the duration
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
  const rules = createRules(context);
  const fields = new Map(allFields(context).map((field) => [field.key, field]));
  const wanted = mapping.flatMap((key, column) => {
    const field = key === null ? undefined : fields.get(key);
    return field === undefined ? [] : [{ column, field }];
  });
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
  const wrongCells = new Uint16Array(rows);
  let badRows = new Int32Array(0);
  let byRule: Checked["byRule"] = [];
  /** Per unique column: for each row that repeats a value, the first row with that value. */
  const doubles = new Map<Column, Map<number, number>>();
  const total = columns.length === 0 ? null : findTotal(table);
  let decision: TotalDecision = "ask";
  /** The column in which a finding about the whole row is shown. */
  const totalColumn = columns.find(({ column }) => column === total?.column) ?? columns[0];
  const isOut = (i: number): boolean => decision === "out" && i === total?.i;
  const isAsked = (i: number): boolean => decision === "ask" && i === total?.i;
  let copies = new Map<number, number>();

  function count(): void {
    wrongCells.fill(0);
    const out = decision === "out" ? total?.i : undefined;
    const tallies = new Map<string, Tally>();
    const add = (column: Column, rule: string, message: string, cells: number): void => {
      const key = `${column.column}:${rule}`;
      const known = tallies.get(key) ?? { column: column.column, rule, cells: 0, by: new Map() };
      known.cells += cells;
      known.by.set(message, (known.by.get(message) ?? 0) + cells);
      tallies.set(key, known);
    };
    for (const column of columns) {
      const bad = new Uint8Array(column.count + 1);
      const hits = new Uint32Array(column.count + 1);
      for (let id = -1; id < column.count; id += 1) {
        if (column.wrong(id) !== null) bad[id + 1] = 1;
      }
      const { ids } = column;
      for (let i = 0; i < rows; i += 1) {
        const at = ids[i]! + 1;
        if (bad[at] === 1 && i !== out) {
          wrongCells[i]! += 1;
          hits[at]! += 1;
        }
      }
      for (let at = 0; at < hits.length; at += 1) {
        const wrong = hits[at]! > 0 ? column.wrong(at - 1) : null;
        if (wrong !== null) add(column, wrong.rule, wrong.message, hits[at]!);
      }
      for (const i of doubles.get(column)?.keys() ?? []) {
        if (i === out) continue;
        wrongCells[i]! += 1;
        add(column, "duplicate", `${column.field.label}在文件中重复`, 1);
      }
    }
    if (total !== null && decision !== "in") {
      wrongCells[total.i] = decision === "ask" ? wrongCells[total.i]! + 1 : 0;
      if (decision === "ask" && totalColumn !== undefined) add(totalColumn, "total", IS_TOTAL, 1);
    }
    copies = findCopies(rows, columns, isOut);
    let found = 0;
    for (let i = 0; i < rows; i += 1) if (wrongCells[i]! > 0) found += 1;
    badRows = new Int32Array(found);
    for (let i = 0, at = 0; i < rows; i += 1) {
      if (wrongCells[i]! > 0) {
        badRows[at] = i;
        at += 1;
      }
    }
    byRule = [...tallies.values()]
      .sort((a, b) => b.cells - a.cells)
      .slice(0, 100)
      .map(({ by, ...tally }) => ({ ...tally, message: spoken(by) }));
  }
  const searchDoubles = (column: Column): void =>
    void doubles.set(column, findDoubles(column, rows));
  for (const column of unique) searchDoubles(column);
  count();
  const took = deps.now() - began;
  const steps: Step[] = [];
  const edited = new Map<string, string>();

  const outRows = (): number => (decision === "out" && total !== null ? 1 : 0);
  const columnAt = (column: number): Column | undefined =>
    columns.find((one) => one.column === column);

  const issues = (i: number): CellIssue[] =>
    columns.flatMap((column): CellIssue[] => {
      if (isOut(i)) return [];
      if (isAsked(i) && column === totalColumn) {
        return [{ column: column.column, rule: "total", message: IS_TOTAL }];
      }
      const copied = column.field.key === "name" ? copies.get(i) : undefined;
      const wrong = column.wrong(column.ids[i]!);
      if (wrong !== null) return [{ column: column.column, ...wrong }];
      const first = doubles.get(column)?.get(i);
      if (first === undefined) return copied === undefined ? [] : [copyOf(column, copied)];
      const message = `${column.field.label}与第 ${table.rowNumber(first)} 行重复`;
      return [{ column: column.column, rule: "duplicate", message }];
    });

  const copyOf = ({ column }: Column, first: number): CellIssue => ({
    column,
    rule: "copy",
    message: `与第 ${table.rowNumber(first)} 行几乎相同，又没有身份证号和工号，可能是同一个人`,
    warning: true,
  });

  function write(column: Column, at: readonly number[], id: number): void {
    const before = Int32Array.from(at, (i) => column.ids[i]!);
    steps.push({ column, rows: Int32Array.from(at), ids: before });
    if (steps.length > UNDO) steps.shift();
    for (const i of at) set(column, i, id);
  }
  function set(column: Column, i: number, id: number): void {
    column.ids[i] = id;
    const place = `${i}:${column.column}`;
    // A cell that undo restored no longer differs from the file.
    if (table.ids(column.column).ids[i] === id) edited.delete(place);
    else edited.set(place, column.text(id));
  }
  async function settle(column: Column): Promise<void> {
    if (column.field.unique === true) {
      await learnTaken();
      searchDoubles(column);
    }
    count();
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
      rows: rows - outRows(),
      good: rows - outRows() - badRows.length,
      bad: badRows.length,
      byRule,
      undo: steps.length,
      total: total === null ? null : { row: table.rowNumber(total.i), text: total.text, decision },
      copies: {
        count: copies.size,
        rows: [...copies]
          .slice(0, TOLD)
          .map(([i, of]) => ({ row: table.rowNumber(i), of: table.rowNumber(of) })),
      },
      took,
    }),
    window(view, from, size) {
      const all = view === "bad" ? badRows.length : rows - outRows();
      const shown = [];
      for (let at = from; at < Math.min(all, from + size); at += 1) {
        const behind = decision === "out" && total !== null && at >= total.i ? 1 : 0;
        const i = view === "bad" ? badRows[at]! : at + behind;
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
      const counts = new Uint32Array(column.count + 1);
      for (let i = 0; i < rows; i += 1) counts[column.ids[i]! + 1]! += 1;
      const found = new Map<string, ColumnValues[number]>();
      for (let id = -1; id < column.count; id += 1) {
        const times = counts[id + 1]!;
        if (times === 0) continue;
        const wrong = column.wrong(id);
        const value = column.text(id);
        found.set(value, {
          value,
          rows: (found.get(value)?.rows ?? 0) + times,
          message: wrong?.message ?? null,
          suggestion: wrong?.suggestion ?? null,
        });
      }
      return [...found.values()]
        .sort((a, b) => Number(b.message !== null) - Number(a.message !== null) || b.rows - a.rows)
        .slice(0, limit);
    },
    async edit(row, at, value) {
      const column = columnAt(at);
      const i = rowIndex(row);
      if (column === undefined || i < 0) return;
      write(column, [i], column.idOf(value));
      await settle(column);
    },
    async replace(at, from, to) {
      const column = columnAt(at);
      if (column === undefined || from === to) return 0;
      const ids = new Set(column.idsOf(from));
      const hit: number[] = [];
      for (let i = 0; i < rows; i += 1) if (ids.has(column.ids[i]!)) hit.push(i);
      if (hit.length === 0) return 0;
      write(column, hit, column.idOf(to));
      await settle(column);
      return hit.length;
    },
    undo() {
      const step = steps.pop();
      if (step === undefined) return;
      for (const [k, i] of step.rows.entries()) set(step.column, i, step.ids[k]!);
      if (step.column.field.unique === true) searchDoubles(step.column);
      count();
    },
    decideTotal(wanted) {
      decision = wanted;
      count();
    },
    isBad: (i) => isOut(i) || wrongCells[i]! > 0,
    issues,
  };
}
