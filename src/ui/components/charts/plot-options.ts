/** How uPlot draws a chart over time. */
import uPlot from "uplot";
import { abbreviate, formatDate } from "../../../shared/domain/format.ts";
import { CHART_COLOURS, type TimeMark, type TimeSeries } from "./contracts.ts";
import type { RangeGroup } from "./range-group.ts";

/** What of a series is drawn otherwise when it changes. */
export type SeriesLook = Pick<TimeSeries, "colour" | "shape" | "atLeast"> & {
  readonly scale: string;
};

/** Read at every drawing, so that a redraw picks up the page's current colours. */
const token = (name: string): string => getComputedStyle(document.body).getPropertyValue(name);
const ink = (): string => token("--ink-3");
const line = (): string => token("--line");

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/** @param step ms between two of the times */
export function timeWords(time: number, step: number): string {
  if (step >= DAY) return formatDate(time, "{m}-{d}");
  const clock = formatDate(time, step >= MINUTE ? "{h}:{i}" : "{h}:{i}:{s}");
  return step >= MINUTE && clock === "00:00" ? formatDate(time, "{m}-{d}") : clock;
}

function paint(u: uPlot, marks: readonly TimeMark[]): void {
  const { ctx, bbox } = u;
  const ratio = uPlot.pxRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.font = `${12 * ratio}px ${token("--font")}`;
  ctx.textBaseline = "top";
  // the axes leave theirs
  ctx.textAlign = "left";
  for (const { from, to, words, tone } of marks) {
    const left = u.valToPos(from, "x", true);
    const width = Math.max(2 * ratio, u.valToPos(to, "x", true) - left);
    const name = tone === "info" ? "brand" : tone;
    ctx.fillStyle = token(`--${name}-soft`);
    ctx.fillRect(left, bbox.top, width, bbox.height);
    ctx.fillStyle = token(tone === "info" ? "--brand-text" : `--${tone}`);
    ctx.fillRect(left, bbox.top, width, 2 * ratio);
    ctx.fillText(words, Math.max(left, bbox.left) + 4 * ratio, bbox.top + 4 * ratio);
  }
  ctx.restore();
}

const paths = ({ shape }: SeriesLook): Pick<uPlot.Series, "paths"> => {
  const bars = shape === "bars" ? uPlot.paths.bars?.({ size: [0.8, 24, 1] }) : undefined;
  return bars === undefined ? {} : { paths: bars };
};

/** Half a browser is none: fractions are left out, as (null), where enough whole numbers are among the marks of an axis. */
export function wholeOnes(at: readonly number[]): (number | null)[] {
  const whole = at.map((n) => (Number.isInteger(n) ? n : null));
  return whole.filter((n) => n !== null).length >= 3 ? whole : [...at];
}

/** @param marks of the latest drawing @param onCursor index of the times at which the cursor is; null: it is away */
export function plotOptions(given: {
  readonly looks: readonly SeriesLook[];
  readonly width: number;
  readonly height: number;
  readonly group: RangeGroup;
  readonly marks: () => readonly TimeMark[];
  readonly onCursor: (index: number | null) => void;
}): uPlot.Options {
  const { looks, width, height, group, marks, onCursor } = given;
  const scales = [...new Set(looks.map(({ scale }) => scale))];
  const topOf = (scale: string): number =>
    Math.max(1, ...looks.map((look) => (look.scale === scale ? (look.atLeast ?? 0) : 0)));
  return {
    width,
    height,
    ms: 1,
    legend: { show: false },
    cursor: {
      drag: { x: false, y: false, setScale: false },
      y: false,
      points: { size: 6 },
      sync: { key: group.key, scales: ["x", null] },
    },
    // the last label of the time is half outside
    padding: [8, scales.length > 1 ? 0 : 24, 0, 0],
    scales: {
      x: { time: true, range: () => [group.shown().from, group.shown().to] },
      ...Object.fromEntries(
        scales.map((scale) => [
          `y${scale}`,
          {
            range: (_u: uPlot, _low: number | null, high: number | null): uPlot.Range.MinMax => [
              0,
              Math.max(topOf(scale), (high ?? 0) * 1.1),
            ],
          },
        ]),
      ),
    },
    axes: [
      {
        stroke: ink,
        grid: { stroke: line, width: 1 },
        ticks: { show: false },
        size: 28,
        space: 72,
        values: (_u, at, _axis, _space, step) => at.map((time) => timeWords(time, step)),
      },
      ...scales.slice(0, 2).map((scale, index) => ({
        scale: `y${scale}`,
        side: index === 0 ? 3 : 1,
        stroke: ink,
        size: 46,
        values: (_u: uPlot, at: (number | null)[]) =>
          at.map((n) => (n === null ? "" : abbreviate(n, 2))),
        filter: (_u: uPlot, at: number[]) => wholeOnes(at),
        ticks: { show: false },
        grid: index === 0 ? { stroke: line, width: 1 } : { show: false },
      })),
    ],
    series: [
      {},
      ...looks.map((look) => ({
        scale: `y${look.scale}`,
        stroke: CHART_COLOURS[look.colour],
        ...(look.shape === undefined || look.shape === "line"
          ? {}
          : { fill: `${CHART_COLOURS[look.colour]}${look.shape === "bars" ? "aa" : "22"}` }),
        width: look.shape === "bars" ? 0 : 1.5,
        points: { show: false },
        spanGaps: false,
        ...paths(look),
      })),
    ],
    hooks: {
      drawClear: [(u) => paint(u, marks())],
      setCursor: [(u) => onCursor(u.cursor.idx ?? null)],
    },
  };
}
