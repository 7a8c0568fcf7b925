/** Converts points of the slices to uPlot's columns; the first column is the time in seconds since the epoch. Pure. */

export type Column = readonly (number | null)[];

/**
 * @param at returns a point's time in ms
 * @param fields the fields that become columns, in this order
 */
export function columns<P>(
  points: readonly P[],
  at: (point: P) => number,
  fields: readonly ((point: P) => number | null)[],
): Column[] {
  return [points.map((p) => at(p) / 1000), ...fields.map((field) => points.map((p) => field(p)))];
}

/** Formats a number with at most one decimal; "–" when there is none. */
export function figure(value: number | null | undefined, unit = ""): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const digits = Math.abs(value) >= 100 ? 0 : 1;
  return `${Number(value.toFixed(digits))}${unit}`;
}
