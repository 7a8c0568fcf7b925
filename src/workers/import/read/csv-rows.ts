/**
 * Turns a delimited text directly into rows of values. Where it has no quotes, which is nearly everywhere, fields are cut from
 * the decoded text. Records with quotes go through CsvTokens as bytes, which alone implements the quoting rules.
 */
import { AppError } from "../../../shared/errors.ts";
import type { RowValue } from "../contracts.ts";
import { BatchBuilder } from "./builder.ts";
import { CsvTokens } from "./csv-tokens.ts";
import { LIMITS } from "./limits.ts";
import { rowsOf } from "./rows.ts";

const LF = 10;
const CR = 13;
/** Quotes closer together than this belong to one stretch: switching between the two paths has a cost. */
const STRETCH = 4096;
/** A field and a record with fewer characters than this are certainly within the limits. */
const SAFE_FIELD = 32_767;
const SAFE_RECORD = 1 << 20;

/** A field of a record, null where it says that it has no value. */
function valueOf(text: string, from: number, to: number): string | null {
  const value = text.substring(from, to);
  if (to - from !== 4 && to - from !== 2) return value;
  return value === "NULL" || value === "\\N" ? null : value;
}

export class CsvRows {
  /** Widest row so far. */
  width = 0;
  /** Number of the next record; 1 is the first. */
  get record(): number {
    return this.tokens.record;
  }
  set record(next: number) {
    this.tokens.record = next;
  }
  private rows: RowValue[][] = [];
  /** A row without values, as wide as the widest row; copied for each new row. */
  private empty: RowValue[] = [];
  /** The beginning of a record whose end is still to come. */
  private carry = "";
  private readonly builder: BatchBuilder;
  private readonly tokens: CsvTokens;
  private readonly encoder = new TextEncoder();
  private readonly delimiter: number;

  constructor(delimiter: string) {
    this.delimiter = delimiter.charCodeAt(0);
    this.builder = new BatchBuilder((batch) => {
      if (this.builder.width > this.width) this.widen(this.builder.width);
      for (const row of rowsOf(batch, [], this.width, false)) this.rows.push(row);
    });
    this.tokens = new CsvTokens(this.builder, delimiter, Infinity);
  }

  /** @returns the rows that were completed. @throws AppError import.* */
  feed(more: string, last: boolean): RowValue[][] {
    let text = more;
    let from = 0;
    if (this.carry !== "") {
      // Join only the one record: joining the whole text would copy it.
      const end = more.indexOf("\n") + 1;
      const record = this.carry + (end > 0 ? more.slice(0, end) : more);
      this.carry = "";
      if (end > 0) {
        this.readText(record, 0, false);
        from = end;
      } else text = record;
    }
    this.readText(text, from, last);
    if (last) this.tokens.finish();
    const { rows } = this;
    this.rows = [];
    return rows;
  }

  private widen(width: number): void {
    this.width = width;
    this.empty = Array<RowValue>(width).fill(null);
  }

  private readText(text: string, from: number, last: boolean): void {
    let at = from;
    while (at < text.length) {
      if (this.tokens.atStart) {
        const quote = text.indexOf('"', at);
        at = this.plain(text, at, quote < 0 ? text.length : quote);
        if (quote < 0 && !last && text.length - at < SAFE_RECORD) {
          this.carry = text.slice(at);
          return;
        }
      }
      at = this.quoted(text, at);
    }
  }

  /**
   * Takes records without quotes from text[from, to). @returns where the first record begins that is incomplete or needs special
   * care
   */
  private plain(text: string, from: number, to: number): number {
    const { delimiter, rows, tokens } = this;
    const top = Math.max(delimiter, CR);
    let at = from;
    for (;;) {
      // Copying a row is faster than filling one.
      const row = this.empty.slice();
      let column = 0;
      let filled = 0;
      let start = at;
      let i = at;
      let c = 0;
      for (; i < to; i += 1) {
        c = text.charCodeAt(i);
        if (c > top) continue;
        if (c === delimiter) {
          if (i > start) {
            if (i - start > SAFE_FIELD) return at;
            row[column] = valueOf(text, start, i);
            if (row[column] !== null) filled = column + 1;
          }
          column += 1;
          start = i + 1;
        } else if (c === LF || c === CR) break;
      }
      // The LF after a CR at the end may be in the next piece.
      if (i >= to || (c === CR && i + 1 >= text.length) || column >= LIMITS.columns) return at;
      if (i - start > SAFE_FIELD) return at;
      if (i > start) {
        row[column] = valueOf(text, start, i);
        if (row[column] !== null) filled = column + 1;
      }
      if (filled > 0) {
        if (tokens.record > LIMITS.rows) throw new AppError("import.too-many-rows");
        if (filled > this.width) {
          for (let k = this.width; k < filled; k += 1) row[k] ??= null;
          this.widen(filled);
        }
        rows.push(row);
      }
      tokens.record += 1;
      at = i + (c === CR && text.charCodeAt(i + 1) === LF ? 2 : 1);
    }
  }

  /** Takes the records from here to the end of the stretch of quotes. @returns where it ends */
  private quoted(text: string, from: number): number {
    const { tokens, builder, encoder } = this;
    let at = from;
    while (at < text.length) {
      const quote = text.indexOf('"', at);
      if (tokens.atStart && at > from && (quote < 0 || quote - at > STRETCH)) break;
      const line = text.indexOf("\n", quote < 0 ? at : quote);
      const end = line < 0 ? text.length : line + 1;
      tokens.feed(encoder.encode(text.slice(at, end)));
      at = end;
    }
    // Flush only between records: a flush would lose the current one.
    if (tokens.atStart) builder.flush();
    return at;
  }
}
