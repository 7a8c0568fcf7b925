/** Turns what the server answers of a time into series on one row of times. Pure. */
import type { PageCallData } from "../../../shared/protocol/rest/page-calls.ts";
import type { TimeRange } from "../../components/charts/time-range.ts";

export type Charts = PageCallData<"fleet.charts">;
export type ChartPart = Charts["parts"][number]["parts"][number];

export interface Point {
  /** ISO 8601 */
  readonly time: string;
  readonly value: number;
  readonly most?: number | undefined;
  readonly p50?: number | undefined;
  readonly p99?: number | undefined;
}

/** The begins of all steps of a time, ms since the epoch. @param seconds of a step */
export function stepsOf({ from, to }: TimeRange, seconds: number): number[] {
  const step = seconds * 1000;
  const first = Math.ceil(from / step) * step;
  const count = Math.max(0, Math.ceil((to - first) / step));
  return Array.from({ length: count }, (_, i) => first + i * step);
}

/** The begins of the steps of an answer, ms since the epoch; none while there is no answer. */
export const timesOf = (charts: Pick<Charts, "first" | "steps" | "seconds"> | null): number[] =>
  charts === null
    ? []
    : Array.from({ length: charts.steps }, (_, i) => charts.first + i * charts.seconds * 1000);

/** The parts of an answer, the largest first; null while they are loaded. */
export const partsIn = (
  charts: Charts | null,
  of: Charts["parts"][number]["of"],
): readonly ChartPart[] | null => charts?.parts.find((one) => one.of === of)?.parts ?? null;

/**
 * @param lacking what a step without a point has: null for what was not measured, 0 for what did not happen
 * @returns one number for each of the times
 */
export function valuesAt(
  times: readonly number[],
  points: readonly Point[],
  read: (point: Point) => number | undefined,
  lacking: (time: number) => number | null,
): (number | null)[] {
  const byTime = new Map(points.map((point) => [Date.parse(point.time), point]));
  return times.map((time) => {
    const point = byTime.get(time);
    const value = point === undefined ? undefined : read(point);
    return value ?? lacking(time);
  });
}
