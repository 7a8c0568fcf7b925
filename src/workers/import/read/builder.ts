/** Gathers cells into batches. Working arrays are kept, a batch gets copies of just what it holds. */
import { AppError } from "../../../shared/errors.ts";
import { type Batch, CELL } from "../contracts.ts";
import { copyText, unwrapFormula } from "./bytes.ts";
import { cellTooLong, tooLarge, tooManyColumns } from "./faults.ts";
import { LIMITS } from "./limits.ts";

const BATCH_ROWS = 4096;
/** Bytes of a text that is copied in one go. */
const SHORT = 1024;
/** A batch of wide rows has fewer of them. */
const BATCH_CELLS = 1 << 20;

/** Its fields are open, since the tokenisers' loops write to them. */
export class BatchBuilder {
  kinds: Uint8Array;
  values: Int32Array;
  /** Cells from one row to the next. */
  stride: number;
  /** Rows in the batch under way. */
  rows = 0;
  /** Rows so far. */
  total = 0;
  /** Widest row so far. */
  width = 0;
  /** Behind `plainFields`: the column of the field that is next, and how wide the row is so far. */
  column = 0;
  widest = 0;
  /** Bytes of the text under way begin here. */
  private textAt = 0;
  private capacity: number;
  private rowNumbers = new Uint32Array(BATCH_ROWS);
  private numbers = new Float64Array(1024);
  private numberCount = 0;
  private bytes = new Uint8Array(1 << 16);
  private byteCount = 0;
  private ends = new Uint32Array(4096);
  private textCount = 0;
  private cellsKept = 0;
  private bytesKept = 0;
  private mark = { numbers: 0, bytes: 0, texts: 0 };
  private readonly onBatch: (batch: Batch) => void;

  constructor(onBatch: (batch: Batch) => void, width = 16) {
    this.onBatch = onBatch;
    this.stride = Math.max(1, width);
    this.capacity = this.rowsFor(this.stride);
    this.kinds = new Uint8Array(this.capacity * this.stride);
    this.values = new Int32Array(this.capacity * this.stride);
  }

  private rowsFor(stride: number): number {
    return Math.min(BATCH_ROWS, Math.floor(BATCH_CELLS / stride));
  }

  /** The row under way may be dropped up to here. */
  begin(): void {
    this.mark.numbers = this.numberCount;
    this.mark.bytes = this.byteCount;
    this.mark.texts = this.textCount;
  }

  /** Forgets what came since begin(). */
  rollback(): void {
    this.numberCount = this.mark.numbers;
    this.byteCount = this.mark.bytes;
    this.textCount = this.mark.texts;
    this.textAt = this.byteCount;
    this.kinds.fill(0, this.rows * this.stride, (this.rows + 1) * this.stride);
  }

