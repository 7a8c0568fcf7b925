/** What rules of alerts find in the figures (docs/server.md#alerts). Pure. */
import type { AlertRule } from "../../../shared/domain/alert-rules.ts";
import { countIn, quantile } from "../../../shared/domain/latency-histogram.ts";
import { isUsualLoss } from "../../../shared/domain/socket-losses.ts";
import type { Alert } from "../../../shared/protocol/rest/alerts.ts";
import { kindOf } from "../fleet/series.ts";
import { NO_COMPANY } from "../fleet/server-figures.ts";
import { STEP_MS, type Sum, type Wanted, type Windows } from "./windows.ts";

/** A rule whose condition holds for something. */
export interface Finding {
  readonly companyId: string | null;
  readonly subject: Alert["subject"];
  readonly value: number;
  readonly limit: number;
  /** The metric by which `Windows.named` finds the cores concerned; null: there are none. */
  readonly named: string | null;
}

interface Parts {
  /** The prefix of the metrics of the parts. */
  readonly begin: string;
  readonly kind: Alert["subject"]["kind"];
  /** Returns the part that a metric counts; null when it counts none. */
  readonly read: (metric: string) => string | null;
}
/** The parts by which a rule may watch a metric that ends in `.*`. */
export const PARTS: Readonly<Record<string, Parts>> = {
  "lost.*": {
    begin: "socket.",
    kind: "socket",
    read(metric) {
      const [, socket = "", what, why = ""] = metric.split(".");
      return what === "lost" && !isUsualLoss(why) ? socket : null;
    },
  },
  "errors.*": {
    begin: "errors.",
    kind: "error",
    // `errors.code@build` counts the same errors once more.
    read: (metric) => (metric.includes("@") ? null : metric.slice("errors.".length)),
  },
  "failed.*": { begin: "failed.", kind: "metric", read: (metric) => metric.slice(7) },
  "command.*": { begin: "command.", kind: "metric", read: (metric) => metric.slice(8) },
  "route.*": { begin: "route.", kind: "route", read: (metric) => metric.slice(6) },
};
const partsOf = (metric: string): Parts | undefined =>
  Object.hasOwn(PARTS, metric) ? PARTS[metric] : undefined;

/** Counters, levels and durations of a metric of a rule. */
export const metricKind = (metric: string): ReturnType<typeof kindOf> =>
  kindOf(metric.replace("*", "x"));

/** ms that are kept beyond what a rule asks for, because steps arrive late. */
const SLACK_MS = 60_000;
/** Seconds. A counter can only be absent if it has counted something within this time. */
const WAS_THERE_S = 3600;

/** What windows must keep for the rules. */
export function wantedBy(rules: readonly AlertRule[]): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  for (const { metric, per, reach, kind, window, before } of rules) {
    const ms = (kind === "absence" ? WAS_THERE_S : window + before) * 1000 + SLACK_MS;
    for (const name of [partsOf(metric)?.begin ?? metric, per]) {
      if (name === null) continue;
      const known = wanted.get(name);
      wanted.set(name, {
        ms: Math.max(ms, known?.ms ?? 0),
        reaches: new Set([...(known?.reaches ?? []), reach]),
      });
    }
  }
  return wanted;
}

/** Remembers the sums of single metrics: all parts of a company are divided by the same one. */
function remembering(windows: Windows): Windows {
  const sums = new Map<string, Sum>();
  return {
    ...windows,
    sum(companyId, metrics, from, to) {
      if (metrics.length !== 1) return windows.sum(companyId, metrics, from, to);
      const key = `${companyId} ${metrics[0]} ${from} ${to}`;
      let sum = sums.get(key);
      if (sum === undefined) sums.set(key, (sum = windows.sum(companyId, metrics, from, to)));
      return sum;
    },
  };
}

interface Time {
  readonly from: number;
  readonly to: number;
}

