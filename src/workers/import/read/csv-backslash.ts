/**
 * Rewrites a text in which a backslash escapes the next sign, as MySQL exports it, to the usual form with doubled quotes. Then the
 * other parts need not know it. `\N` stays as it is, since every csv may use it for a field without a value.
 */
import { grown } from "./grown.ts";
import { LIMITS } from "./limits.ts";

const QUOTE = 34;
const BACKSLASH = 92;
const LF = 10;
const CR = 13;
const N = 78;

const START = 0;
const BARE = 1;
const QUOTED = 2;
/** State after a quote within quotes: the closing quote or the first of two. */
const CLOSED = 3;

/** What letters mean behind a backslash; -1: nothing, because no text may contain it. */
const MEANS: Readonly<Record<number, number>> = {
  48: -1, // \0
  90: -1, // \Z
  98: -1, // \b
  110: LF, // \n
  114: CR, // \r
  116: 9, // \t
};

export class Backslashes {
  private state = START;
  private escaped = false;
  private field = new Uint8Array(256);
  private length = 0;
  /** Whether the field must stand within quotes. */
  private isSpecial = false;
  private out = new Uint8Array(1 << 16);
  private size = 0;
  private readonly delimiter: number;

  constructor(delimiter: string) {
    this.delimiter = delimiter.charCodeAt(0);
  }

  /** @returns a new array; the end of an unfinished field comes with the next bytes */
  feed(b: Uint8Array, last: boolean): Uint8Array {
    this.size = 0;
    for (const c of b) this.readCharacter(c);
    if (last) {
      if (this.escaped) this.add(BACKSLASH);
      this.endField(this.state !== QUOTED);
    }
    return this.out.slice(0, this.size);
  }

  private readCharacter(c: number): void {
    if (this.escaped) {
      this.escaped = false;
      this.unescape(c);
      return;
    }
    if (c === BACKSLASH) {
      this.escaped = true;
      if (this.state === START) this.state = BARE;
      return;
    }
    if (this.state === QUOTED) {
      if (c === QUOTE) this.state = CLOSED;
      else this.add(c);
      // A quote that is never closed: the reader of the fields names its row.
      if (this.length > LIMITS.cell) this.endField(false);
      return;
    }
    if (c === QUOTE) {
      if (this.state === START) {
        this.state = QUOTED;
        return;
      }
      this.add(QUOTE);
      if (this.state === CLOSED) this.state = QUOTED;
      return;
    }
    if (c === this.delimiter || c === LF || c === CR) {
      this.endField(true);
      this.put(c);
      this.state = START;
      return;
    }
    this.add(c);
    if (this.state === START) this.state = BARE;
  }

  private unescape(c: number): void {
    if (c === N && this.length === 0) {
      this.add(BACKSLASH);
      this.add(N);
      return;
    }
    const means = MEANS[c] ?? c;
    if (means >= 0) this.add(means);
  }

  private add(c: number): void {
    if (this.length === this.field.length) this.field = grown(this.field, 2 * this.length);
    this.field[this.length] = c;
    this.length += 1;
    if (c === QUOTE || c === this.delimiter || c === LF || c === CR) this.isSpecial = true;
  }

  private endField(isClosed: boolean): void {
    const { field, length } = this;
    const isQuoted = this.isSpecial || !isClosed;
    if (isQuoted) this.put(QUOTE);
    for (let i = 0; i < length; i += 1) {
      const c = field[i]!;
      if (isQuoted && c === QUOTE) this.put(QUOTE);
      this.put(c);
    }
    if (this.isSpecial && isClosed) this.put(QUOTE);
    this.length = 0;
    this.isSpecial = false;
  }

  private put(c: number): void {
    if (this.size === this.out.length) this.out = grown(this.out, 2 * this.size);
    this.out[this.size] = c;
    this.size += 1;
  }
}
