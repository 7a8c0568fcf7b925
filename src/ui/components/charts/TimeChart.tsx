/** One chart over time, inside of TimeCharts (docs/session.md#charts-over-time). Its legend shows the numbers at the cursor. */
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useRef } from "react";
import { abbreviate, formatDate } from "../../../shared/domain/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { retrying } from "../../state/retrying.ts";
import { CHART_COLOURS, type TimeMark, type TimeSeries } from "./contracts.ts";
import { CHART_TEXTS } from "./texts.ts";
import { useRangeGroup } from "./TimeCharts.tsx";

const Plot = lazy(() => retrying(() => import("./Plot.tsx")));

const NO_MARKS: readonly TimeMark[] = [];

const words = (value: number | null | undefined, unit: string): string =>
  value === null || value === undefined ? "–" : `${abbreviate(value)}${unit}`;
const lastOf = (y: TimeSeries["y"]): number | null => y.findLast((value) => value !== null) ?? null;

/**
 * @param props.x ms since the epoch, ascending; each series has one number for each
 * @param props.marks bands behind the lines
 * @param props.beside stands beside the title
 * @param props.loading the numbers are on their way, so that nothing is said of none
 */
export function TimeChart(props: {
  readonly title: string;
  readonly x: readonly number[];
  readonly series: readonly TimeSeries[];
  readonly marks?: readonly TimeMark[];
  readonly beside?: ReactNode;
  readonly loading?: boolean;
}) {
  const { title, x, series, marks = NO_MARKS, beside, loading = false } = props;
  const text = useTexts(CHART_TEXTS);
  const group = useRangeGroup();
  const legend = useRef<HTMLDListElement>(null);
  const clock = useRef<HTMLElement>(null);
  const latest = useRef({ x, series, marks });

  // Written past React: the cursor moves more often than a page should render.
  const onCursor = useCallback((index: number | null) => {
    const now = latest.current;
    legend.current?.querySelectorAll("dd").forEach((cell, i) => {
      const one = now.series[i];
      if (one === undefined) return;
      cell.textContent = words(index === null ? lastOf(one.y) : one.y[index], one.unit);
    });
    const time = index === null ? undefined : now.x[index];
    if (clock.current === null) return;
    const here = now.marks.filter(
      (mark) => time !== undefined && mark.from <= time && time <= mark.to,
    );
    clock.current.textContent =
      time === undefined
        ? ""
        : [formatDate(time, "{m}-{d} {h}:{i}:{s}"), ...here.map((mark) => mark.words)].join(" · ");
  }, []);
  useEffect(() => {
    latest.current = { x, series, marks };
    onCursor(null);
  });

  const isEmpty = series.every(({ y }) => y.every((value) => value === null));
  return (
    <section className="chart" aria-label={title}>
      <header>
        <h3>{title}</h3>
        <small ref={clock} className="chart-at tnum" />
        {beside}
      </header>
      <dl ref={legend} className="chart-legend">
        {series.map(({ name, colour }) => (
          <div key={name}>
            <dt>
              <i style={{ background: CHART_COLOURS[colour] }} aria-hidden="true" />
              {name}
            </dt>
            <dd className="tnum" />
          </div>
        ))}
      </dl>
      <div className="chart-area">
        <Suspense fallback={<div className="chart-plot" />}>
          <Plot
            label={title}
            x={x}
            series={series}
            marks={marks}
            group={group}
            onCursor={onCursor}
          />
        </Suspense>
        {isEmpty && !loading && <p className="chart-empty">{text("noData")}</p>}
      </div>
      {marks.length > 0 && (
        <ul className="chart-marks" aria-label={text("marks")}>
          {marks.map(({ from, words: said, tone }) => (
            <li key={`${from} ${said}`} data-tone={tone}>
              <time className="tnum">{formatDate(from, "{h}:{i}:{s}")}</time> {said}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
