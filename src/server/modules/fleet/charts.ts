/** All figures of a page of charts from one reading of the rows (docs/server.md#reports-of-cores). Pure. */
import type { z } from "zod";
import type { fleetChartsCall } from "../../../shared/protocol/rest/fleet.ts";
import { PART_PLACES, type PartsOf, partsOf } from "./parts.ts";
import { kindOf, PLACES, seriesOf } from "./series.ts";
import type { FiguresRow, RowsAsked, Wanted } from "./store.ts";

type Charts = z.input<typeof fleetChartsCall.data>;
type Column = Charts["series"][number]["value"];

export interface ChartsAsked {
  readonly metrics: readonly string[];
  readonly parts: readonly PartsOf[];
}

/** What of each row the charts need. */
export function wantedOf({ metrics, parts }: ChartsAsked): Wanted {
  const wantedAt = (place: "c" | "h" | "l") => ({
    names: metrics.filter((metric) => PLACES[kindOf(metric)] === place),
    // Lost and opened connections begin with the same word.
    begins: [
      ...new Set(
        parts
          .map((one) => PART_PLACES[one])
          .flatMap(({ kind, begin }) => (PLACES[kind] === place ? [begin] : [])),
      ),
    ],
  });
  return { c: wantedAt("c"), h: wantedAt("h"), l: wantedAt("l") };
}

export function chartsOf(
  asked: ChartsAsked,
  rows: readonly FiguresRow[],
  { step, from, to }: Pick<RowsAsked, "step" | "from" | "to">,
  now: number,
): Charts {
  const ms = step * 1000;
  const first = Math.ceil(from / ms) * ms;
  const steps = Math.max(0, Math.ceil((to - first) / ms));
  function columnOf<P extends { readonly time: string }>(
    points: readonly P[],
    read: (point: P) => number | undefined,
  ): Column {
    const column: Column = Array.from({ length: steps }, () => null);
    for (const point of points) {
      const place = (Date.parse(point.time) - first) / ms;
      if (place in column) column[place] = read(point) ?? null;
    }
    return column;
  }

  const series = asked.metrics.map((metric): Charts["series"][number] => {
    const kind = kindOf(metric);
    const place = PLACES[kind];
    const found = rows.flatMap(({ time, companyId, [place]: figures }) => {
      const value = Object.hasOwn(figures, metric) ? figures[metric] : undefined;
      return value === undefined ? [] : [{ time, companyId, value }];
    });
    const { points, total } = seriesOf(kind, found, step, now);
    return {
      metric,
      kind,
      value: columnOf(points, ({ value }) => value),
      ...(kind === "latency"
        ? { p50: columnOf(points, ({ p50 }) => p50), p99: columnOf(points, ({ p99 }) => p99) }
        : {}),
      total,
    };
  });
  const parts = asked.parts.map((of): Charts["parts"][number] => {
    const { kind } = PART_PLACES[of];
    const found =
      kind === "latency" ? partsOf(of, rows, step, now, 0) : partsOf(of, rows, step, now);
    return {
      of,
      kind,
      parts: found.parts.map(({ points, ...part }) => ({
        ...part,
        column: points.length === 0 ? [] : columnOf(points, ({ value }) => value),
      })),
    };
  });
  return { seconds: step, first, steps, series, parts };
}
