/**
 * A delimited text straight into rows of values: where it has no quotes, which is nearly everywhere, fields are cut from the decoded
 * text; the records with quotes go the way of the bytes, which alone knows their rules.
 */
import { AppError } from "../../../shared/errors.ts";
import { BatchBuilder } from "./builder.ts";
import { CsvTokens } from "./csv-tokens.ts";
import { LIMITS } from "./limits.ts";
import { type RowValue, rowsOf } from "./rows.ts";

const LF = 10;
const CR = 13;
/** Quotes nearer than this to each other are of one stretch: going from one way to the other has its price. */
const STRETCH = 4096;
/** Signs of a field, and of a record, that are surely within the limits. */
const SAFE_FIELD = 32_767;
const SAFE_RECORD = 1 << 20;

export class CsvRows {
  /** Widest row so far. */
  width = 0;
  /** Record that is next, 1 is the first. */
  get record(): number {
    return this.tokens.record;
  }
  set record(next: number) {
    this.tokens.record = next;
  }
  private rows: RowValue[][] = [];
  /** A row without values, as wide as the widest. */
  private empty: RowValue[] = [];
  /** A record that is not there whole. */
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

  /** @returns the rows that came to an end. @throws AppError import.* */
  feed(more: string, last: boolean): RowValue[][] {
    let text = more;
    let from = 0;
    if (this.carry !== "") {
      // the record alone is put together: joining the whole would copy it
      const end = more.indexOf("\n") + 1;
      const record = this.carry + (end > 0 ? more.slice(0, end) : more);
      this.carry = "";
      if (end > 0) {
        this.take(record, 0, false);
        from = end;
      } else text = record;
    }
    this.take(text, from, last);
    if (last) this.tokens.finish();
    const { rows } = this;
    this.rows = [];
    return rows;
  }

  private widen(width: number): void {
    this.width = width;
    this.empty = Array<RowValue>(width).fill(null);
  }

  private take(text: string, from: number, last: boolean): void {
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

  /** Records without quotes in text[from, to). @returns where the one begins that is not there whole, or needs care */
  private plain(text: string, from: number, to: number): number {
    const { delimiter, rows, tokens } = this;
    const top = Math.max(delimiter, CR);
    let at = from;
    for (;;) {
      // a copy is made faster than a row is filled
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
            row[column] = text.substring(start, i);
            filled = column + 1;
          }
          column += 1;
          start = i + 1;
        } else if (c === LF || c === CR) break;
      }
      // a CR at the end may have its LF in what comes
      if (i >= to || (c === CR && i + 1 >= text.length) || column >= LIMITS.columns) return at;
      if (i - start > SAFE_FIELD) return at;
      if (i > start) {
        filled = column + 1;
        row[column] = text.substring(start, i);
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

  /** Takes the records from here up to the end of the stretch of quotes. @returns where it ends */
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
    // what is under way would be lost
    if (tokens.atStart) builder.flush();
    return at;
  }
}
