/** The drawing of one chart: uPlot, created once for the looks of its series. New numbers and a new range only draw again. */
import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { TimeMark, TimeSeries } from "./contracts.ts";
import { listenForGestures } from "./gestures.ts";
import { plotOptions, type SeriesLook } from "./plot-options.ts";
import type { RangeGroup } from "./range-group.ts";

export interface PlotProps {
  readonly label: string;
  readonly x: readonly number[];
  readonly series: readonly TimeSeries[];
  readonly marks: readonly TimeMark[];
  readonly group: RangeGroup;
  /** Index of the times at which the cursor of the group is; null: it is away. */
  readonly onCursor: (index: number | null) => void;
}

const LEAST_WIDTH = 120;

const looksOf = (series: readonly TimeSeries[]): string =>
  JSON.stringify(
    series.map(({ unit, scale = unit, colour, shape, atLeast }): SeriesLook => ({
      scale,
      colour,
      ...(shape === undefined ? {} : { shape }),
      ...(atLeast === undefined ? {} : { atLeast }),
    })),
  );

const columnsOf = ({ x, series }: Pick<PlotProps, "x" | "series">): uPlot.AlignedData =>
  [x, ...series.map(({ y }) => y)] as uPlot.AlignedData;

export default function Plot(props: PlotProps) {
  const { label, x, series, marks, group } = props;
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | null>(null);
  const latest = useRef(props);
  const looks = looksOf(series);

  useEffect(() => {
    latest.current = props;
  });

  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const width = (): number => Math.max(element.clientWidth, LEAST_WIDTH);
    const made = new uPlot(
      plotOptions({
        looks: JSON.parse(looks) as SeriesLook[],
        width: width(),
        height: element.clientHeight,
        group,
        marks: () => latest.current.marks,
        onCursor: (index) => latest.current.onCursor(index),
      }),
      columnsOf(latest.current),
      element,
    );
    chart.current = made;
    const stopGestures = listenForGestures({
      box: element,
      over: made.over,
      group,
      choose: (chosen) =>
        made.setSelect(
          {
            left: chosen?.left ?? 0,
            width: chosen?.width ?? 0,
            top: 0,
            height: chosen === null ? 0 : made.over.clientHeight,
          },
          false,
        ),
    });
    const stopListening = group.listen(({ from, to }) => {
      made.setScale("x", { min: from, max: to });
    });
    const watch = new ResizeObserver(() => {
      const size = { width: width(), height: element.clientHeight };
      if (size.width !== made.width || size.height !== made.height) made.setSize(size);
    });
    watch.observe(element);
    // observe the body's attribute, because only then are the new colours surely in place
    const theme = new MutationObserver(() => made.redraw(false, true));
    theme.observe(document.body, { attributeFilter: ["arco-theme"] });
    return () => {
      stopGestures();
      stopListening();
      watch.disconnect();
      theme.disconnect();
      chart.current = null;
      made.destroy();
    };
  }, [looks, group]);

  useEffect(() => {
    chart.current?.setData(columnsOf({ x, series }));
  }, [x, series]);

  useEffect(() => {
    if (marks.length >= 0) chart.current?.redraw(false, false);
  }, [marks]);

  // Arrow keys pan: an application handles its keys itself, and a screen reader passes them on.
  return (
    <div ref={box} className="chart-plot" role="application" aria-label={label} tabIndex={0} />
  );
}
