/** What the chart of an alert shows: which figures are read, and how they become what the rule measures. Pure. */
import type { AlertRule } from "../../../shared/domain/alert-rules.ts";
import { metricUnit } from "../../../shared/domain/alert-texts.ts";
import type { Alert } from "../../../shared/protocol/rest/alerts.ts";
import type { TimeRange } from "../../components/charts/time-range.ts";
import { type Point, valuesAt } from "../fleet/chart-data.ts";
import type { Scope } from "../fleet/fleet-view.ts";
import { isShare, metricKind } from "./metrics.ts";

/** ms that the chart shows before the beginning and after the end. */
export const AROUND_MS = 30 * 60_000;

/** A metric of `fleet.series`, or one part of what `fleet.parts` has. */
export type Source =
  | { readonly metric: string }
  | { readonly of: "lost" | "opened" | "routes"; readonly part: string };

/** The metric that the chart shows in place of a thing that has gone silent. */
const OF_THINGS: Readonly<Record<string, string>> = {
  database: "server.database",
  process: "server.memory",
  "media-node": "server.streams-out",
};

export const chartMetric = ({ metric, kind }: Pick<Alert, "metric" | "kind">): string =>
  kind === "absence" ? (OF_THINGS[metric] ?? metric) : metric;

export function sourceOf(alert: Pick<Alert, "metric" | "kind" | "subject">): Source {
  const metric = chartMetric(alert);
  const { name } = alert.subject;
  if (!metric.endsWith(".*")) {
    return metric === "lost" ? { of: "lost", part: name } : { metric };
  }
  if (metric === "lost.*") return { of: "lost", part: name };
  if (metric === "route.*") return { of: "routes", part: name };
  return { metric: metric.slice(0, -1) + name };
}

/** What the chart is called: the part that the alert is about. */
export function namedMetric(alert: Pick<Alert, "metric" | "kind" | "subject">): string {
  const metric = chartMetric(alert);
  if (!metric.endsWith(".*")) return metric;
  return metric === "lost.*" ? "lost" : metric.slice(0, -1) + alert.subject.name;
}

/** From half an hour before the beginning until half an hour after the end, but not beyond now. All in ms since the epoch. */
export function chartRange(
  alert: Pick<Alert, "startTime" | "endTime">,
  now: number,
): { readonly full: TimeRange; readonly alert: TimeRange } {
  const from = Date.parse(alert.startTime);
  const end = alert.endTime === null ? now : Date.parse(alert.endTime);
  const to = Math.max(from, end);
  return {
    full: { from: from - AROUND_MS, to: Math.max(from + 1, Math.min(to + AROUND_MS, now)) },
    alert: { from, to },
  };
}

/** Whose figures of which time are read. */
export interface Asked {
  readonly scope: Scope;
  /** Of the alert, which an operator of the platform may see for another company. */
  readonly company?: string;
  readonly from: string;
  readonly to: string;
}

/** @param scope company: of the own one */
export const askedFor = (
  { companyId }: Pick<Alert, "companyId">,
  scope: Scope,
  { from, to }: TimeRange,
): Asked => ({
  scope,
  ...(scope === "all" && companyId !== null ? { company: companyId } : {}),
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
});

export interface Found {
  readonly kind: "counter" | "level" | "latency";
  /** Of a step. */
  readonly seconds: number;
  readonly points: readonly Point[];
}

type Measured = Pick<AlertRule, "measure" | "window">;

/**
 * What the rule measures at each time: durations as they are, counts and levels over the window that ends there. A step longer than the
 * window counts as the part of it that the window has.
 */
export function measuredAt(
  times: readonly number[],
  { kind, seconds, points }: Found,
  { measure, window }: Measured,
): (number | null)[] {
  if (kind === "latency") {
    const which = measure === "p50" ? "p50" : "p99";
    return valuesAt(
      times,
      points,
      (point) => point[which],
      () => null,
    );
  }
  const first = points[0] === undefined ? Number.POSITIVE_INFINITY : Date.parse(points[0].time);
  const steps = valuesAt(
    times,
    points,
    (point) => (measure === "most" ? (point.most ?? point.value) : point.value),
    // a counter that did not grow has no point
    (time) => (kind === "counter" && time >= first ? 0 : null),
  );
  const width = Math.max(1, Math.round(window / seconds));
  return steps.map((_step, at) => {
    const here = steps.slice(Math.max(0, at + 1 - width), at + 1).filter((step) => step !== null);
    if (here.length === 0) return null;
    if (kind === "level" && measure === "most") return Math.max(...here);
    const sum = here.reduce((all, step) => all + step, 0);
    return kind === "level" ? sum / here.length : (sum * window) / (width * seconds);
  });
}

/** @param whole null: the rule does not divide */
export function dividedBy(
  values: readonly (number | null)[],
  whole: readonly (number | null)[] | null,
  times: number,
): (number | null)[] {
  if (whole === null) return values.map((value) => (value === null ? null : value * times));
  return values.map((value, at) => {
    const all = whole[at] ?? null;
    return value === null || all === null || all === 0 ? null : (value / all) * times;
  });
}

/** The unit of the numbers of the chart, with the space before it, and the factor for measured numbers. */
export function chartUnit(
  metric: string,
  per: string | null,
): { readonly unit: string; readonly times: number } {
  if (isShare(metric, per)) return { unit: "%", times: 100 };
  const unit = metricUnit(metric);
  return { unit: unit === "" ? "" : ` ${unit}`, times: 1 };
}

/** The usual measure of a metric that is shown in place of a thing. */
export const usualMeasure = (metric: string): Measured => ({
  measure:
    metricKind(metric) === "latency" ? "p99" : metricKind(metric) === "level" ? "mean" : "sum",
  window: 60,
});
