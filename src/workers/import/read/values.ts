/** Reads the value or inline text of a cell into the current batch. */
import { CELL, WIDE } from "../contracts.ts";
import type { BatchBuilder } from "./builder.ts";
import { isoSerial } from "./dates.ts";
import { OF_NUMBERS, STYLE } from "./formats.ts";
import { skipMarkup } from "./markup.ts";
import { PICTURE_BYTES } from "./pictures.ts";

export interface CellContext {
  readonly builder: BatchBuilder;
  /** Per style: STYLE of formats.ts. */
  readonly styles: Uint8Array;
  readonly date1904: boolean;
}

/** Types of a cell, from its attribute t. */
export const NUMBER = 0;
const SHARED = 1;
const TEXT = 2;
const INLINE = 3;
const BOOL = 4;
const ERROR = 5;
const ISO = 6;

export const asText = (b: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...b.subarray(from, Math.min(to, from + 512)));

const NUMERIC = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
/** @returns NaN for text that is not a number, or one too large for a double */
function slowNumber(text: string): number {
  const trimmed = text.trim();
  const n = NUMERIC.test(trimmed) ? Number(trimmed) : Number.NaN;
  return Number.isFinite(n) ? n : Number.NaN;
}

/** The type of the t="…" whose value begins at i. */
export function typeOf(b: Uint8Array, i: number): number {
  const c = b[i];
  if (c === 115) return b[i + 1] === 116 ? TEXT : SHARED;
  if (c === 110) return NUMBER;
  if (c === 105) return INLINE;
  if (c === 98) return BOOL;
  if (c === 101) return ERROR;
  return c === 100 ? ISO : TEXT;
}

export class ValueTokens {
  /** Kind of the last cell; 0 while it is empty. */
  kind = 0;
  v = 0;
  /** Highest index of a shared string used. */
  maxShared = -1;
  private readonly context: CellContext;
  private readonly prefix: number;

  constructor(context: CellContext, prefix: number) {
    this.context = context;
    this.prefix = prefix;
  }

  /**
   * Reads the content of a <v>.
   *
   * @param from index after its tag
   * @returns an index before its end tag, or `end`
   */
  value(
    b: Uint8Array,
    from: number,
    end: number,
    type: number,
    style: number,
    rowNumber: number,
    column: number,
  ): number {
    const { builder, styles } = this.context;
    let i = from;
    if (type === SHARED) {
      const from = i;
      let n = 0;
      let x = b[i]! - 48;
      while (x >= 0 && x <= 9) {
        n = n * 10 + x;
        i += 1;
        x = b[i]! - 48;
      }
      if (b[i] === 60 && i > from) {
        this.kind = CELL.shared;
        this.v = n;
        if (n > this.maxShared) this.maxShared = n;
        this.keepStyle(style);
      }
    } else if (type === NUMBER) {
      const from = i;
      const negative = b[i] === 45;
      if (negative) i += 1;
      let n = 0;
      let x = b[i]! - 48;
      while (x >= 0 && x <= 9) {
        n = n * 10 + x;
        i += 1;
        x = b[i]! - 48;
      }
      if (x === -2) {
        const point = i;
        i += 1;
        x = b[i]! - 48;
        while (x >= 0 && x <= 9) {
          n = n * 10 + x;
          i += 1;
          x = b[i]! - 48;
        }
        // Both operands are exact within these bounds, so the quotient is the nearest double.
        const places = i - point - 1;
        if (n < 9_007_199_254_740_992 && places <= 22) n /= 10 ** places;
        else n = -1;
      } else if (n >= 9_007_199_254_740_992) n = -1;
      if (b[i] !== 60 || n < 0 || i - from === (negative ? 1 : 0)) {
        while (i < end && b[i] !== 60) i += 1;
        n = slowNumber(asText(b, from, i));
      } else if (negative) n = -n;
      if (!Number.isNaN(n)) {
        const how = styles[style]! & OF_NUMBERS;
        if (how >= STYLE.number) {
          this.kind = how === STYLE.number ? CELL.shownNumber : CELL.shownDate;
          this.v = builder.number(n);
          builder.number(style);
        } else {
          this.kind = how === STYLE.day ? CELL.date : CELL.number;
          this.v = n | 0;
          if (this.v !== n) {
            this.v = builder.number(n);
            this.kind |= WIDE;
          }
        }
      } else if (i > from && asText(b, from, i).trim() !== "") {
        // Not a number, whatever the cell's type claims: kept as text.
        builder.append(b, from, i);
        this.kind = CELL.text;
        this.v = builder.endText(rowNumber, column);
      }
    } else if (type === BOOL) {
      this.kind = CELL.bool;
      this.v = b[i] === 49 || b[i] === 116 ? 1 : 0;
    } else {
      i = this.text(b, i, end);
      if (type === ISO) {
        const said = builder.takeText();
        const serial = isoSerial(said, this.context.date1904);
        if (serial === null) {
          const bytes = new TextEncoder().encode(said);
          builder.appendRaw(bytes, 0, bytes.length);
          this.kind = CELL.text;
          this.v = builder.endText(rowNumber, column);
        } else {
          this.kind = CELL.date | WIDE;
          this.v = builder.number(serial);
        }
      } else if (i < end) {
        this.kind = type === ERROR ? CELL.error : CELL.text;
        this.v = builder.endText(rowNumber, column);
        if (type !== ERROR) this.keepStyle(style);
      }
    }
    return i;
  }

