/** Collects cells into batches. The working arrays are reused; a batch gets copies of exactly its content. */
import { type Batch, CELL } from "../contracts.ts";
import { copyText, isNull, unwrapFormula } from "./bytes.ts";
import { cellTooLong, tooManyColumns } from "./faults.ts";
import { grown } from "./grown.ts";
import { LIMITS } from "./limits.ts";
import { createScale } from "./scale.ts";

const BATCH_ROWS = 4096;
/** Texts up to this many bytes are copied in a single pass. */
const SHORT = 1024;
/** Most cells of a batch: a batch of wide rows has fewer rows. */
const BATCH_CELLS = 1 << 20;
const rowsFor = (stride: number): number => Math.min(BATCH_ROWS, Math.floor(BATCH_CELLS / stride));

/** Its fields are public because the tokenisers' inner loops write to them. */
export class BatchBuilder {
  kinds: Uint8Array;
  values: Int32Array;
  /** Cells from the start of one row to the start of the next. */
  stride: number;
  /** Rows in the current batch. */
  rows = 0;
  /** Rows in all batches so far. */
  total = 0;
  /** Widest row so far. */
  width = 0;
  /** After `plainFields`: the column of the next field. `widest` is the width of the row so far. */
  column = 0;
  widest = 0;
  /** Fields that say NULL, which count as empty. */
  nulls = 0;
  /** Where the current text begins in the bytes. */
  private textAt = 0;
  private capacity: number;
  private rowNumbers = new Uint32Array(BATCH_ROWS);
  private numbers = new Float64Array(1024);
  private numberCount = 0;
  private bytes = new Uint8Array(1 << 16);
  private byteCount = 0;
  private ends = new Uint32Array(4096);
  private textCount = 0;
  private readonly weigh = createScale();
  private mark = { numbers: 0, bytes: 0, texts: 0 };
  private readonly onBatch: (batch: Batch) => void;

  constructor(onBatch: (batch: Batch) => void, width = 16) {
    this.onBatch = onBatch;
    this.stride = Math.max(1, width);
    this.capacity = rowsFor(this.stride);
    this.kinds = new Uint8Array(this.capacity * this.stride);
    this.values = new Int32Array(this.capacity * this.stride);
  }

  /** Marks the start of a row, so that `rollback` can drop it. */
  begin(): void {
    this.mark.numbers = this.numberCount;
    this.mark.bytes = this.byteCount;
    this.mark.texts = this.textCount;
  }

  /** Drops everything since begin(). */
  rollback(): void {
    this.numberCount = this.mark.numbers;
    this.byteCount = this.mark.bytes;
    this.textCount = this.mark.texts;
    this.textAt = this.byteCount;
    this.kinds.fill(0, this.rows * this.stride, (this.rows + 1) * this.stride);
  }

  /** Makes space for a column. Replaces `kinds`, `values` and `stride`. @throws AppError import.too-many-columns */
  widen(column: number, rowNumber: number): void {
    if (column >= LIMITS.columns) throw tooManyColumns(rowNumber);
    const old = this.stride;
    const stride = Math.min(LIMITS.columns, Math.max(2 * old, column + 1));
    const capacity = Math.max(rowsFor(stride), this.rows + 1);
    const kinds = new Uint8Array(capacity * stride);
    const values = new Int32Array(capacity * stride);
    for (let r = 0; r <= this.rows; r += 1) {
      kinds.set(this.kinds.subarray(r * old, (r + 1) * old), r * stride);
      values.set(this.values.subarray(r * old, (r + 1) * old), r * stride);
    }
    this.kinds = kinds;
    this.values = values;
    this.stride = stride;
    this.capacity = capacity;
  }

  /** @returns the index of the stored number */
  number(value: number): number {
    if (this.numberCount === this.numbers.length) {
      this.numbers = grown(this.numbers, 2 * this.numberCount);
    }
    this.numbers[this.numberCount] = value;
    return this.numberCount++;
  }

  private reserve(more: number): void {
    if (this.byteCount + more <= this.bytes.length) return;
    this.bytes = grown(this.bytes, Math.max(2 * this.bytes.length, this.byteCount + more));
  }

  /** Appends XML text to the current text and resolves its references. */
  append(b: Uint8Array, from: number, to: number): void {
    this.reserve(to - from);
    this.byteCount = copyText(b, from, to, this.bytes, this.byteCount);
  }

  /** Appends short plain text up to the next tag. @returns where the tag begins; 0 when nothing was appended */
  appendShort(b: Uint8Array, from: number, end: number): number {
    this.reserve(SHORT);
    const { bytes } = this;
    const most = Math.min(end, from + SHORT);
    const shift = this.byteCount - from;
    for (let i = from; i < most; i += 1) {
      const c = b[i]!;
      // Most bytes of a text are larger than all the bytes that need a check.
      if (c <= 95) {
        if (c === 60) {
          this.byteCount = i + shift;
          return i;
        }
        if (c === 38 || c === 95 || c === 13) return 0;
      }
      bytes[i + shift] = c;
    }
    return 0;
  }

  /**
   * Appends what comes before a delimiter, a line end or a quote; of a long text only a part.
   *
   * @returns the index after the appended bytes
   */
  appendField(b: Uint8Array, from: number, end: number, delimiter: number): number {
    this.reserve(SHORT);
    const { bytes } = this;
    const most = Math.min(end, from + SHORT);
    const shift = this.byteCount - from;
    let i = from;
    for (; i < most; i += 1) {
      const c = b[i]!;
      if (c === delimiter || c === 10 || c === 13 || c === 34) break;
      bytes[i + shift] = c;
    }
    this.byteCount = i + shift;
    return i;
  }

