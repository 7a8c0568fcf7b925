/** What entries of the operation log say, in the chosen language, with the labels of dictionaries and of the company's own fields. */
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { employeeFields } from "../../../shared/domain/employee-fields.ts";
import { OWN_FIELDS_MOST } from "../../../shared/domain/own-fields.ts";
import { currentLanguage } from "../../i18n/index.ts";
import { textOf } from "../../i18n/texts.ts";
import { labelOf, useDicts } from "../../state/useDicts.ts";
import { useRead } from "../../state/useRead.ts";
import type { OwnField } from "../fields/own-fields.ts";
import { permissionTitle } from "../roles/permission-title.ts";
import { type AuditChange, auditWords, type NamedEntry } from "./audit-words.ts";
import { MONITOR_TEXTS } from "./texts.ts";

const NO_FIELDS: readonly OwnField[] = [];
const COMMON_DICTS = employeeFields.flatMap(({ rule }) =>
  rule.type === "dict" ? [rule.dict] : [],
);

export function useAuditWords(): (entry: NamedEntry) => readonly AuditChange[] {
  useTranslation();
  const { answer } = useRead({ call: "ownFields.list", query: { limit: OWN_FIELDS_MOST } });
  const own = answer.state === "ready" ? answer.data.records : NO_FIELDS;
  const ownDicts = own.flatMap(({ dictType }) => dictType ?? []);
  const dicts = useDicts([...new Set([...COMMON_DICTS, ...ownDicts])].join(","));
  const language = currentLanguage();
  return useMemo(() => {
    const wording = {
      language,
      labelOf: (dict: string, value: string) => labelOf(dicts[dict], value),
      permission: permissionTitle,
      own,
      yes: textOf(MONITOR_TEXTS, "yes"),
      no: textOf(MONITOR_TEXTS, "no"),
      removedField: textOf(MONITOR_TEXTS, "removedField"),
    };
    return (entry) => auditWords(entry, wording);
  }, [language, own, dicts]);
}
