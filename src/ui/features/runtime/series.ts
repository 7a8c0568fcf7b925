/** Numbers of the page in words. Pure. */

/** Formats a number with at most one decimal; "–" when there is none. */
export function figure(value: number | null | undefined, unit = ""): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const digits = Math.abs(value) >= 100 ? 0 : 1;
  return `${Number(value.toFixed(digits))}${unit}`;
}