  /** Makes room for a column; `kinds`, `values` and `stride` are new. @throws AppError import.too-many-columns */
  widen(column: number, rowNumber: number): void {
    if (column >= LIMITS.columns) throw tooManyColumns(rowNumber);
    const old = this.stride;
    const stride = Math.min(LIMITS.columns, Math.max(2 * old, column + 1));
    const capacity = Math.max(this.rowsFor(stride), this.rows + 1);
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

  /** @returns the number's index */
  number(value: number): number {
    if (this.numberCount === this.numbers.length) {
      const larger = new Float64Array(2 * this.numberCount);
      larger.set(this.numbers);
      this.numbers = larger;
    }
    this.numbers[this.numberCount] = value;
    return this.numberCount++;
  }

  private room(more: number): void {
    if (this.byteCount + more <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(2 * this.bytes.length, this.byteCount + more));
    larger.set(this.bytes.subarray(0, this.byteCount));
    this.bytes = larger;
  }

  /** Appends XML text to the text under way, references resolved. */
  append(b: Uint8Array, from: number, to: number): void {
    this.room(to - from);
    this.byteCount = copyText(b, from, to, this.bytes, this.byteCount);
  }

  /** Appends text up to the next tag when it is short and needs no care. @returns where the tag begins; 0: nothing was appended */
  appendShort(b: Uint8Array, from: number, end: number): number {
    this.room(SHORT);
    const { bytes } = this;
    const most = Math.min(end, from + SHORT);
    const shift = this.byteCount - from;
    for (let i = from; i < most; i += 1) {
      const c = b[i]!;
      // most bytes of a text are above all that is looked for
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
   * Appends what stands before a delimiter, a line end or a quote, or a part of it where it is long.
   *
   * @returns the index behind what was appended
   */
  appendField(b: Uint8Array, from: number, end: number, delimiter: number): number {
    this.room(SHORT);
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
   * Puts down fields of a record that need no care, up to its end or to one that has a quote or begins with `=`, in one go: most
   * records are nothing else. `column` and `widest` are to be set before.
   *
   * @param from where a field begins
   * @returns where the field begins that was not taken, or the line end behind the last one
   */
  plainFields(b: Uint8Array, from: number, end: number, delimiter: number): number {
    this.room(end - from);
    const { bytes } = this;
    // all that is looked for is no larger than this, and most signs are
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
      if (i > start) {
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
    const larger = new Uint32Array(2 * this.textCount);
    larger.set(this.ends);
    this.ends = larger;
    return larger;
  }

  /** Forgets the text under way. */
  dropText(): void {
    this.byteCount = this.textAt;
  }

  /** Appends bytes as they are. */
  appendRaw(b: Uint8Array, from: number, to: number): void {
    this.room(to - from);
    if (to - from < 48) {
      const { bytes, byteCount } = this;
      for (let i = from; i < to; i += 1) bytes[byteCount + i - from] = b[i]!;
    } else {
      this.bytes.set(b.subarray(from, to), this.byteCount);
    }
    this.byteCount += to - from;
  }

  /** Bytes of the text under way. */
  get textLength(): number {
    return this.byteCount - this.textAt;
  }

  /**
   * A text under way that is `="…"`, by which writers of csv keep a spreadsheet from taking it for a number, becomes what stands
   * between the quotes.
   *
   * @returns whether it did
   */
  unwrapText(): boolean {
    const end = unwrapFormula(this.bytes, this.textAt, this.byteCount);
    if (end < 0) return false;
    this.byteCount = end;
    return true;
  }

  /** Ends the text under way. @returns its index. @throws AppError import.cell-too-long */
  endText(rowNumber: number, column: number): number {
    if (this.byteCount - this.textAt > LIMITS.cell) throw cellTooLong(rowNumber, column);
    if (this.textCount === this.ends.length) this.growEnds();
    this.ends[this.textCount] = this.byteCount;
    this.textAt = this.byteCount;
    return this.textCount++;
  }

  /** Ends the text under way and gives it as a string instead. */
  takeText(): string {
    const text = new TextDecoder().decode(this.bytes.subarray(this.textAt, this.byteCount));
    this.byteCount = this.textAt;
    return text;
  }

  /** Keeps the row under way. `kinds` and `stride` may be new when this returns true: a batch went out. */
  commit(rowNumber: number, width: number): boolean {
    this.rowNumbers[this.rows] = rowNumber;
    this.rows += 1;
    this.total += 1;
    if (width > this.width) this.width = width;
    if (this.rows < this.capacity && this.rows < BATCH_ROWS) return false;
    this.flush();
    return true;
  }

  /**
   * Batches that were made elsewhere, behind what came so far.
   *
   * @param width of their widest row
   */
  adopt(batches: readonly Batch[], width: number): void {
    this.flush();
    if (width > this.width) this.width = width;
    for (const batch of batches) {
      this.total += batch.rows;
      this.give(batch);
    }
  }

  private give(batch: Batch): void {
    this.cellsKept += batch.rows * batch.width;
    this.bytesKept += batch.bytes.length;
    if (this.cellsKept > LIMITS.cells) throw tooLarge("cells");
    if (this.bytesKept > LIMITS.text) throw tooLarge("text");
    if (this.total > LIMITS.rows) throw new AppError("import.too-many-rows");
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
    // later batches are as wide as the table, not as the room that it was given
    this.stride = Math.max(1, this.width);
    this.capacity = Math.min(
      this.rowsFor(this.stride),
      Math.floor(this.kinds.length / this.stride),
    );
    this.kinds.fill(0);
  }
}
