/** Splits a delimited text, given as UTF-8 in chunks, into records and fields. A chunk can end anywhere in a field. */
import { AppError } from "../../../shared/errors.ts";
import { CELL } from "../contracts.ts";
import type { BatchBuilder } from "./builder.ts";
import { cellTooLong } from "./faults.ts";
import { LIMITS } from "./limits.ts";

const START = 0;
const PLAIN = 1;
const QUOTED = 2;
/** State after a quote within a quoted field: it is the closing quote or the first of two. */
const CLOSED = 3;

const LF = 10;
const CR = 13;
const QUOTE = 34;

export class CsvTokens {
  done = false;
  /** Number of the current record; 1 is the first. */
  record = 1;
  /** Number of quotes in unexpected places; they are kept as text. */
  strayQuotes = 0;
  private state = START;
  private column = 0;
  private widest = 0;
  private afterCr = false;
  /** Stray quotes in the current field. */
  private strayHere = 0;
  private readonly builder: BatchBuilder;
  private readonly delimiter: number;
  private readonly maxRows: number;

  constructor(builder: BatchBuilder, delimiter: string, maxRows: number) {
    this.builder = builder;
    this.delimiter = delimiter.charCodeAt(0);
    this.maxRows = maxRows;
  }

  /** Whether the next byte begins a record. */
  get atStart(): boolean {
    const { state, column, afterCr, builder } = this;
    return (
      state === START && column === 0 && !afterCr && builder.textLength === 0 && this.widest === 0
    );
  }

  /** @throws AppError import.* */
  feed(b: Uint8Array): void {
    const { builder, delimiter } = this;
    const end = b.length;
    let i = 0;
    let { state } = this;
    if (this.afterCr && end > 0) {
      if (b[0] === LF) i = 1;
      this.afterCr = false;
    }
    while (i < end) {
      if (state === START) {
        builder.column = this.column;
        builder.widest = this.widest;
        i = builder.plainFields(b, i, end, delimiter);
        this.column = builder.column;
        this.widest = builder.widest;
        if (i === end) break;
      }
      if (state === QUOTED) {
        let e = b.indexOf(QUOTE, i);
        if (e < 0) e = end;
        builder.appendRaw(b, i, e);
        if (builder.textLength > LIMITS.cell) throw this.unclosed();
        i = e;
        if (i < end) {
          state = CLOSED;
          i += 1;
        }
        continue;
      }
      let c = b[i]!;
      if (c === QUOTE) {
        if (state === START) state = QUOTED;
        else {
          builder.appendRaw(b, i, i + 1);
          if (state === CLOSED) state = QUOTED;
          else this.strayHere += 1;
        }
        i += 1;
        continue;
      }
      const from = i;
      i = builder.appendField(b, i, end, delimiter);
      if (i > from) {
        if (state === CLOSED) this.strayHere += 1;
        if (builder.textLength > LIMITS.cell) throw cellTooLong(this.record, this.column);
        state = PLAIN;
        if (i === end) break;
        c = b[i]!;
        if (c !== delimiter && c !== LF && c !== CR) continue;
      }
      i += 1;
      state = START;
      this.endField();
      if (c === delimiter) {
        this.column += 1;
        continue;
      }
      if (c === CR) {
        if (i < end) {
          if (b[i] === LF) i += 1;
        } else this.afterCr = true;
      }
      this.endRecord();
      if (this.done) return;
    }
    this.state = state;
  }

  /** Call once, after the last byte. */
  finish(): void {
    if (this.done) return;
    if (this.state === QUOTED) throw this.unclosed();
    this.endField();
    this.endRecord();
    this.done = true;
    this.builder.flush();
  }

  private endField(): void {
    const { builder, column } = this;
    if (builder.textLength === 0) return;
    const unwrapped = builder.unwrapText();
    if (!unwrapped) this.strayQuotes += this.strayHere;
    this.strayHere = 0;
    builder.dropNull();
    if (builder.textLength === 0) return;
    if (column >= builder.stride) builder.widen(column, this.record);
    const at = builder.rows * builder.stride + column;
    builder.values[at] = builder.endText(this.record, column);
    builder.kinds[at] = CELL.text;
    this.widest = column + 1;
  }

  private endRecord(): void {
    const { builder } = this;
    if (this.widest > 0) {
      if (this.record > LIMITS.rows) throw new AppError("import.too-many-rows");
      builder.commit(this.record, this.widest);
      if (builder.total >= this.maxRows) {
        builder.flush();
        this.done = true;
      }
    }
    this.record += 1;
    this.column = 0;
    this.widest = 0;
  }

  private unclosed(): AppError {
    return new AppError("import.csv-quote", {
      message: `第 ${this.record} 行有一个双引号没有成对，后面的内容无法分列，请检查后再导入`,
      details: { row: this.record },
    });
  }
}
