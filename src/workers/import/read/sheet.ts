/** A sheet's XML: the part before the rows, the rows, the part after them. `<dimension>` is ignored because it is often wrong. */
import { RowTokens, type Seen } from "./row-tokens.ts";
import { AppError } from "../../../shared/errors.ts";
import type { RowsPiece } from "../../../shared/protocol/read-ahead.ts";
import { corrupt } from "./faults.ts";
import { LIMITS } from "./limits.ts";
import { prefixLength, skipMarkup, spells } from "./markup.ts";
import type { Merge } from "../contracts.ts";
import type { Tokens } from "./pump.ts";
import type { CellContext } from "./values.ts";

export interface SheetFacts extends Seen {
  hiddenColumns: number;
  /** Number of merged blocks. */
  merged: number;
  /** The columns of those that have several rows. */
  readonly merges: readonly Merge[];
}

export class SheetTokens implements Tokens<RowsPiece> {
  done = false;
  private place: "head" | "rows" | "tail" = "head";
  private prefix = 0;
  private rows: RowTokens | null = null;
  private hiddenColumns = 0;
  private merged = 0;
  private readonly merges: Merge[] = [];
  private readonly context: CellContext;
  private readonly maxRows: number;

  constructor(context: CellContext, maxRows: number) {
    this.context = context;
    this.maxRows = maxRows;
  }

  get facts(): SheetFacts {
    const { hiddenColumns, merged, merges } = this;
    const seen = this.rows?.seen ?? { hiddenRows: 0, formulas: 0 };
    return { ...seen, hiddenColumns, merged, merges };
  }

  /** Highest index of a shared string used so far. */
  get maxShared(): number {
    return this.rows?.maxShared ?? -1;
  }

  stuck(): AppError {
    const row = (this.rows?.lastRow ?? 0) + 1;
    return new AppError("import.too-large", {
      message: `第 ${row} 行的内容过长，不像是正常的表格，请检查后再导入`,
      details: { limit: "row", row },
    });
  }

  feed(b: Uint8Array, end: number, last: boolean): number {
    let i = 0;
    while (!this.done) {
      const place = this.place;
      const next = place === "rows" ? this.feedRows(b, i, end) : this.feedAround(b, i, end);
      i = next;
      if (this.place === place) break;
    }
    if (last && !this.done) {
      if (this.place === "rows") throw corrupt("the sheet ends early");
      this.context.builder.flush();
    }
    return i;
  }

  adopt(piece: RowsPiece): boolean {
    if (this.place !== "rows" || this.rows === null) return false;
    this.rows.adopt(piece);
    return true;
  }

  private feedRows(b: Uint8Array, from: number, end: number): number {
    const P = this.prefix;
    const rows = this.rows;
    const { builder } = this.context;
    let i = from;
    if (rows === null) return i;
    for (;;) {
      while (i < end && b[i] !== 60) i += 1;
      // The end tag is the shortest markup possible here; wait until it fits.
      if (i + 12 + P > end) return i;
      if (b[i + 1 + P] === 114 && b[i + 2 + P] === 111 && b[i + 3 + P] === 119 && b[i + 1] !== 47) {
        const next = rows.row(b, i, end);
        if (next < 0) return i;
        i = next;
        if (builder.total >= this.maxRows) {
          builder.flush();
          this.done = true;
          return i;
        }
        continue;
      }
      const next = skipMarkup(b, i, end);
      if (next < 0) return i;
      const ended = b[i + 1] === 47 && spells(b, i + 2 + P, "sheetData");
      i = next;
      if (ended) {
        builder.flush();
        this.place = "tail";
        return i;
      }
    }
  }

  /** Handles the parts before and after the rows, one tag at a time. */
  private feedAround(b: Uint8Array, from: number, end: number): number {
    let i = from;
    for (;;) {
      while (i < end && b[i] !== 60) i += 1;
      if (i >= end) return i;
      const next = skipMarkup(b, i, end);
      if (next < 0) return i;
      const first = b[i + 1];
      if (first !== 33 && first !== 63 && first !== 47) {
        const P = prefixLength(b, i, end);
        const name = i + 1 + P;
        if (this.place === "tail") {
          if (spells(b, name, "mergeCell ")) this.addMerge(tagText(b, i, next));
        } else if (spells(b, name, "sheetData") && b[name + 9] !== 95) {
          this.prefix = P;
          this.rows = new RowTokens(this.context, P);
          this.place = b[next - 2] === 47 ? "tail" : "rows";
          return next;
        } else if (spells(b, name, "col ")) {
          if (/\bhidden\s*=\s*["'](?:1|true)/.test(tagText(b, i, next))) this.hiddenColumns += 1;
        }
      }
      i = next;
    }
  }

  private addMerge(tag: string): void {
    this.merged += 1;
    const ref = /\bref\s*=\s*["']\$?([A-Z]{1,3})\$?(\d{1,7}):\$?[A-Z]{1,3}\$?(\d{1,7})["']/.exec(
      tag,
    );
    if (ref === null || this.merges.length >= LIMITS.merges) return;
    const [, letters = "", top, bottom] = ref;
    let column = 0;
    for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
    if (Number(bottom) <= Number(top)) return;
    this.merges.push({ top: Number(top), bottom: Number(bottom), column: column - 1 });
  }
}

const tagText = (b: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...b.subarray(from, Math.min(to, from + 1000)));
