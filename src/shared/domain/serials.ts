/** Splits spreadsheet serial numbers of days and times, in one way for display and storage. */

export interface SerialParts {
  readonly days: number;
  /** Seconds since midnight. */
  readonly seconds: number;
}

/** Rounds to whole seconds, because sums of fractions of a day can end just before midnight. */
export function readSerial(serial: number): SerialParts {
  const all = Math.round(serial * 86_400);
  const days = Math.floor(all / 86_400);
  return { days, seconds: all - days * 86_400 };
}
