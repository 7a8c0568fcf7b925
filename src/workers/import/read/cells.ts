/**
 * Reads one cell of a row, attributes and content, into the current batch. Elements are recognised by their first letters after a
 * prefix of known length; unknown ones are skipped. Functions are small because a new worker runs each of them slowly until it is
 * compiled.
 */
import { CELL, WIDE } from "../contracts.ts";
import { columnOf } from "./bytes.ts";
import { OF_NUMBERS, STYLE } from "./formats.ts";
import { skipElement, skipMarkup, spells } from "./markup.ts";
import { DISPIMG, formulaOf, IMAGE, NO_FORMULA } from "./pictures.ts";
import { asText, type CellContext, NUMBER, typeOf, ValueTokens } from "./values.ts";

/** First letters of the types: S for a shared string, B for a boolean. */
const S = 115;
const B = 98;
const TENS = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000];

export class CellTokens {
  rowNumber = 0;
  /** Column of the last cell; -1 before the first cell of a row. */
  column = -1;
  /** Width of the row so far. */
  widest = 0;
  /** Formulas of the row whose result is missing in the file. */
  formulas = 0;
  readonly value: ValueTokens;
  /** Number of digits of the row's number. */
  private digits = 1;
  private type = NUMBER;
  private style = 0;
  private empty = false;
  /** The cell has more than its value says: a picture, for example. */
  private rich = false;
  private readonly context: CellContext;
  private readonly prefix: number;

  constructor(context: CellContext, prefix: number) {
    this.context = context;
    this.prefix = prefix;
    this.value = new ValueTokens(context, prefix);
  }

  begin(rowNumber: number): void {
    this.rowNumber = rowNumber;
    this.digits = 1;
    for (let n = 10; n <= rowNumber; n *= 10) this.digits += 1;
    this.column = -1;
    this.widest = 0;
    this.formulas = 0;
  }

  /**
   * @param at index after `<c`
   * @returns the index after the cell; `end` or more when the cell is incomplete
   */
  cell(b: Uint8Array, at: number, end: number): number {
    this.column += 1;
    if (this.prefix === 0) {
      const next = this.plain(b, at, end);
      if (next > 0) return next;
    }
    let i = this.attributes(b, at, end);
    if (this.empty || i >= end) return i;
    const { value } = this;
    value.kind = 0;
    i = this.content(b, i, end);
    if (value.kind !== 0 && i < end) {
      const { column } = this;
      const { builder } = this.context;
      if (column >= builder.stride) builder.widen(column, this.rowNumber);
      const place = builder.rows * builder.stride + column;
      builder.kinds[place] = value.kind;
      builder.values[place] = value.v;
      if (column >= this.widest) this.widest = column + 1;
    }
    return i;
  }