  /** Makes the cell a picture. A picture of Excel has an error value, one of WPS has its formula or nothing. */
  setPicture(rowNumber: number, column: number): void {
    const { builder } = this.context;
    builder.appendRaw(PICTURE_BYTES, 0, PICTURE_BYTES.length);
    this.kind = CELL.error;
    this.v = builder.endText(rowNumber, column);
  }

  /** Keeps the style of a text that its format shows in another way. */
  keepStyle(style: number): void {
    const { builder, styles } = this.context;
    if ((styles[style]! & STYLE.text) === 0) return;
    this.kind = this.kind === CELL.shared ? CELL.shownShared : CELL.shownText;
    this.v = builder.number(this.v);
    builder.number(style);
  }

  /** Appends text up to the next tag, including CDATA. @returns where the tag begins; `end` when it is not available yet */
  private text(b: Uint8Array, from: number, end: number): number {
    const { builder } = this.context;
    let i = from;
    for (;;) {
      const begin = i;
      while (i < end && b[i] !== 60) i += 1;
      if (i >= end) return end;
      builder.append(b, begin, i);
      if (b[i + 1] !== 33) return i;
      const next = skipMarkup(b, i, end);
      if (next < 0) return end;
      if (b[i + 2] === 91) builder.appendRaw(b, i + 9, next - 3);
      i = next;
    }
  }

  /** Appends the texts of the <is> at `from`. @returns the index after </is>; `end` when it is incomplete */
  inline(b: Uint8Array, from: number, end: number): number {
    const i = skipMarkup(b, from, end);
    if (i < 0) return end;
    return b[i - 2] === 47 ? i : this.runs(b, i, end);
  }

  /** Appends the texts up to </is>. */
  private runs(b: Uint8Array, from: number, end: number): number {
    const P = this.prefix;
    let i = from;
    let phonetic = false;
    for (;;) {
      while (i < end && b[i] !== 60) i += 1;
      if (i >= end) return end;
      const next = skipMarkup(b, i, end);
      if (next < 0) return end;
      if (b[i + 1] === 47) {
        const c = b[i + 2 + P];
        if (c === 105) return next;
        if (c === 114 && b[i + 3 + P] === 80 && b[i + 4 + P] === 104) phonetic = false;
      } else if (b[i + 1 + P] === 116 && (b[i + 2 + P] === 62 || b[i + 2 + P]! <= 32)) {
        if (b[next - 2] !== 47 && !phonetic) {
          i = this.text(b, next, end);
          continue;
        }
      } else if (b[i + 1 + P] === 114 && b[i + 2 + P] === 80 && b[i + 3 + P] === 104)
        phonetic = true;
      i = next;
    }
  }
}
