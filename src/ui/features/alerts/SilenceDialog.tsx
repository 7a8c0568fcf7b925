/** Keeps alerts of a rule or a subject from being sent for a while. */
import type { Alert } from "../../../shared/protocol/rest/alerts.ts";
import { formFields } from "../../components/form/kinds.ts";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import type { Values } from "../../components/form/values.ts";
import { AppError } from "../../../shared/errors.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCore, useServerNow } from "../../state/services.ts";
import { showMessage } from "../../state/show-message.ts";
import { isPeriod, PERIODS, silenceEnd } from "./silence-period.ts";
import { SILENCE_TEXTS } from "./texts.ts";
import { useAlertWords } from "./words.ts";

const TARGETS = ["both", "ruleOnly", "subjectOnly"] as const;
const EVERY = 10_000;

export function SilenceDialog(props: {
  /** What is to be silenced; null: the person says it. */
  readonly alert: Pick<Alert, "rule" | "ruleName" | "subject"> | null;
  /** Rules by id with their titles, for the person to choose. */
  readonly rules: readonly { readonly id: string; readonly title: string }[];
  readonly onClose: () => void;
}) {
  const { alert, rules } = props;
  const text = useTexts(SILENCE_TEXTS);
  const words = useAlertWords();
  const now = useServerNow(EVERY);
  const { rest } = useCore().commands;
  const isUntil = (values: Values): boolean => values["period"] === "until";
  const momentIn = (values: Values) => ({
    day: String(values["day"] ?? ""),
    clock: String(values["clock"] ?? ""),
  });
  const fields = formFields([
    {
      key: "target",
      label: text("what"),
      input: "select",
      required: true,
      options: TARGETS.map((value) => ({ value, label: text(value) })),
      shownWhen: () => alert !== null && alert.subject.name !== "",
    },
    {
      key: "rule",
      label: text("rule"),
      input: "select",
      search: true,
      options: rules.map(({ id, title }) => ({ value: id, label: title })),
      hint: text("allRules"),
      shownWhen: () => alert === null,
    },
    {
      key: "subject",
      label: text("subject"),
      max: 100,
      hint: text("subjectHint"),
      shownWhen: () => alert === null,
    },
    {
      key: "period",
      label: text("period"),
      input: "select",
      required: true,
      options: PERIODS.map((value) => ({ value, label: text(value) })),
    },
    {
      key: "day",
      label: text("day"),
      input: "date",
      required: true,
      shownWhen: isUntil,
      check: (_day, values) => {
        const end = silenceEnd("until", momentIn(values), now);
        return typeof end === "number" ? null : text(end);
      },
    },
    {
      key: "clock",
      label: text("clock"),
      required: true,
      hint: text("clockHint"),
      shownWhen: isUntil,
      check: (clock) => (/^([01]?\d|2[0-3])[:：][0-5]\d$/.test(clock) ? null : text("clockHint")),
    },
    { key: "reason", label: text("reason"), input: "area", required: true, max: 200 },
  ]);
  return (
    <FormDialog
      title={alert === null ? text("create") : `${text("silence")} · ${words.title(alert)}`}
      intro={
        <p>
          {alert !== null && alert.subject.name !== "" && <>{words.subject(alert.subject)} · </>}
          {text("hint")}
        </p>
      }
      okText={text("silence")}
      fields={fields}
      values={{
        target: "both",
        rule: "",
        subject: "",
        period: "hours2",
        day: "",
        clock: "18:00",
        reason: "",
      }}
      save={(values) => {
        const { period, reason, target = "ruleOnly" } = values;
        const end = silenceEnd(
          isPeriod(period) ? period : "hours2",
          { day: values.day ?? "", clock: values.clock ?? "" },
          now,
        );
        if (typeof end !== "number") throw new AppError("request.invalid");
        const rule = alert === null ? (values.rule ?? "") : alert.rule;
        const subject = alert === null ? (values.subject ?? "") : alert.subject.name;
        return rest.call({
          call: "alertSilences.create",
          body: {
            rule: rule === "" || (alert !== null && target === "subjectOnly") ? null : rule,
            subject: alert !== null && target === "ruleOnly" ? "" : subject,
            until: new Date(end).toISOString(),
            reason,
          },
        });
      }}
      onClose={props.onClose}
      onSaved={() => showMessage("success", text("done"))}
    />
  );
}
