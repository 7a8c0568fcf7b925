/** Serial numbers of days and times in spreadsheets, cut up in one way for what a grid shows and for what is stored. */

export interface SerialParts {
  readonly days: number;
  /** Of the day. */
  readonly seconds: number;
}

/** Half a second of rounding is what serials hold: sums of fractions of a day end a hair before midnight. */
export function readSerial(serial: number): SerialParts {
  const all = Math.round(serial * 86_400);
  const days = Math.floor(all / 86_400);
  return { days, seconds: all - days * 86_400 };
}
