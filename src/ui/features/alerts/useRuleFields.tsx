/** The fields of a rule. Above them stands the condition in words, as it is while a person edits it. */
import type { ReactNode } from "react";
import { ALERT_LEVELS, RULE_KINDS, RULE_REACHES } from "../../../shared/domain/alert-rules.ts";
import { alertMetricWord, metricUnit } from "../../../shared/domain/alert-texts.ts";
import type { AlertRuleRow } from "../../../shared/protocol/rest/alert-settings.ts";
import { type ControlProps, formFields, type FormOption } from "../../components/form/kinds.ts";
import type { Values } from "../../components/form/values.ts";
import { useTexts } from "../../i18n/texts.ts";
import { dividers, isWatched, measuresOf, metricKind, metricsFor } from "./metrics.ts";
import { fromForm, isPercent, kindIn, reachIn } from "./rule-form.ts";
import { RULE_TEXTS } from "./rule-texts.ts";
import { useAlertWords } from "./words.ts";
import "./alerts.css";

const SECONDS_MAX = 3600;
const DAY_S = 86_400;

function Sentence({
  values,
  rule,
}: {
  readonly values: Values;
  readonly rule: AlertRuleRow | null;
}) {
  const text = useTexts(RULE_TEXTS);
  const words = useAlertWords();
  const said = fromForm(values, rule);
  const empty =
    said.metric === "" || (said.kind !== "absence" && said.value === 0 && rule === null);
  return (
    <p className="alert-condition" aria-live="polite" data-condition>
      {rule?.shipped === true && (
        <strong className="alert-condition-of">
          {words.title({ rule: rule.id, ruleName: "" })}
        </strong>
      )}
      {empty ? text("incomplete") : words.condition({ ...said, id: rule?.id ?? "" })}
    </p>
  );
}

const saying =
  (rule: AlertRuleRow | null) =>
  ({ values }: ControlProps): ReactNode => <Sentence values={values} rule={rule} />;

export function useRuleFields() {
  const text = useTexts(RULE_TEXTS);
  const words = useAlertWords();
  const metricOption = (metric: string): FormOption => {
    const word = alertMetricWord(metric, words.language);
    const unit = metricUnit(metric);
    const label = metric.endsWith(".*")
      ? text("eachPart", { word })
      : unit === ""
        ? word
        : text("named", { word, unit });
    return { value: metric, label };
  };
  const isKind = (values: Values, ...kinds: readonly string[]): boolean =>
    kinds.includes(kindIn(values));
  const metricIn = (values: Values): string => String(values["metric"] ?? "");
  return (rule: AlertRuleRow | null) => {
    const own = rule === null || !rule.shipped;
    const unit = rule === null || own ? "" : metricUnit(rule.metric);
    return formFields([
      {
        key: "sentence",
        label: text("sentence"),
        control: saying(rule),
      },
      { key: "name", label: text("name"), required: true, max: 50, shownWhen: () => own },
      {
        key: "level",
        label: text("level"),
        input: "select",
        required: true,
        options: ALERT_LEVELS.map((value) => ({ value, label: words.level(value) })),
      },
      {
        key: "reach",
        label: text("reach"),
        input: "select",
        required: true,
        options: RULE_REACHES.map((value) => ({ value, label: text(value) })),
        shownWhen: () => own,
      },
      {
        key: "kind",
        label: text("kind"),
        input: "select",
        required: true,
        options: RULE_KINDS.map((value) => ({ value, label: text(value) })),
        shownWhen: () => own,
      },
      {
        key: "metric",
        label: text("metric"),
        input: "select",
        search: true,
        required: true,
        optionsFrom: (values) => metricsFor(kindIn(values), reachIn(values)).map(metricOption),
        shownWhen: () => own,
      },
      {
        key: "measure",
        label: text("measure"),
        input: "select",
        optionsFrom: (values) =>
          measuresOf(metricIn(values)).map((value) => ({
            value,
            label: text(`measure_${value}`),
          })),
        shownWhen: (values) =>
          own && !isKind(values, "absence") && measuresOf(metricIn(values)).length > 1,
      },
      {
        key: "per",
        label: text("per"),
        input: "select",
        search: true,
        hint: text("perHint"),
        optionsFrom: (values) => dividers(reachIn(values)).map(metricOption),
        shownWhen: (values) =>
          own && !isKind(values, "absence") && metricKind(metricIn(values)) !== "latency",
      },
      {
        key: "above",
        label: text("above"),
        input: "select",
        required: true,
        options: (["more", "less"] as const).map((value) => ({ value, label: text(value) })),
        shownWhen: (values) => own && !isKind(values, "absence"),
      },
      {
        key: "value",
        label: unit === "" ? text("value") : text("valueIn", { unit }),
        input: "number",
        required: true,
        min: 0,
        shownWhen: (values) => isKind(values, "threshold") && !isPercent(values),
      },
      {
        key: "percent",
        label: text("percent"),
        input: "number",
        required: true,
        min: 0,
        shownWhen: isPercent,
      },
      {
        key: "times",
        label: text("times"),
        input: "number",
        required: true,
        min: 1,
        hint: text("timesHint"),
        shownWhen: (values) => isKind(values, "change"),
      },
      {
        key: "window",
        label: text(rule?.kind === "absence" ? "windowAbsence" : "window"),
        input: "number",
        required: true,
        min: 10,
        max: SECONDS_MAX,
        step: 1,
        hint: text("windowHint"),
        check: (value) => (value % 10 === 0 ? null : text("windowHint")),
      },
      {
        key: "before",
        label: text("before"),
        input: "number",
        required: true,
        min: 10,
        max: DAY_S,
        step: 1,
        hint: text("beforeHint"),
        shownWhen: (values) => isKind(values, "change"),
        check: (value, values) =>
          value % Number(values["window"] ?? 1) === 0 ? null : text("beforeHint"),
      },
      {
        key: "lasting",
        label: text("lasting"),
        input: "number",
        required: true,
        min: 0,
        max: SECONDS_MAX,
        step: 1,
      },
      {
        key: "least",
        label: text("least"),
        input: "number",
        required: true,
        min: 0,
        hint: text("leastHint"),
        shownWhen: (values) => !isKind(values, "absence") || !isWatched(metricIn(values)),
      },
      { key: "on", label: text("on"), input: "switch" },
    ]);
  };
}
