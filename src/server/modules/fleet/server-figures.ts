/** Reads the server's own metrics every 10 s as figures that are kept over time (docs/server.md#figures-of-servers). */
import type { MetricObjectWithValues, MetricValue, Registry } from "prom-client";
import {
  DATABASE_FIGURE,
  ROUTE_FIGURES,
  SERVER_FIGURES,
  type ServerFigure,
} from "../../../shared/domain/server-figures.ts";
import { bucketOf, emptyHistogram, toSparse } from "../../../shared/domain/latency-histogram.ts";
import type { StoredFigures } from "./figures.ts";

/** The company of figures that belong to none. */
export const NO_COMPANY = "0";

type Metric = MetricObjectWithValues<MetricValue<string>>;
interface Value {
  readonly value: number;
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number | undefined>>;
}

// prom-client gives a histogram names and labels that its types leave out.
const valuesOf = ({ values }: Metric): readonly Value[] => values as unknown as Value[];
const fits = ({ labels }: Value, where: ServerFigure["where"] = {}): boolean =>
  Object.entries(where).every(([name, pattern]) => pattern.test(String(labels[name] ?? "")));

export interface ServerFigures {
  /** What happened since the last call, and what is now. */
  read(): Promise<StoredFigures>;
}

/** @param ping resolves once the database has answered, with the ms that it took; null: it did not */
export function createServerFigures(
  metrics: Pick<Registry, "getMetricsAsJSON">,
  ping: () => Promise<number | null>,
): ServerFigures {
  /** Sums of counters and of buckets at the last call, by name. */
  const before = new Map<string, number>();

  /** How much more it is than at the last call; a counter that began again begins at zero. */
  const more = (name: string, value: number): number => {
    const last = before.get(name) ?? 0;
    before.set(name, value);
    return value >= last ? value - last : value;
  };

  /** The durations of a histogram since the last call, by what `keyOf` makes of their labels. */
  function durations(
    name: string,
    metric: Metric,
    keyOf: (labels: Value["labels"]) => string,
  ): Map<string, number[]> {
    const buckets = new Map<string, Map<number, number>>();
    for (const { value, metricName, labels } of valuesOf(metric)) {
      if (metricName?.endsWith("_bucket") !== true) continue;
      const bound = labels["le"] === "+Inf" ? Number.POSITIVE_INFINITY : Number(labels["le"]);
      const key = keyOf(labels);
      const all = buckets.get(key) ?? new Map<number, number>();
      buckets.set(key, all.set(bound, (all.get(bound) ?? 0) + value));
    }
    const found = new Map<string, number[]>();
    for (const [key, bounds] of buckets) {
      const sum = emptyHistogram();
      let [lower, counted] = [0, 0];
      for (const [bound, count] of [...bounds].toSorted((a, b) => a[0] - b[0])) {
        const here = more(`${name} ${key} ${bound}`, count);
        // Between two bounds nothing more is known; behind the last one at least that.
        const middle =
          bound === Number.POSITIVE_INFINITY
            ? lower
            : lower === 0
              ? bound / 2
              : Math.sqrt(lower * bound);
        const bucket = bucketOf(middle * 1000);
        sum[bucket] = (sum[bucket] ?? 0) + Math.max(0, here - counted);
        [lower, counted] = [bound, here];
      }
      const flat = toSparse(sum);
      if (flat.length > 0) found.set(key, flat);
    }
    return found;
  }
  const once = (ms: number): number[] => [bucketOf(ms), 1];

  return {
    async read() {
      const named = new Map(
        ((await metrics.getMetricsAsJSON()) as Metric[]).map((metric) => [metric.name, metric]),
      );
      const [c, l, h]: [
        Record<string, number>,
        Record<string, [number, number, number]>,
        Record<string, number[]>,
      ] = [{}, {}, {}];
      for (const [name, figure] of Object.entries<ServerFigure>(SERVER_FIGURES)) {
        const metric = named.get(figure.from);
        if (metric === undefined) continue;
        if (figure.kind === "latency" && String(metric.type) === "histogram") {
          const flat = durations(name, metric, () => "").get("");
          if (flat !== undefined) h[name] = flat;
          continue;
        }
        const sum = valuesOf(metric)
          .filter((value) => fits(value, figure.where))
          .reduce((all, { value }) => all + (Number.isFinite(value) ? value : 0), 0);
        const value = sum / (figure.per ?? 1);
        if (figure.kind === "latency") h[name] = once(sum * 1000);
        else if (figure.kind === "level") l[name] = [value, value, 1];
        else {
          const added = more(name, value);
          if (added > 0) c[name] = added;
        }
      }
      const routes = named.get(ROUTE_FIGURES.from);
      if (routes !== undefined) {
        const keyOf = (labels: Value["labels"]): string => `${labels["method"]} ${labels["route"]}`;
        for (const [route, flat] of durations("route", routes, keyOf)) {
          h[ROUTE_FIGURES.begin + route] = flat;
        }
      }
      const answered = await ping();
      if (answered !== null) h[DATABASE_FIGURE] = once(answered);
      return { c, h, l };
    },
  };
}
