/** A figure of the fleet over time, from the rows of all processes and companies (docs/server.md#reports-of-cores). Pure. */
import type { z } from "zod";
import {
  addSparse,
  countIn,
  emptyHistogram,
  quantile,
} from "../../../shared/domain/latency-histogram.ts";
import type { fleetSeriesCall } from "../../../shared/protocol/rest/fleet.ts";
import { serverKind } from "../../../shared/domain/server-figures.ts";
import { groupedBy } from "./grouped.ts";
import { isLevel } from "../../../shared/domain/fleet-names.ts";
import { isLatency, type StoredFigures } from "./figures.ts";
import { type Step, STEPS } from "./rollup.ts";
import type { Keeping } from "./store.ts";

export type Series = z.input<typeof fleetSeriesCall.data>;
type Kind = Series["kind"];

/** The longest time that is shown in steps of this many seconds, ms. */
const LONGEST: Readonly<Record<Step, number>> = {
  10: 2 * 3_600_000,
  60: 48 * 3_600_000,
  3600: 400 * 86_400_000,
};
export const LONGEST_MS = LONGEST[3600];
/** ms between two readings of a level. */
const READING_MS = 10_000;

/** The finest step that is kept since `from` and does not give too many points. */
export function stepFor(from: number, to: number, now: number, keeping: Keeping): Step {
  const fits = STEPS.find((step) => to - from <= LONGEST[step] && from >= now - keeping[step]);
  return fits ?? 3600;
}

export const kindOf = (metric: string): Kind =>
  serverKind(metric) ?? (isLatency(metric) ? "latency" : isLevel(metric) ? "level" : "counter");
/** Where the database has figures of a kind. */
export const PLACES: Readonly<Record<Kind, keyof StoredFigures>> = {
  counter: "c",
  level: "l",
  latency: "h",
};

interface Row {
  readonly time: string;
  readonly companyId: string;
  readonly value: unknown;
}

const byTime = (rows: readonly Row[]): [string, Row[]][] => [...groupedBy(rows, (row) => row.time)];

const rounded = (value: number): number => Math.round(value * 100) / 100;

function latencies(rows: readonly Row[], seconds: Step): Series {
  const total = emptyHistogram();
  const points = byTime(rows).map(([time, at]) => {
    const sum = emptyHistogram();
    for (const { value } of at) {
      addSparse(sum, value as number[]);
      addSparse(total, value as number[]);
    }
    const [p50, p99] = [quantile(sum, 0.5) ?? 0, quantile(sum, 0.99) ?? 0];
    return { time, value: countIn(sum), p50, p99 };
  });
  const [p50, p99] = [quantile(total, 0.5), quantile(total, 0.99)];
  return { kind: "latency", seconds, points, total: { value: countIn(total), p50, p99 } };
}

/**
 * A process that began or ended within a step has fewer readings than the step has. So the sums are divided by the number that the step
 * has, or has had until now.
 */
function levels(rows: readonly Row[], seconds: Step, now: number): Series {
  const points = byTime(rows).map(([time, at]) => {
    const passed = Math.min(seconds * 1000, now - Date.parse(time));
    const readings = Math.max(1, Math.floor(passed / READING_MS));
    const companies = groupedBy(at, ({ companyId }) => companyId);
    let [mean, most] = [0, 0];
    for (const list of companies.values()) {
      const each = list.map(({ value }) => value as readonly [number, number, number]);
      const here = each.reduce((sum, [one]) => sum + one, 0) / readings;
      mean += here;
      most += Math.max(here, ...each.map(([, greatest]) => greatest));
    }
    return { time, value: rounded(mean), most: rounded(most) };
  });
  const mean =
    points.length === 0 ? 0 : points.reduce((sum, { value }) => sum + value, 0) / points.length;
  return {
    kind: "level",
    seconds,
    points,
    total: { value: rounded(mean), p50: null, p99: null },
  };
}

function counters(rows: readonly Row[], seconds: Step): Series {
  const points = byTime(rows).map(([time, at]) => ({
    time,
    value: at.reduce((sum, { value }) => sum + Number(value), 0),
  }));
  const value = points.reduce((sum, point) => sum + point.value, 0);
  return { kind: "counter", seconds, points, total: { value, p50: null, p99: null } };
}

export function seriesOf(kind: Kind, rows: readonly Row[], seconds: Step, now: number): Series {
  if (kind === "latency") return latencies(rows, seconds);
  return kind === "level" ? levels(rows, seconds, now) : counters(rows, seconds);
}
