/** What charts over time are given. See docs/session.md#charts-over-time. */

/** In the order in which neighbours should use them; each is readable on a light and a dark surface. */
export const CHART_COLOURS = {
  blue: "#1890ff",
  green: "#12a150",
  amber: "#d98a00",
  red: "#e5484d",
  violet: "#8f7ee7",
  teal: "#0e9aa7",
  pink: "#d6589f",
  grey: "#7d8799",
} as const;
export type ChartColour = keyof typeof CHART_COLOURS;

export interface TimeSeries {
  readonly name: string;
  /** Stands behind its numbers, with the space before it: " ms". */
  readonly unit: string;
  /** Series of one scale share it; a chart shows axes of two, left and right. Left out: one scale for each unit. */
  readonly scale?: string;
  readonly colour: ChartColour;
  /** bars for what happened in each step; area for one that fills. */
  readonly shape?: "line" | "bars" | "area";
  /** One for each time; null: unknown, which leaves a gap. */
  readonly y: readonly (number | null)[];
  /** The scale reaches at least so far, so that little does not look like much. */
  readonly atLeast?: number;
}

/** A time with words, drawn as a band behind the lines. */
export interface TimeMark {
  readonly from: number;
  /** The same as `from` for a moment. */
  readonly to: number;
  readonly words: string;
  readonly tone: "bad" | "warn" | "info";
}
