/** The time that charts show, and how gestures change it. Pure. Times are in ms since the epoch. */

export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** How far a person may go. */
export interface RangeLimits {
  readonly bounds: TimeRange;
  /** ms of the shortest range */
  readonly least: number;
}

/** How much one press of a key zooms and pans. */
const ZOOM = 0.5;
const PAN = 0.2;

const clamp = (value: number, low: number, high: number): number =>
  Math.min(Math.max(value, low), Math.max(low, high));

const spanOf = ({ from, to }: TimeRange): number => to - from;

function placed(from: number, span: number, { bounds }: RangeLimits): TimeRange {
  const begin = Math.round(clamp(from, bounds.from, bounds.to - span));
  return { from: begin, to: begin + Math.round(span) };
}

/** @param by ms, later times are positive */
export const panned = (range: TimeRange, by: number, limits: RangeLimits): TimeRange =>
  placed(range.from + by, Math.min(spanOf(range), spanOf(limits.bounds)), limits);

/**
 * @param factor below 1 shows less time
 * @param at the time that stays where it is
 */
export function zoomed(
  range: TimeRange,
  factor: number,
  at: number,
  limits: RangeLimits,
): TimeRange {
  const span = clamp(spanOf(range) * factor, limits.least, spanOf(limits.bounds));
  const share = spanOf(range) > 0 ? (at - range.from) / spanOf(range) : 0.5;
  return placed(at - share * span, span, limits);
}

/** What is asked for, within the limits. */
export const bounded = (range: TimeRange, limits: RangeLimits): TimeRange =>
  zoomed(range, 1, (range.from + range.to) / 2, limits);

/** @returns the range after a key; null: the whole time; undefined: the key means nothing to charts */
export function rangeAfterKey(
  key: string,
  range: TimeRange,
  limits: RangeLimits,
): TimeRange | null | undefined {
  const middle = (range.from + range.to) / 2;
  switch (key) {
    case "ArrowLeft":
      return panned(range, -PAN * spanOf(range), limits);
    case "ArrowRight":
      return panned(range, PAN * spanOf(range), limits);
    case "+":
    case "=":
      return zoomed(range, ZOOM, middle, limits);
    case "-":
    case "_":
      return zoomed(range, 1 / ZOOM, middle, limits);
    case "0":
    case "Home":
      return null;
    default:
      return undefined;
  }
}
