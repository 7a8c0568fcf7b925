/** Points of the slices as uPlot's columns (seconds since the epoch first). Pure. */

export type Column = readonly (number | null)[];

/**
 * @param at reads the instant in ms
 * @param fields what becomes a column each, in their order
 */
export function columns<P>(
  points: readonly P[],
  at: (point: P) => number,
  fields: readonly ((point: P) => number | null)[],
): Column[] {
  return [points.map((p) => at(p) / 1000), ...fields.map((field) => points.map((p) => field(p)))];
}

/** A figure with at most one decimal, "–" when there is none. */
export function figure(value: number | null | undefined, unit = ""): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const digits = Math.abs(value) >= 100 ? 0 : 1;
  return `${Number(value.toFixed(digits))}${unit}`;
}
