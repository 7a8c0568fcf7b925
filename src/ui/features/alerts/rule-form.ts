/** What the form of a rule holds, and the rule that it makes. Pure. */
import {
  type AlertRule,
  type RuleKind,
  type RuleMeasure,
  type RuleReach,
  RULE_KINDS,
  RULE_MEASURES,
} from "../../../shared/domain/alert-rules.ts";
import type { AlertRuleRow } from "../../../shared/protocol/rest/alert-settings.ts";
import type { FieldValue, Values } from "../../components/form/values.ts";
import { isShare, isWatched, measuresOf } from "./metrics.ts";

export type RuleBody = Omit<AlertRule, "id">;
/** A field that is not there has no value. */
type Given = Readonly<Record<string, FieldValue | undefined>>;
const there = (values: Given): Values =>
  Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );

const NEW: RuleBody = {
  name: "",
  on: true,
  level: "warning",
  reach: "platform",
  kind: "threshold",
  metric: "",
  measure: "sum",
  per: null,
  above: true,
  value: 0,
  window: 300,
  before: 3600,
  lasting: 0,
  least: 0,
};

/** Numbers with at most six places behind the point: 0.02 are 2 percent and not 2.0000000000000004. */
const tidy = (value: number): number => Number(value.toFixed(6));

/** The values with which the form of a rule begins. @param rule null for a new one */
export function toForm(rule: AlertRuleRow | null) {
  const from: RuleBody = rule ?? NEW;
  const share = isShare(from.metric, from.per);
  const isNew = rule === null;
  return {
    name: from.name,
    on: from.on,
    level: from.level,
    reach: from.reach,
    kind: from.kind,
    metric: from.metric,
    measure: isNew ? "" : from.measure,
    per: from.per ?? "",
    above: from.above ? "more" : "less",
    value: isNew ? null : from.value,
    percent: share ? tidy(from.value * 100) : null,
    times: from.kind === "change" ? from.value : null,
    window: from.window,
    before: from.before === 0 ? NEW.before : from.before,
    lasting: from.lasting,
    least: from.least,
    sentence: "",
  };
}

const isKind = (text: unknown): text is RuleKind =>
  (RULE_KINDS as readonly unknown[]).includes(text);
const isMeasure = (text: unknown): text is RuleMeasure =>
  (RULE_MEASURES as readonly unknown[]).includes(text);
const textIn = (values: Values, key: string): string => String(values[key] ?? "");
const numberIn = (values: Values, key: string, fallback: number): number => {
  const value = values[key];
  return typeof value === "number" ? value : fallback;
};

export const kindIn = (values: Values): RuleKind =>
  isKind(values["kind"]) ? values["kind"] : "threshold";
export const reachIn = (values: Values): RuleReach =>
  values["reach"] === "company" ? "company" : "platform";
export const perIn = (values: Values): string | null => textIn(values, "per") || null;
/** Whether the limit is a share of a whole, in percent. */
export const isPercent = (values: Values): boolean =>
  kindIn(values) === "threshold" && isShare(textIn(values, "metric"), perIn(values));

/** The rule that the form describes. A field that the form lacks stays as it was. @param rule null for a new one */
export function fromForm(values: Given, rule: AlertRuleRow | null): RuleBody {
  const base: RuleBody = rule ?? NEW;
  const all: Values = { ...toForm(rule), ...there(values) };
  const kind = kindIn(all);
  const metric = textIn(all, "metric");
  const measures = measuresOf(metric);
  const chosen = all["measure"];
  const absent = kind === "absence";
  const value =
    kind === "change"
      ? numberIn(all, "times", base.value)
      : isPercent(all)
        ? tidy(numberIn(all, "percent", base.value * 100) / 100)
        : numberIn(all, "value", base.value);
  return {
    name: textIn(all, "name"),
    on: all["on"] === true,
    level: textIn(all, "level") as RuleBody["level"],
    reach: textIn(all, "reach") as RuleBody["reach"],
    kind,
    metric,
    measure: isMeasure(chosen) && measures.includes(chosen) ? chosen : (measures[0] ?? "sum"),
    per: absent ? null : perIn(all),
    above: all["above"] !== "less",
    value: absent ? 0 : value,
    window: numberIn(all, "window", base.window),
    before: kind === "change" ? numberIn(all, "before", base.before) : 0,
    lasting: numberIn(all, "lasting", 0),
    least: absent && isWatched(metric) ? 0 : numberIn(all, "least", 0),
  };
}

/** The fields of a rule that differ from its row, for a change. A shipped rule keeps kind, metric and reach. */
export function changedRule(values: Given, rule: AlertRuleRow): Partial<RuleBody> {
  const next = fromForm(values, rule);
  const kept: readonly string[] = rule.shipped
    ? ["name", "kind", "metric", "reach", "per", "measure", "above"]
    : [];
  return Object.fromEntries(
    Object.entries(next).filter(
      ([key, value]) => !kept.includes(key) && value !== rule[key as keyof RuleBody],
    ),
  ) as Partial<RuleBody>;
}
