/** How fast rows go out, over the last few acknowledgements and by the wall clock. */
export interface Rate {
  /** @param sent rows that were answered for up to now */
  add(at: number, sent: number): void;
  clear(): void;
  /** Rows a second, null while there is too little to tell. */
  value(): number | null;
}

const SAMPLES = 12;

export function createRate(): Rate {
  let samples: { readonly at: number; readonly sent: number }[] = [];
  return {
    add(at, sent) {
      samples = [...samples, { at, sent }].slice(-SAMPLES);
    },
    clear() {
      samples = [];
    },
    value() {
      const [first, last] = [samples[0], samples.at(-1)];
      if (first === undefined || last === undefined) return null;
      const [ms, rows] = [last.at - first.at, last.sent - first.sent];
      // a clock that was set back tells nothing
      return ms > 0 && rows > 0 ? (rows / ms) * 1000 : null;
    },
  };
}