  /**
   * Stores fields of a record in one pass, up to the end of the record or to a field that has a quote or begins with `=`. Most
   * records consist only of such plain fields. Set `column` and `widest` before the call.
   *
   * @param from start of a field
   * @returns the start of the first field that was not stored, or the line end after the last one
   */
  plainFields(b: Uint8Array, from: number, end: number, delimiter: number): number {
    this.reserve(end - from);
    const { bytes } = this;
    // All bytes to look for are at most this; most characters are larger.
    const top = Math.max(delimiter, 34);
    let { byteCount: d, textCount, ends, column } = this;
    let place = this.rows * this.stride;
    let start = from;
    for (;;) {
      const shift = d - start;
      let i = start;
      let c = 0;
      for (; i < end; i += 1) {
        c = b[i]!;
        if (c <= top && (c === delimiter || c === 10 || c === 13 || c === 34)) break;
        bytes[i + shift] = c;
      }
      const isLong = i - start > LIMITS.cell || column >= LIMITS.columns;
      if (i === end || c === 34 || b[start] === 61 || isLong) break;
      if (i > start && isNull(b, start, i)) this.nulls += 1;
      else if (i > start) {
        if (column >= this.stride) {
          this.widen(column, this.total + 1);
          place = this.rows * this.stride;
        }
        if (textCount === ends.length) {
          this.textCount = textCount;
          ends = this.growEnds();
        }
        d = i + shift;
        ends[textCount] = d;
        this.kinds[place + column] = CELL.text;
        this.values[place + column] = textCount;
        textCount += 1;
        this.widest = column + 1;
      }
      start = i;
      if (c !== delimiter) break;
      start += 1;
      column += 1;
    }
    this.byteCount = d;
    this.textAt = d;
    this.textCount = textCount;
    this.column = column;
    return start;
  }

  private growEnds(): Uint32Array<ArrayBuffer> {
    this.ends = grown(this.ends, 2 * this.textCount);
    return this.ends;
  }

  /** Drops the current text. */
  dropText(): void {
    this.byteCount = this.textAt;
  }

  /** Appends bytes unchanged. */
  appendRaw(b: Uint8Array, from: number, to: number): void {
    this.reserve(to - from);
    if (to - from < 48) {
      const { bytes, byteCount } = this;
      for (let i = from; i < to; i += 1) bytes[byteCount + i - from] = b[i]!;
    } else {
      this.bytes.set(b.subarray(from, to), this.byteCount);
    }
    this.byteCount += to - from;
  }

  /** Bytes of the current text. */
  get textLength(): number {
    return this.byteCount - this.textAt;
  }

  /**
   * If the current text is `="…"`, replaces it by the part between the quotes. Programs that write CSV use this form so that a
   * spreadsheet does not take the text for a number.
   *
   * @returns whether it was replaced
   */
  unwrapText(): boolean {
    const end = unwrapFormula(this.bytes, this.textAt, this.byteCount);
    if (end < 0) return false;
    this.byteCount = end;
    return true;
  }

  /** Drops the current text if it says NULL. */
  dropNull(): void {
    if (!isNull(this.bytes, this.textAt, this.byteCount)) return;
    this.nulls += 1;
    this.dropText();
  }

  /** Ends the current text. @returns its index. @throws AppError import.cell-too-long */
  endText(rowNumber: number, column: number): number {
    if (this.byteCount - this.textAt > LIMITS.cell) throw cellTooLong(rowNumber, column);
    if (this.textCount === this.ends.length) this.growEnds();
    this.ends[this.textCount] = this.byteCount;
    this.textAt = this.byteCount;
    return this.textCount++;
  }

  /** Drops the current text and returns it as a string. */
  takeText(): string {
    const text = new TextDecoder().decode(this.bytes.subarray(this.textAt, this.byteCount));
    this.byteCount = this.textAt;
    return text;
  }

  /** Keeps the current row. When this returns true, a batch was sent and `kinds` and `stride` can have changed. */
  commit(rowNumber: number, width: number): boolean {
    this.rowNumbers[this.rows] = rowNumber;
    this.rows += 1;
    this.total += 1;
    if (width > this.width) this.width = width;
    if (this.rows < this.capacity && this.rows < BATCH_ROWS) return false;
    this.flush();
    return true;
  }

  /** Appends batches that another thread made to those made so far. @param width of the widest row among them */
  adopt(batches: readonly Batch[], width: number): void {
    this.flush();
    if (width > this.width) this.width = width;
    for (const batch of batches) {
      this.total += batch.rows;
      this.give(batch);
    }
  }

  private give(batch: Batch): void {
    this.weigh(batch, this.total);
    this.onBatch(batch);
  }

  flush(): void {
    const { rows, stride } = this;
    if (rows === 0) return;
    this.give({
      rows,
      width: stride,
      rowNumbers: this.rowNumbers.slice(0, rows),
      kinds: this.kinds.slice(0, rows * stride),
      values: this.values.slice(0, rows * stride),
      numbers: this.numbers.slice(0, this.numberCount),
      ends: this.ends.slice(0, this.textCount),
      gap: 0,
      bytes: this.bytes.slice(0, this.byteCount),
    });
    this.rows = 0;
    this.numberCount = 0;
    this.textCount = 0;
    this.byteCount = 0;
    this.textAt = 0;
    // Later batches are as wide as the table, not as wide as the space reserved for it.
    this.stride = Math.max(1, this.width);
    this.capacity = Math.min(rowsFor(this.stride), Math.floor(this.kinds.length / this.stride));
    this.kinds.fill(0);
  }
}