  /**
   * Fast path for nearly all cells: `<c r="A1" s="1" t="s"><v>12</v></c>`, also with t="b", without s or t, or with a short
   * number.
   *
   * @returns the index after the cell; 0 when it has another form or is incomplete, and then nothing has changed
   */
  private plain(b: Uint8Array, at: number, end: number): number {
    if (b[at] !== 32 || b[at + 1] !== 114 || b[at + 3] !== 34) return 0;
    let i = at + 4;
    let column = 0;
    let x = b[i]!;
    while (x >= 65) {
      column = column * 26 + (x & 31);
      i += 1;
      x = b[i]!;
    }
    i += this.digits;
    if (b[i] !== 34 || column === 0) return 0;
    i += 1;
    let style = 0;
    if (b[i] === 32 && b[i + 1] === 115 && b[i + 3] === 34) {
      i += 4;
      x = b[i]! - 48;
      while (x >= 0 && x <= 9) {
        style = style * 10 + x;
        i += 1;
        x = b[i]! - 48;
      }
      if (b[i] !== 34) return 0;
      i += 1;
    }
    let type = 0;
    const { builder, styles } = this.context;
    const showsText = (styles[style]! & STYLE.text) !== 0;
    if (b[i] === 32) {
      type = b[i + 4]!;
      if (type === 105) return showsText ? 0 : this.plainInline(b, i, end, column - 1);
      if (b[i + 1] !== 116 || (type !== S && type !== B) || b[i + 5] !== 34) return 0;
      i += 6;
    }
    if (b[i] !== 62 || b[i + 1] !== 60 || b[i + 2] !== 118 || b[i + 3] !== 62) return 0;
    i += 4;
    const from = i;
    let n = 0;
    x = b[i]! - 48;
    while (x >= 0 && x <= 9) {
      n = n * 10 + x;
      i += 1;
      x = b[i]! - 48;
    }
    // one to nine digits
    if (i === from || i - from > 9 || (type === B && i - from > 1)) return 0;
    let places = 0;
    if (x === -2 && type === 0) {
      const point = i;
      i += 1;
      x = b[i]! - 48;
      while (x >= 0 && x <= 9) {
        n = n * 10 + x;
        i += 1;
        x = b[i]! - 48;
      }
      places = i - point - 1;
      if (places === 0 || places > 6) return 0;
      // Both operands are exact, so the quotient is the nearest double.
      n /= TENS[places]!;
    }
    // </v></c>
    if (b[i] !== 60) return 0;
    if (b[i + 1] !== 47 || b[i + 5] !== 47 || b[i + 6] !== 99 || i + 8 >= end) return 0;
    const how = type === 0 ? styles[style]! & OF_NUMBERS : STYLE.plain;
    if (how >= STYLE.number || (type === S && showsText)) return 0;
    column -= 1;
    this.column = column;
    if (column >= builder.stride) builder.widen(column, this.rowNumber);
    const place = builder.rows * builder.stride + column;
    const { kinds, values } = builder;
    values[place] = n;
    if (type === S) {
      if (n > this.value.maxShared) this.value.maxShared = n;
      kinds[place] = CELL.shared;
    } else if (type === B) {
      values[place] = n === 1 ? 1 : 0;
      kinds[place] = CELL.bool;
    } else {
      kinds[place] = how === STYLE.day ? CELL.date : CELL.number;
      if (places > 0 && values[place] !== n) {
        values[place] = builder.number(n);
        kinds[place]! |= WIDE;
      }
    }
    if (column >= this.widest) this.widest = column + 1;
    return i + 8;
  }

  /** ` t="inlineStr"><is><t>text</t></is></c>` at i, with the same result as `plain`. */
  private plainInline(b: Uint8Array, i: number, end: number, column: number): number {
    if (b[i + 1] !== 116 || b[i + 14] !== 62 || b[i + 16] !== 105 || b[i + 18] !== 62) return 0;
    if (b[i + 20] !== 116 || b[i + 21] !== 62) return 0;
    const { builder } = this.context;
    const tag = builder.appendShort(b, i + 22, end);
    if (tag === 0) return 0;
    if (b[tag + 1] !== 47 || b[tag + 5] !== 47 || b[tag + 10] !== 47 || tag + 13 >= end) {
      builder.dropText();
      return 0;
    }
    this.column = column;
    if (column >= builder.stride) builder.widen(column, this.rowNumber);
    const place = builder.rows * builder.stride + column;
    builder.values[place] = builder.endText(this.rowNumber, column);
    builder.kinds[place] = CELL.text;
    if (column >= this.widest) this.widest = column + 1;
    return tag + 13;
  }

