/**
 * Records of a chunk without quotes, which nearly every chunk is. The bytes stay in place and are scanned once, both to validate
 * UTF-8 and to find the ends of fields. Records that need special care are left to CsvTokens.
 */
import { type Batch, CELL } from "../contracts.ts";
import { isNull } from "./bytes.ts";
import { LIMITS } from "./limits.ts";
import { sequenceEnd } from "./utf8.ts";

const LF = 10;
const CR = 13;
/** Initial capacity in rows and texts. */
const ROWS = 4096;
/** Most cells of a batch, including empty ones: one wide row must not make all short ones wide. */
const CELLS = 1 << 20;
const NO_NUMBERS = new Float64Array(0);

function grown<T extends Uint8Array | Uint32Array | Int32Array>(old: T): T {
  const larger = new (old.constructor as new (length: number) => T)(2 * old.length);
  larger.set(old);
  return larger;
}

export interface PlainPiece {
  /** null when all records are blank, or there are none. */
  readonly batch: Batch | null;
  /** Bytes consumed. They are followed by a record that is incomplete or needs special care. */
  readonly bytes: number;
  /** Records consumed, including blank ones. */
  readonly records: number;
}

export class PlainRecords {
  /** Whether this class supports the delimiter. */
  readonly canTake: boolean;
  /** Fields that say NULL, which count as empty. */
  nulls = 0;
  /** Widest row so far. */
  private width = 1;
  /** Number of the current record; 1 is the first of the file. */
  private record = 1;
  /** Text ends recorded so far. */
  private texts = 0;
  private ends = new Uint32Array(16 * ROWS);
  private rowNumbers = new Uint32Array(ROWS);
  private kinds = new Uint8Array(ROWS);
  private values = new Int32Array(ROWS);
  private readonly delimiter: number;

  constructor(delimiter: string) {
    this.delimiter = delimiter.charCodeAt(0);
    this.canTake = this.delimiter < 0x80 && !'\r\n"'.includes(delimiter);
  }

  /**
   * @param b bytes without quotes that begin with a record; the batch keeps them
   * @param record number of that record
   */
  readRecords(b: Uint8Array, record: number): PlainPiece {
    let rows = 0;
    let at = 0;
    this.texts = 0;
    this.record = record;
    for (;;) {
      const first = this.texts;
      if (first + LIMITS.columns + 2 > this.ends.length) this.ends = grown(this.ends);
      // The bytes between two rows form a text that no cell refers to.
      if (at > 0 && this.ends[first - 1] !== at - 1) this.ends[this.texts++] = at - 1;
      const begin = this.texts;
      const end = this.recordEnd(b, at);
      const width = end === 0 ? 0 : this.rowWidth(begin, at);
      const fits = (rows + 1) * Math.max(width, this.width) <= CELLS;
      if (end === 0 || this.record > LIMITS.rows || !fits) {
        this.texts = first;
        break;
      }
      if (width > 0) {
        this.putRow(b, rows, begin, at, width);
        rows += 1;
      } else this.texts = first;
      this.record += 1;
      at = end;
    }
    const batch = rows === 0 ? null : this.batch(rows, b.subarray(0, at));
    return { batch, bytes: at, records: this.record - record };
  }

  /** @param begin index of the first text of the record at b[at]. @returns number of columns up to the last one with a value */
  private rowWidth(begin: number, at: number): number {
    const { ends, texts } = this;
    let width = texts - begin;
    while (width > 1 && ends[begin + width - 1] === ends[begin + width - 2]! + 1) width -= 1;
    return width === 1 && ends[begin] === at ? 0 : width;
  }

  private putRow(b: Uint8Array, row: number, begin: number, at: number, width: number): void {
    if (width > this.width) this.widen(row, width);
    const stride = this.width;
    const place = row * stride;
    if (place + stride > this.kinds.length) {
      this.kinds = grown(this.kinds);
      this.values = grown(this.values);
    }
    const { ends, kinds, values } = this;
    let start = at;
    for (let c = 0; c < width; c += 1) {
      const end = ends[begin + c]!;
      kinds[place + c] = end > start ? CELL.text : CELL.empty;
      // Hardly any field begins so. A test of lengths, which vary, would cost a tenth of the whole time.
      const first = b[start];
      if ((first === 78 || first === 92) && isNull(b, start, end)) {
        kinds[place + c] = CELL.empty;
        this.nulls += 1;
      }
      values[place + c] = begin + c;
      start = end + 1;
    }
    for (let c = width; c < stride; c += 1) kinds[place + c] = CELL.empty;
    if (row >= this.rowNumbers.length) this.rowNumbers = grown(this.rowNumbers);
    this.rowNumbers[row] = this.record;
  }

  /** Spreads the stored rows to a larger width. */
  private widen(rows: number, width: number): void {
    const old = this.width;
    const { kinds, values } = this;
    const cells = Math.max(kinds.length, (rows + 1) * width);
    this.kinds = new Uint8Array(cells);
    this.values = new Int32Array(cells);
    this.width = width;
    for (let r = 0; r < rows; r += 1) {
      this.kinds.set(kinds.subarray(r * old, (r + 1) * old), r * width);
      this.values.set(values.subarray(r * old, (r + 1) * old), r * width);
    }
  }

  private batch(rows: number, bytes: Uint8Array): Batch {
    const { width } = this;
    return {
      rows,
      width,
      rowNumbers: this.rowNumbers.slice(0, rows),
      kinds: this.kinds.slice(0, rows * width),
      values: this.values.slice(0, rows * width),
      numbers: NO_NUMBERS,
      ends: this.ends.slice(0, this.texts),
      gap: 1,
      bytes,
    };
  }

  /** Records where the fields end. @returns where the next record begins; 0 when this one is incomplete or needs special care */
  private recordEnd(b: Uint8Array, from: number): number {
    const { ends, delimiter } = this;
    const most = Math.min(b.length, from + LIMITS.cell);
    const lastText = this.texts + LIMITS.columns;
    let { texts } = this;
    for (let i = from; i < most; i += 1) {
      const c = b[i]!;
      if (c >= 0x80) {
        // Most non-ASCII characters have three bytes with such a first byte, after which any continuation byte is valid.
        if (c > 0xe0 && c < 0xed && (b[i + 1]! & 0xc0) === 0x80 && (b[i + 2]! & 0xc0) === 0x80) {
          i += 2;
          continue;
        }
        const end = sequenceEnd(b, i);
        if (end === 0) return 0;
        i = end - 1;
      } else if (c === delimiter) {
        ends[texts] = i;
        texts += 1;
        if (texts >= lastText) return 0;
      } else if (c === LF || c === CR) {
        // The LF after a CR at the end may be in the next piece.
        if (c === CR && i + 1 >= b.length) return 0;
        ends[texts] = i;
        this.texts = texts + 1;
        return c === CR && b[i + 1] === LF ? i + 2 : i + 1;
      }
    }
    return 0;
  }
}
