/** The metrics that a rule of alerts may watch, and how each can be measured (docs/server.md#alerts). Pure. */
import {
  type RuleKind,
  type RuleMeasure,
  type RuleReach,
  WATCHED_THINGS,
} from "../../../shared/domain/alert-rules.ts";
import { METRIC_TEXTS, metricUnit } from "../../../shared/domain/alert-texts.ts";
import { isLevel } from "../../../shared/domain/fleet-names.ts";
import { serverKind } from "../../../shared/domain/server-figures.ts";

export type MetricKind = "counter" | "level" | "latency";

export function metricKind(metric: string): MetricKind {
  if (metricUnit(metric) === "ms" || /^(command|route)\./.test(metric)) return "latency";
  return serverKind(metric) ?? (isLevel(metric) ? "level" : "counter");
}

const MEASURES: Readonly<Record<MetricKind, readonly RuleMeasure[]>> = {
  counter: ["sum"],
  level: ["mean", "most"],
  latency: ["p50", "p99"],
};
/** How the figures of a metric can become one number. The usual measure is first. */
export const measuresOf = (metric: string): readonly RuleMeasure[] => MEASURES[metricKind(metric)];

export const isWatched = (metric: string): boolean =>
  (WATCHED_THINGS as readonly string[]).includes(metric);
/** Metrics that exist only in parts. A rule watches each part by itself. */
const IN_PARTS: readonly string[] = ["lost"];
const WITH_PARTS: readonly string[] = ["errors.*", "lost.*", "failed.*", "command.*", "route.*"];
/** Figures of the server belong to no company. */
const isOfServer = (metric: string): boolean => /^(server|route)\./.test(metric);

/** What a rule of this kind may watch. An absence can also watch whether a counter still counts. */
export function metricsFor(kind: RuleKind, reach: RuleReach = "platform"): readonly string[] {
  const counted = Object.keys(METRIC_TEXTS).filter(
    (metric) => !isWatched(metric) && !IN_PARTS.includes(metric),
  );
  const all =
    kind === "absence"
      ? [...WATCHED_THINGS, ...counted.filter((metric) => metricKind(metric) === "counter")]
      : [...counted, ...WITH_PARTS];
  return reach === "platform"
    ? all
    : all.filter((metric) => !isOfServer(metric) && !isWatched(metric));
}

/** By what a measure may be divided: counters, and levels without a unit. */
export const dividers = (reach: RuleReach = "platform"): readonly string[] =>
  metricsFor("threshold", reach).filter(
    (metric) =>
      metricKind(metric) !== "latency" && metricUnit(metric) === "" && !metric.endsWith("*"),
  );

/** Whether the divided measure is a share of its whole, which is shown in percent. */
export const isShare = (metric: string, per: string | null): boolean =>
  per !== null &&
  metricUnit(metric) === "" &&
  (per.startsWith("server.") || metric.startsWith("lost"));