/** The measure over a time; null when there are too few figures. */
function measured(
  rule: AlertRule,
  windows: Windows,
  companyId: string | null,
  metrics: readonly string[],
  { from, to }: Time,
): { readonly value: number; readonly things: number; readonly sum: Sum } | null {
  const name = partsOf(rule.metric)?.begin ?? rule.metric;
  const steps = windows.steps(name, from, to);
  if (steps === 0) return null;
  const meanOf = (sum: Sum): number => sum.level / steps;
  const sum = windows.sum(companyId, metrics, from, to);
  const kind = metricKind(rule.metric);
  const all = kind === "counter" ? sum.counted : kind === "level" ? meanOf(sum) : null;
  const value = {
    sum: () => sum.counted,
    mean: () => meanOf(sum),
    most: () => sum.most,
    p50: () => quantile(sum.durations ?? [], 0.5),
    p99: () => quantile(sum.durations ?? [], 0.99),
  }[rule.measure]();
  if (value === null) return null;
  const things = all ?? countIn(sum.durations ?? []);
  if (rule.per === null) return { value, things, sum };
  const per = windows.sum(companyId, [rule.per], from, to);
  const by = metricKind(rule.per) === "level" ? meanOf(per) : per.counted;
  return by === 0 ? null : { value: value / by, things, sum };
}

/** Whether the condition of the rule holds for these metrics of a company. @returns value and limit; null when it does not hold */
function found(
  rule: AlertRule,
  windows: Windows,
  companyId: string | null,
  metrics: readonly string[],
  now: number,
): { readonly value: number; readonly limit: number } | null {
  const to = now - (now % STEP_MS);
  const from = to - rule.window * 1000;
  if (rule.kind === "absence") {
    const hour = windows.sum(companyId, metrics, to - WAS_THERE_S * 1000, to);
    if (hour.lastAt === null || hour.counted < rule.least) return null;
    const silent = (to - hour.lastAt - STEP_MS) / 1000;
    return silent >= rule.window ? { value: silent, limit: rule.window } : null;
  }
  const current = measured(rule, windows, companyId, metrics, { from, to });
  if (current === null) return null;
  // Figures of less than half of the window can show that there is too much of something, but not that something is missing.
  const name = partsOf(rule.metric)?.begin ?? rule.metric;
  const isWhole = windows.steps(name, from, to) * 2 * STEP_MS >= rule.window * 1000;
  if (rule.kind === "threshold") {
    if (current.things < rule.least || (!rule.above && !isWhole)) return null;
    const holds = rule.above ? current.value > rule.value : current.value < rule.value;
    return holds ? { value: current.value, limit: rule.value } : null;
  }
  // The time before is longer and costs more to add up, so it comes last.
  if (!isWhole || (rule.above && (current.things < rule.least || current.value === 0))) return null;
  const time = { from: from - rule.before * 1000, to: from };
  const steps = windows.steps(name, time.from, time.to);
  if (steps * 2 * STEP_MS < rule.before * 1000) return null;
  const before = measured(rule, windows, companyId, metrics, time);
  if (before === null) return null;
  // A sum is divided by the number of windows before. Means, quantiles and shares need no division.
  const times = (steps * STEP_MS) / (rule.window * 1000);
  const isShare = rule.per !== null && metricKind(rule.per) === "counter";
  const usual = rule.measure === "sum" && !isShare ? before.value / times : before.value;
  if (rule.above) {
    const limit = usual * rule.value;
    return current.value > limit ? { value: current.value, limit } : null;
  }
  if (before.things < rule.least) return null;
  const limit = usual / rule.value;
  return current.value < limit ? { value: current.value, limit } : null;
}

/** Everything for which the condition of the rule holds now. */
export function findingsOf(rule: AlertRule, figures: Windows, now: number): Finding[] {
  const windows = remembering(figures);
  const companies =
    rule.reach === "platform"
      ? [null]
      : windows.companies().filter((companyId) => companyId !== NO_COMPANY);
  const parts = partsOf(rule.metric);
  return companies.flatMap((companyId): Finding[] => {
    const groups = new Map<string, string[]>();
    if (parts === undefined) groups.set("", [rule.metric]);
    else {
      for (const metric of windows.metrics(companyId, parts.begin)) {
        const part = parts.read(metric);
        if (part !== null) groups.set(part, [...(groups.get(part) ?? []), metric]);
      }
    }
    return [...groups].flatMap(([part, metrics]) => {
      const holds = found(rule, windows, companyId, metrics, now);
      if (holds === null) return [];
      const subject: Alert["subject"] =
        parts === undefined
          ? { kind: "metric", name: rule.metric }
          : { kind: parts.kind, name: part };
      const named = parts === undefined ? rule.metric : rule.metric.replace("*", part);
      return [{ companyId, subject, ...holds, named }];
    });
  });
}
