/** Which fields the company uses, live. */
import { useMemo } from "react";
import {
  type FieldsInUse,
  fieldsInUse,
  type FieldSubject,
} from "../../../shared/domain/fields-in-use.ts";
import { useRead } from "../../state/useRead.ts";

/** Everything is in use while the settings are loaded, and with a platform that has none. */
export function useFieldsInUse(subject: FieldSubject): FieldsInUse {
  const { answer } = useRead({ call: "fieldSettings.get", params: { subject } });
  const settings = answer.state === "ready" ? answer.data.fields : null;
  return useMemo(() => fieldsInUse(settings ?? []), [settings]);
}
