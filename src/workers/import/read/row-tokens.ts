/** Reads one row of a sheet into a batch. An incomplete row leaves no trace and is parsed again when more bytes are available. */
import { AppError } from "../../../shared/errors.ts";
import type { RowsPiece } from "../../../shared/protocol/read-ahead.ts";
import { CellTokens } from "./cells.ts";
import { LIMITS } from "./limits.ts";
import { skipElement } from "./markup.ts";
import type { CellContext } from "./values.ts";

/** Counts for the warnings. */
export interface Seen {
  hiddenRows: number;
  /** Formulas whose result is missing in the file. Their cells are empty. */
  formulas: number;
}

export class RowTokens {
  readonly seen: Seen = { hiddenRows: 0, formulas: 0 };
  /** Row number of the last row in the file, including blank rows. */
  lastRow = 0;
  private rowNumber = 0;
  private hidden = false;
  private blank = false;
  private readonly cells: CellTokens;
  private readonly context: CellContext;
  private readonly prefix: number;

  constructor(context: CellContext, prefix: number) {
    this.context = context;
    this.prefix = prefix;
    this.cells = new CellTokens(context, prefix);
  }

  /** Highest index of a shared string used so far. */
  get maxShared(): number {
    return this.cells.value.maxShared;
  }

  /** Appends rows that another thread read. */
  adopt(rows: RowsPiece): void {
    const { seen } = this;
    const { value } = this.cells;
    seen.hiddenRows += rows.hiddenRows;
    seen.formulas += rows.formulas;
    value.maxShared = Math.max(value.maxShared, rows.maxShared);
    this.lastRow = rows.lastRow;
    this.context.builder.adopt(rows.batches, rows.width);
  }

  /**
   * @param start index of `<row` in b
   * @returns the index after the row; -1 when the row is incomplete
   * @throws AppError import.*
   */
  row(b: Uint8Array, start: number, end: number): number {
    const { cells } = this;
    const { builder } = this.context;
    const P = this.prefix;
    let i = this.attributes(b, start + 4 + P, end);
    if (i >= end) return -1;
    if (this.rowNumber > LIMITS.rows) throw new AppError("import.too-many-rows");
    if (!this.blank) {
      builder.begin();
      cells.begin(this.rowNumber);
      i = this.content(b, i, end);
      if (i < 0) {
        builder.rollback();
        return -1;
      }
      this.seen.formulas += cells.formulas;
      if (cells.widest > 0) {
        if (this.hidden) this.seen.hiddenRows += 1;
        builder.commit(this.rowNumber, cells.widest);
      }
    }
    this.lastRow = this.rowNumber;
    return i;
  }

  /** @returns the index after </row>; -1 when it is not available yet */
  private content(b: Uint8Array, at: number, end: number): number {
    const P = this.prefix;
    const { cells } = this;
    let i = at;
    for (;;) {
      while (i < end && b[i] !== 60) i += 1;
      if (i >= end) return -1;
      const c = b[i + 2 + P]!;
      if (b[i + 1 + P] === 99 && (c <= 32 || c === 62 || c === 47)) {
        i = cells.cell(b, i + 2 + P, end);
      } else if (b[i + 1] === 47 && c === 114 && b[i + 3 + P] === 111) {
        i += 6 + P;
        return i <= end ? i : -1;
      } else {
        i = skipElement(b, i, end);
        if (i < 0) return -1;
      }
    }
  }

  /** @returns the index after the tag; `end` or more when it is incomplete */
  private attributes(b: Uint8Array, at: number, end: number): number {
    this.rowNumber = this.lastRow + 1;
    this.hidden = false;
    let i = at;
    while (i < end && b[i] !== 62 && b[i] !== 47) {
      if (b[i]! <= 32) {
        i += 1;
        continue;
      }
      const name = i;
      while (i < end && b[i] !== 61) i += 1;
      const length = i - name;
      while (i < end && b[i] !== 34 && b[i] !== 39) i += 1;
      const quote = b[i];
      i += 1;
      const value = i;
      while (i < end && b[i] !== quote) i += 1;
      if (length === 1 && b[name] === 114) {
        let row = 0;
        for (let k = value; k < i; k += 1) row = row * 10 + b[k]! - 48;
        if (row > 0) this.rowNumber = row;
      } else if (length === 6 && b[name] === 104 && b[name + 1] === 105) {
        this.hidden = b[value] === 49 || b[value] === 116;
      }
      i += 1;
    }
    this.blank = b[i] === 47;
    return this.blank ? i + 2 : i + 1;
  }
}
