/** Small parts that the pages of alerts share. */
import type { AlertLevel } from "../../../shared/domain/alert-rules.ts";
import { alertTimeWord } from "../../../shared/domain/alert-texts.ts";
import type { Alert } from "../../../shared/protocol/rest/alerts.ts";
import { DictTag } from "../../components/DictTag.tsx";
import { StateDot } from "../../components/StateDot.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useServerNow } from "../../state/services.ts";
import { ALERT_TEXTS } from "./texts.ts";
import { useAlertWords } from "./words.ts";

const CLASSES: Readonly<Record<AlertLevel, string>> = {
  notice: "primary",
  warning: "warning",
  critical: "danger",
};

export function LevelTag({ level }: { readonly level: AlertLevel }) {
  const { level: word } = useAlertWords();
  return <DictTag label={word(level)} listClass={CLASSES[level]} />;
}

/** ms between two looks at the clock. */
const EVERY = 5_000;

/** How long the alert lasted, or lasts until now. */
export function Lasted({ startTime, endTime }: Pick<Alert, "startTime" | "endTime">) {
  const { language } = useAlertWords();
  const from = Date.parse(startTime);
  if (endTime !== null) return alertTimeWord(Date.parse(endTime) - from, language);
  return <Ticking from={from} />;
}
function Ticking({ from }: { readonly from: number }) {
  const { language } = useAlertWords();
  const now = useServerNow(EVERY);
  return alertTimeWord(Math.max(0, now - from), language);
}

/** Whether it is open, and who takes care of it. */
export function AlertState({ alert }: { readonly alert: Alert }) {
  const text = useTexts(ALERT_TEXTS);
  const { endTime, acknowledged, silenced } = alert;
  const tone = endTime !== null ? "off" : acknowledged !== null ? "warn" : "bad";
  return (
    <span className="alert-state">
      <StateDot tone={tone}>
        {endTime !== null
          ? text("ended")
          : acknowledged === null
            ? text("open")
            : text("acknowledgedBy", { name: acknowledged.name })}
      </StateDot>
      {silenced && <DictTag label={text("silenced")} listClass="info" />}
    </span>
  );
}
/** The same as a text, for files. */
export function useStateWords(): (alert: Alert) => string {
  const text = useTexts(ALERT_TEXTS);
  return ({ endTime, acknowledged, silenced }) =>
    [
      text(endTime === null ? "open" : "ended"),
      acknowledged === null ? "" : text("acknowledgedBy", { name: acknowledged.name }),
      silenced ? text("silenced") : "",
    ]
      .filter(Boolean)
      .join(" · ");
}
