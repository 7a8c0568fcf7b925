/** One uPlot chart, created once for its series. Every tick only passes new columns; a change of theme redraws it. */
import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { abbreviate, formatDate } from "../../../shared/domain/format.ts";
import type { Column } from "./series.ts";

export interface SeriesSpec {
  readonly label: string;
  readonly colour: string;
  /** Series of one scale share it; the first scale has the axis at the left, the second at the right. */
  readonly scale: string;
  /** Minimum upper end of the scale. */
  readonly atLeast: number;
}

const HEIGHT = 168;
const WINDOW_S = 120;

/** Read at every drawing, so that a redraw picks up the page's current colours. */
const token = (name: "--ink-3" | "--line"): string =>
  getComputedStyle(document.body).getPropertyValue(name);
const ink = (): string => token("--ink-3");
const line = (): string => token("--line");

function options(specs: readonly SeriesSpec[], width: number): uPlot.Options {
  const scales = [...new Set(specs.map((s) => s.scale))];
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, points: { size: 6 } },
    padding: [8, scales.length > 1 ? 0 : 8, 0, 0],
    scales: {
      // always show the last two minutes, so that a quiet stream looks quiet
      x: { time: true, range: (_u, _min, max) => [max - WINDOW_S, max] },
      ...Object.fromEntries(
        scales.map((name) => {
          const floor = Math.max(...specs.filter((s) => s.scale === name).map((s) => s.atLeast));
          return [
            name,
            { range: (_u: uPlot, _min: number, max: number) => [0, Math.max(floor, max * 1.1)] },
          ];
        }),
      ),
    },
    axes: [
      {
        stroke: ink,
        grid: { stroke: line, width: 1 },
        ticks: { show: false },
        size: 28,
        space: 80,
        values: (_u, at) => at.map((s) => formatDate(s * 1000, "{h}:{i}:{s}")),
      },
      ...scales.slice(0, 2).map((name, index) => ({
        scale: name,
        side: index === 0 ? 3 : 1,
        stroke: ink,
        size: 46,
        values: (_u: uPlot, at: number[]) => at.map((n) => abbreviate(n)),
        ticks: { show: false },
        grid: index === 0 ? { stroke: line, width: 1 } : { show: false },
      })),
    ],
    series: [
      {},
      ...specs.map((s) => ({
        label: s.label,
        scale: s.scale,
        stroke: s.colour,
        width: 1.5,
        points: { show: false },
        spanGaps: false,
      })),
    ],
  };
}

export default function Chart(props: {
  readonly label: string;
  readonly specs: readonly SeriesSpec[];
  readonly data: readonly Column[];
}) {
  const { label, specs, data } = props;
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | null>(null);
  const latest = useRef(data);

  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const made = new uPlot(
      options(specs, Math.max(element.clientWidth, 120)),
      latest.current as uPlot.AlignedData,
      element,
    );
    chart.current = made;
    const watch = new ResizeObserver(() => {
      const width = Math.max(element.clientWidth, 120);
      if (width !== made.width) made.setSize({ width, height: HEIGHT });
    });
    watch.observe(element);
    // observe the body's attribute, because only then are the new colours surely in place
    const theme = new MutationObserver(() => made.redraw(false, true));
    theme.observe(document.body, { attributeFilter: ["arco-theme"] });
    return () => {
      watch.disconnect();
      theme.disconnect();
      chart.current = null;
      made.destroy();
    };
  }, [specs]);

  useEffect(() => {
    latest.current = data;
    if (document.visibilityState === "visible") chart.current?.setData(data as uPlot.AlignedData);
  }, [data]);

  return <div ref={box} className="chart" role="img" aria-label={label} />;
}
