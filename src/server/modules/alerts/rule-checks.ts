/** Which rules of alerts make sense together with their metric (docs/server.md#alerts). Pure. */
import { type AlertRule, WATCHED_THINGS } from "../../../shared/domain/alert-rules.ts";
import { serverKind } from "../../../shared/domain/server-figures.ts";
import { AppError } from "../../../shared/errors.ts";
import { isLevel } from "../../../shared/domain/fleet-names.ts";
import { isLatency } from "../fleet/figures.ts";
import { metricKind, PARTS } from "./measures.ts";

/** Counters of the reports of cores. Their names may go on after a dot. */
const COUNTERS: readonly string[] = [
  "reports",
  "failed",
  "ops",
  "restarts",
  "refreshes",
  "takeovers",
  "imported",
  "socket",
  "errors",
];
const MEASURES = {
  counter: ["sum"],
  level: ["mean", "most"],
  latency: ["p50", "p99"],
} as const;

const isOfServer = (metric: string): boolean =>
  metric.startsWith("server.") || metric.startsWith("route.");
const isWatched = (metric: string): boolean =>
  (WATCHED_THINGS as readonly string[]).includes(metric);

function isKnown(metric: string): boolean {
  if (metric.includes("*")) return Object.hasOwn(PARTS, metric);
  if (isOfServer(metric)) return serverKind(metric) !== null;
  return (
    isLevel(metric) ||
    isLatency(metric) ||
    COUNTERS.includes(metric.slice(0, metric.search(/\.|$/)))
  );
}

/** @returns what is wrong with which field */
export function wrongIn(rule: AlertRule): Record<string, string> {
  const wrong: Record<string, string> = {};
  const { kind, metric, measure, per, reach, window, before } = rule;
  const watched = kind === "absence" && isWatched(metric);
  const measureKind = metricKind(metric);
  if (!watched && !isKnown(metric)) wrong["metric"] = "没有这个指标";
  else if (kind === "absence" && !watched && measureKind !== "counter") {
    wrong["metric"] = "只有计数指标可以检测缺失";
  } else if (
    kind !== "absence" &&
    !(MEASURES[measureKind] as readonly string[]).includes(measure)
  ) {
    wrong["measure"] = "该指标不能这样统计";
  }
  if (per !== null && (!isKnown(per) || metricKind(per) === "latency")) {
    wrong["per"] = "不能除以该指标";
  }
  if (reach === "company" && (watched || isOfServer(metric) || isOfServer(per ?? ""))) {
    wrong["reach"] = "服务器的指标只能用于平台规则";
  }
  if (kind === "change") {
    if (before < window || before % window !== 0) wrong["before"] = "须为统计窗口的整数倍";
    if (rule.value <= 0) wrong["value"] = "须大于 0";
  }
  return wrong;
}

/** @throws AppError request.invalid with the wrong fields */
export function checkRule(rule: AlertRule): void {
  const fields = wrongIn(rule);
  if (Object.keys(fields).length > 0)
    throw new AppError("request.invalid", { details: { fields } });
}

/** Leaves out what the kind of the rule does not use, so that two equal rules look alike. */
export function plainRule(rule: AlertRule): AlertRule {
  const { kind } = rule;
  return {
    ...rule,
    ...(kind === "change" ? {} : { before: 0 }),
    ...(kind === "absence" ? { value: 0, per: null, measure: "sum", above: true } : {}),
  };
}
