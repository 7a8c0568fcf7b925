/** Names of alerts in words, in the language chosen. */
import { useTranslation } from "react-i18next";
import type { AlertRule } from "../../../shared/domain/alert-rules.ts";
import { SHIPPED_RULES } from "../../../shared/domain/alert-rules.ts";
import {
  alertLevelWord,
  alertMetricWord,
  alertRuleTitle,
  alertSubjectWord,
} from "../../../shared/domain/alert-texts.ts";
import type { Alert } from "../../../shared/protocol/rest/alerts.ts";
import { currentLanguage } from "../../i18n/index.ts";
import { useFleetWords } from "../fleet/words.ts";
import { type Condition, conditionWords, numberWords, pairWords } from "./condition-words.ts";
import { headlineWords } from "./headline.ts";

/** A rule as far as numbers and sentences need it. */
export type KnownRule = Pick<AlertRule, "measure" | "per" | "above">;

const shippedRule = (id: string): AlertRule | null =>
  SHIPPED_RULES.find((rule) => rule.id === id) ?? null;

/** @param rules rules as they are now, by id; those that are missing are as they were shipped, or unknown */
export function useAlertWords(rules: ReadonlyMap<string, KnownRule> = new Map()) {
  // renders again when the language changes
  useTranslation();
  const language = currentLanguage();
  const fleet = useFleetWords();
  const ruleOf = (id: string): KnownRule | null => rules.get(id) ?? shippedRule(id);
  const subject = ({ kind, name }: Alert["subject"]): string => {
    if (kind === "socket" && name !== "") {
      const socket = fleet.socket(name);
      return language === "zh" ? `${socket}连接` : socket;
    }
    return alertSubjectWord(
      { kind, name: kind === "error" && name !== "" ? `“${fleet.error(name)}”` : name },
      language,
    );
  };
  return {
    language,
    level: (level: Alert["level"]): string => alertLevelWord(level, language),
    title: (alert: Pick<Alert, "rule" | "ruleName">): string => alertRuleTitle(alert, language),
    subject,
    /** A subject of which the kind is not known; what is no name of a metric, a socket or an error stays as it is. */
    named: (name: string): string => alertMetricWord(fleet.error(fleet.socket(name)), language),
    headline: (alert: Alert): string =>
      headlineWords(alert, subject(alert.subject), ruleOf(alert.rule), language),
    condition: (rule: Condition): string => conditionWords(rule, language),
    /** The worst value and the limit. */
    valueAndLimit: (alert: Pick<Alert, "rule" | "kind" | "metric" | "worst" | "limit">): string => {
      const rule = ruleOf(alert.rule);
      const numbers = rule === null ? alert : { ...alert, per: rule.per, measure: rule.measure };
      return pairWords(
        numberWords(numbers, alert.worst, language),
        numberWords(numbers, alert.limit, language),
      );
    },
  };
}
