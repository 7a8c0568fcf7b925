/** The rules as they are now, for names, numbers and choices. */
import { useMemo } from "react";
import type { AlertRuleRow } from "../../../shared/protocol/rest/alert-settings.ts";
import { useMay } from "../../state/may.ts";
import { useRead } from "../../state/useRead.ts";

/** More rules are not known by their numbers. */
const MOST = 200;
const NONE: readonly AlertRuleRow[] = [];

export function useRules(): {
  readonly rules: readonly AlertRuleRow[];
  readonly byId: ReadonlyMap<string, AlertRuleRow>;
} {
  const may = useMay();
  const { answer } = useRead(
    may("alertRules.list") ? { call: "alertRules.list", query: { limit: MOST } } : null,
    true,
  );
  const rules = answer.state === "ready" ? answer.data.records : NONE;
  return { rules, byId: useMemo(() => new Map(rules.map((rule) => [rule.id, rule])), [rules]) };
}
