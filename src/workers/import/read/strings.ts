/**
 * Shared strings, kept as bytes and offsets and decoded on demand. The runs of rich text are joined; phonetic guides are left
 * out.
 */
import { AppError } from "../../../shared/errors.ts";
import type { SharedStrings } from "../contracts.ts";
import { copyPlain, copyText } from "./bytes.ts";
import { corrupt, tooLarge } from "./faults.ts";
import { LIMITS } from "./limits.ts";
import { prefixLength, skipMarkup } from "./markup.ts";
import type { Tokens } from "./pump.ts";
import { textsOf } from "./texts.ts";

export interface StringTable extends SharedStrings {
  /** All strings by index, for rows as values. */
  all(): string[];
}

export class StringTokens implements Tokens {
  done = false;
  private readonly bytes: Uint8Array;
  private offsets: Uint32Array;
  private count = 0;
  private length = 0;
  private prefix = -1;
  private inPhonetic = false;
  private readonly enough: number;

  /**
   * @param size inflated bytes of the part; the texts are never longer
   * @param enough stop after this many strings
   */
  constructor(size: number, enough = Infinity) {
    this.bytes = new Uint8Array(size);
    this.offsets = new Uint32Array(1024);
    this.enough = enough;
  }

  feed(b: Uint8Array, end: number, last: boolean): number {
    let i = 0;
    if (this.prefix < 0) {
      i = this.readRoot(b, end);
      if (this.prefix < 0) return i;
    }
    const P = this.prefix;
    while (!this.done) {
      while (i < end && b[i] !== 60) i += 1;
      if (i + 2 + P >= end) break;
      const first = b[i + 1];
      if (first === 47) {
        const a = b[i + 2 + P];
        const z = b[i + 3 + P];
        const next = skipMarkup(b, i, end);
        if (next < 0) break;
        if (a === 115 && z === 105) this.endString();
        else if (a === 114 && z === 80) {
          // </rPh> but not </rPr>
          if (b[i + 4 + P] === 104) this.inPhonetic = false;
        } else if (a === 115 && z === 115) this.done = true;
        i = next;
        continue;
      }
      const a = b[i + 1 + P];
      const z = b[i + 2 + P];
      if (P === 0 && a === 115 && b[i + 3] === 62 && b[i + 5] === 116 && b[i + 6] === 62) {
        // Nearly all strings have the form <si><t>text</t></si>.
        const next = this.readPlain(b, i + 7, end);
        if (next > 0) {
          i = next;
          continue;
        }
      }
      if (a === 116 && (z === 62 || z === 32)) {
        const next = this.readText(b, i, end);
        if (next < 0) break;
        i = next;
        continue;
      }
      const next = skipMarkup(b, i, end);
      if (next < 0) break;
      if (b[next - 2] === 47) {
        if (a === 115 && z === 105) this.endString();
      } else if (a === 114 && z === 80 && b[i + 3 + P] === 104) this.inPhonetic = true;
      i = next;
    }
    if (last && !this.done) throw corrupt("shared strings end early");
    return i;
  }

  private readRoot(b: Uint8Array, end: number): number {
    let i = 0;
    for (;;) {
      while (i < end && b[i] !== 60) i += 1;
      const next = skipMarkup(b, i, end);
      if (next < 0) return i;
      if (b[i + 1] !== 33 && b[i + 1] !== 63) {
        this.prefix = prefixLength(b, i, end);
        const tag = String.fromCharCode(...b.subarray(i, Math.min(next, i + 2000)));
        const said = Number(/uniqueCount="(\d+)"/.exec(tag)?.[1] ?? 0);
        // The declared count is only a hint: a string takes at least nine bytes of the part.
        const capacity = Math.min(said, Math.floor(this.bytes.length / 9), LIMITS.stringCount);
        this.offsets = new Uint32Array(capacity + 1024);
        if (b[next - 2] === 47) this.done = true;
        return next;
      }
      i = next;
    }
  }

  /**
   * Reads the text at i if the string consists of one plain text. @returns the index after </si>; 0 when it has another form or
   * is incomplete
   */
  private readPlain(b: Uint8Array, at: number, end: number): number {
    const out = this.bytes;
    const shift = this.length - at;
    let i = at;
    for (;;) {
      const c = b[i]!;
      if (c === 60) break;
      if (c === 38 || c === 95 || c === 13 || i >= end) return 0;
      out[i + shift] = c;
      i += 1;
    }
    // </t></si>
    if (b[i + 1] !== 47 || b[i + 5] !== 47 || b[i + 6] !== 115 || b[i + 7] !== 105) return 0;
    if (i + 9 > end || this.inPhonetic) return 0;
    this.length = i + shift;
    this.endString();
    return i + 9;
  }

  /** Reads the text of the <t> at i. @returns where its end tag begins; -1 when that is not available yet */
  private readText(b: Uint8Array, at: number, end: number): number {
    let i = at + 2 + this.prefix;
    if (b[i] !== 62) {
      i = skipMarkup(b, at, end) - 1;
      if (i < 0) return -1;
      if (b[i - 1] === 47) return i + 1;
    }
    i += 1;
    const before = this.length;
    for (;;) {
      let e = i;
      while (e < end && b[e] !== 60) e += 1;
      if (e + 1 >= end) {
        this.length = before;
        return -1;
      }
      if (!this.inPhonetic) {
        const plain = copyPlain(b, i, e, this.bytes, this.length);
        this.length =
          plain === e - i
            ? this.length + plain
            : copyText(b, i + plain, e, this.bytes, this.length + plain);
      }
      if (b[e + 1] !== 33) return e;
      const next = skipMarkup(b, e, end);
      if (next < 0) {
        this.length = before;
        return -1;
      }
      // CDATA is literal text; a comment is skipped.
      if (b[e + 2] === 91 && !this.inPhonetic) {
        this.bytes.set(b.subarray(e + 9, next - 3), this.length);
        this.length += next - 12 - e;
      }
      i = next;
    }
  }

  private endString(): void {
    if (this.length - this.offsets[this.count]! > LIMITS.cell) {
      throw new AppError("import.cell-too-long");
    }
    this.count += 1;
    if (this.count >= LIMITS.stringCount) throw tooLarge("strings");
    if (this.count >= this.offsets.length) {
      const larger = new Uint32Array(2 * this.offsets.length);
      larger.set(this.offsets);
      this.offsets = larger;
    }
    this.offsets[this.count] = this.length;
    if (this.count >= this.enough) this.done = true;
  }

  stuck(): AppError {
    return new AppError("import.cell-too-long");
  }

  /** Call after the last bytes were fed. */
  table(): StringTable {
    return stringTable(this.bytes, this.offsets, this.count);
  }
}

export function stringTable(bytes: Uint8Array, offsets: Uint32Array, count: number): StringTable {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const at = (index: number): Uint8Array => {
    if (index < 0 || index >= count) throw corrupt(`shared string ${index} of ${count}`);
    return bytes.subarray(offsets[index], offsets[index + 1]);
  };
  return {
    count,
    bytes: at,
    text: (index) => decoder.decode(at(index)),
    all: () => textsOf(bytes, count, offsets, false),
  };
}

export const NO_STRINGS: StringTable = stringTable(new Uint8Array(0), new Uint32Array(1), 0);