  private attributes(b: Uint8Array, at: number, end: number): number {
    let i = at;
    this.type = NUMBER;
    this.style = 0;
    this.empty = false;
    this.rich = false;
    for (;;) {
      const c = b[i]!;
      if (c === 62) return i + 1;
      if (c === 32) {
        i += 1;
      } else if (b[i + 1] === 61 && b[i + 2] === 34 && (c === 114 || c === 115 || c === 116)) {
        i += 3;
        let x = b[i]!;
        if (c === 114) {
          let col = 0;
          while (x >= 65) {
            col = col * 26 + (x & 31);
            i += 1;
            x = b[i]!;
          }
          if (col > 0) this.column = col - 1;
          // In a valid reference these are the digits of the row's number.
          if (b[i + this.digits] === 34) i += this.digits;
        } else if (c === 115) {
          let style = 0;
          while (x >= 48 && x <= 57) {
            style = style * 10 + x - 48;
            i += 1;
            x = b[i]!;
          }
          this.style = style;
        } else {
          this.type = typeOf(b, i);
        }
        while (i < end && b[i] !== 34) i += 1;
        i += 1;
      } else if (c === 47) {
        this.empty = true;
        return i + 2;
      } else if (i >= end) {
        return i;
      } else if (c < 32) {
        i += 1;
      } else {
        i = this.attribute(b, i, end);
      }
    }
  }

  /**
   * Reads an attribute that `cell` did not recognise: a foreign one, or a known one with other quotes or blanks. A known one
   * takes effect.
   *
   * @returns the index after it
   */
  private attribute(b: Uint8Array, from: number, end: number): number {
    let i = from;
    while (i < end && b[i]! > 32 && b[i] !== 61) i += 1;
    const name = i - from === 1 ? b[from] : 0;
    if (i - from === 2 && spells(b, from, "vm")) this.rich = true;
    while (i < end && b[i] !== 34 && b[i] !== 39) i += 1;
    const quote = b[i];
    const value = i + 1;
    i += 1;
    while (i < end && b[i] !== quote) i += 1;
    if (name === 116) this.type = typeOf(b, value);
    else if (name === 115) this.style = Number(asText(b, value, i)) || 0;
    else if (name === 114) this.column = columnOf(b, value, this.column);
    return i + 1;
  }

  /** @returns the index after </c> */
  private content(b: Uint8Array, at: number, end: number): number {
    const P = this.prefix;
    const { value } = this;
    let i = at;
    let formula = NO_FORMULA;
    while (i < end) {
      if (b[i] !== 60) {
        i += 1;
        continue;
      }
      const c = b[i + 1 + P]!;
      const next = b[i + 2 + P]!;
      if (c === 118 && (next === 62 || next <= 32 || next === 47)) {
        i += 2 + P;
        while (i < end && b[i] !== 62) i += 1;
        i += 1;
        if (b[i - 2] === 47) continue;
        i = value.value(b, i, end, this.type, this.style, this.rowNumber, this.column);
        while (i < end && b[i] !== 60) i += 1;
        i += P + 4; // </v>
      } else if (b[i + 1] === 47 && next === 99 && b[i + 3 + P]! <= 62) {
        const isRich = this.rich && value.kind === CELL.error;
        if (formula === DISPIMG || (isRich && (formula === NO_FORMULA || formula === IMAGE)))
          value.setPicture(this.rowNumber, this.column);
        if (formula !== NO_FORMULA && value.kind === 0) this.formulas += 1;
        return i + P + 4; // </c>
      } else {
        const from = i;
        i = this.other(b, i, end);
        if (c === 102) formula = formulaOf(b, from, i);
      }
    }
    return i;
  }

  /** Handles an element that is not <v>. @returns the index after it; `end` when it is incomplete */
  private other(b: Uint8Array, at: number, end: number): number {
    const P = this.prefix;
    const { value } = this;
    if (b[at + 1 + P] === 105 && b[at + 2 + P] === 115) {
      const i = value.inline(b, at, end);
      if (i < end) {
        value.kind = CELL.text;
        value.v = this.context.builder.endText(this.rowNumber, this.column);
        value.keepStyle(this.style);
      }
      return i;
    }
    const i = b[at + 1] === 47 ? skipMarkup(b, at, end) : skipElement(b, at, end);
    return i < 0 ? end : i;
  }
}
