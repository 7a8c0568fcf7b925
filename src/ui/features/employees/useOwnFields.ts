/** The company's own fields of employees, live. */
import { OWN_FIELDS_MOST } from "../../../shared/domain/own-fields.ts";
import { useRead } from "../../state/useRead.ts";
import type { OwnField } from "../fields/own-fields.ts";

const NONE: readonly OwnField[] = [];

export function useOwnFields(): readonly OwnField[] {
  const { answer } = useRead({ call: "ownFields.list", query: { limit: OWN_FIELDS_MOST } });
  return answer.state === "ready" ? answer.data.records : NONE;
}
