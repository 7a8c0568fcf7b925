/**
 * What a rule of alerts watches, and the rules that every platform has (docs/server.md#alerts). Pure: the server evaluates them and
 * the pages show them.
 */

export const ALERT_LEVELS = ["notice", "warning", "critical"] as const;
export type AlertLevel = (typeof ALERT_LEVELS)[number];

/**
 * threshold: a figure is above or below a value. change: a figure is so many times what it was before. absence: something that was there
 * says nothing any more.
 */
export const RULE_KINDS = ["threshold", "change", "absence"] as const;
export type RuleKind = (typeof RULE_KINDS)[number];

/** platform: about all companies and the servers together. company: about each company by itself, which sees its own alerts. */
export const RULE_REACHES = ["platform", "company"] as const;
export type RuleReach = (typeof RULE_REACHES)[number];

/** How the figures of the window become one number. Counters have a sum, levels a mean and a most, durations the rest (ms). */
export const RULE_MEASURES = ["sum", "mean", "most", "p50", "p99"] as const;
export type RuleMeasure = (typeof RULE_MEASURES)[number];

/** What an absence watches: each process, media node and database connection by name, or that a counter goes on. */
export const WATCHED_THINGS = ["process", "media-node", "database"] as const;
export type WatchedThing = (typeof WATCHED_THINGS)[number];

export interface AlertRule {
  /** Of a shipped rule one of `SHIPPED_RULES`, else a number. */
  readonly id: string;
  /** Empty for a shipped rule, whose words are those of the page. */
  readonly name: string;
  readonly on: boolean;
  readonly level: AlertLevel;
  readonly reach: RuleReach;
  readonly kind: RuleKind;
  /** A metric of `fleet.series`, also `errors.*` and the like for each of its parts by itself, or a `WatchedThing` of an absence. */
  readonly metric: string;
  readonly measure: RuleMeasure;
  /** The measure is divided by the sum of this counter or the mean of this level in the same window; null: it is not. */
  readonly per: string | null;
  /** Of a threshold and a change: true when more is bad. */
  readonly above: boolean;
  /** Threshold: the limit. Change: how many times as much (or as little). Absence: unused, 0. */
  readonly value: number;
  /** s over which figures are measured; absence: s without a sign. A multiple of 10. */
  readonly window: number;
  /** s before the window with which a change compares. A multiple of `window`, 0 for other kinds. */
  readonly before: number;
  /** s for which the condition must hold. 0: at once. */
  readonly lasting: number;
  /** Fewer than this in the window say nothing: events or durations of the metric, or the mean of a level. */
  readonly least: number;
}

const rule = (
  id: string,
  level: AlertLevel,
  reach: RuleReach,
  kind: RuleKind,
  metric: string,
  rest: Partial<AlertRule>,
): AlertRule => ({
  id,
  name: "",
  on: true,
  level,
  reach,
  kind,
  metric,
  measure: "sum",
  per: null,
  above: true,
  value: 0,
  window: 60,
  before: 0,
  lasting: 0,
  least: 0,
  ...rest,
});

/** The rules that every platform has. Operators change their figures and switch them off; each has a page on what to do. */
export const SHIPPED_RULES = [
  rule("database-away", "critical", "platform", "absence", "database", { window: 10 }),
  rule("process-gone", "critical", "platform", "absence", "process", { window: 20 }),
  rule("media-node-gone", "critical", "platform", "absence", "media-node", { window: 10 }),
  rule("http-failures", "critical", "platform", "threshold", "server.failures", {
    per: "server.requests",
    value: 0.02,
    least: 5,
  }),
  rule("http-slow", "warning", "platform", "threshold", "server.http", {
    measure: "p99",
    value: 1000,
    window: 300,
    least: 200,
  }),
  rule("database-slow", "warning", "platform", "threshold", "server.database", {
    measure: "p50",
    value: 200,
    lasting: 60,
  }),
  rule("event-loop", "warning", "platform", "threshold", "server.lag", {
    measure: "p50",
    value: 250,
    lasting: 60,
  }),
  rule("memory", "warning", "platform", "threshold", "server.memory", {
    measure: "most",
    value: 3000,
    lasting: 300,
  }),
  rule("logins-refused", "warning", "platform", "change", "server.logins-refused", {
    value: 5,
    window: 300,
    before: 3600,
    least: 50,
  }),
  rule("cores-vanish", "warning", "platform", "change", "cores", {
    measure: "mean",
    above: false,
    value: 2,
    window: 60,
    before: 300,
    least: 20,
  }),
  rule("core-restarts", "notice", "company", "threshold", "restarts", { value: 0.5 }),
  rule("sockets-lost", "warning", "company", "threshold", "lost.*", {
    per: "cores",
    value: 0.2,
    least: 3,
  }),
  // By core, because everybody comes at the same time in the morning.
  rule("errors-jump", "warning", "company", "change", "errors.*", {
    per: "cores",
    value: 5,
    window: 300,
    before: 3600,
    least: 20,
  }),
  rule("commands-slow", "warning", "company", "threshold", "commands", {
    measure: "p99",
    value: 2000,
    window: 300,
    least: 200,
  }),
  rule("outbox-waits", "warning", "company", "threshold", "outbox", {
    measure: "mean",
    per: "cores",
    value: 1,
    lasting: 120,
  }),
] as const satisfies readonly AlertRule[];
