/** Names of the fields that columns can fill, including the company's own. */
import type { EmployeeFieldKey } from "../../../shared/domain/employee-fields.ts";
import { IMPORT_FIELDS } from "../../../shared/domain/import-fields.ts";

export interface FieldOption {
  readonly key: string;
  readonly label: string;
  readonly required: boolean;
}

interface OwnFields {
  readonly ownFields: readonly Readonly<FieldOption>[];
}

/** @param labelOf the label of a common field in the language of the page */
export function fieldOptions(
  context: OwnFields | null,
  labelOf: (key: EmployeeFieldKey) => string,
): readonly FieldOption[] {
  const own = (context?.ownFields ?? []).map(({ key, label, required }) => ({
    key: `custom.${key}`,
    label,
    required,
  }));
  const common = IMPORT_FIELDS.map(({ key, required }) => ({
    key,
    label: labelOf(key as EmployeeFieldKey),
    required: required === true,
  }));
  return [...common, ...own];
}
