/** The sending rate over the last acknowledgements, by the wall clock. */
export interface Rate {
  /** @param at ms since 1970 @param sent rows that were acknowledged so far */
  add(at: number, sent: number): void;
  clear(): void;
  /** Rows per second; null while there are too few samples. */
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
      // A clock that was set back gives no rate.
      return ms > 0 && rows > 0 ? (rows / ms) * 1000 : null;
    },
  };
}
