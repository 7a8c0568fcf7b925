/** The metrics that a rule of alerts may watch, and how each can be measured (docs/server.md#alerts). Pure. */
import {
  type RuleKind,
  type RuleMeasure,
  WATCHED_THINGS,
} from "../../../shared/domain/alert-rules.ts";
import { METRIC_TEXTS, metricUnit } from "../../../shared/domain/alert-texts.ts";
import { serverKind } from "../../../shared/domain/server-figures.ts";

export type MetricKind = "counter" | "level" | "latency";

/** How many there are at a time, over all browsers. */
const LEVELS: readonly string[] = [
  "cores",
  "tabs",
  "visible",
  "ports",
  "unacked",
  "outbox",
  "uploads",
  "downloads",
  "imports",
  "quality",
  "memory",
];

export function metricKind(metric: string): MetricKind {
  if (metricUnit(metric) === "ms") return "latency";
  return serverKind(metric) ?? (LEVELS.includes(metric) ? "level" : "counter");
}

const MEASURES: Readonly<Record<MetricKind, readonly RuleMeasure[]>> = {
  counter: ["sum"],
  level: ["mean", "most"],
  latency: ["p50", "p99"],
};
/** How the figures of a metric can become one number; the usual way first. */
export const measuresOf = (metric: string): readonly RuleMeasure[] => MEASURES[metricKind(metric)];

const isWatched = (metric: string): boolean =>
  (WATCHED_THINGS as readonly string[]).includes(metric);
/** What is only there as parts, each of which is watched by itself. */
const IN_PARTS: readonly string[] = ["lost"];
const WITH_PARTS: readonly string[] = ["errors.*", "lost.*"];

/** What a rule of this kind may watch. */
export const metricsFor = (kind: RuleKind): readonly string[] =>
  kind === "absence"
    ? WATCHED_THINGS
    : [
        ...Object.keys(METRIC_TEXTS).filter(
          (metric) => !isWatched(metric) && !IN_PARTS.includes(metric),
        ),
        ...WITH_PARTS,
      ];

/** By what a measure may be divided: what counts and what there is of. */
export const dividers = (): readonly string[] =>
  metricsFor("threshold").filter(
    (metric) =>
      metricKind(metric) !== "latency" && metricUnit(metric) === "" && !metric.endsWith("*"),
  );

/** Whether the divided measure is a part of its whole and so reads as percents. */
export const isShare = (metric: string, per: string | null): boolean =>
  per !== null &&
  metricUnit(metric) === "" &&
  (per.startsWith("server.") || metric.startsWith("lost"));
