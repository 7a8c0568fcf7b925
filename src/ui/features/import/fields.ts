/** Names of the fields that columns can fill, including the company's own. */
import { IMPORT_FIELDS } from "../../../shared/domain/import-fields.ts";

export interface FieldOption {
  readonly key: string;
  readonly label: string;
  readonly required: boolean;
}

interface OwnFields {
  readonly ownFields: readonly Readonly<FieldOption>[];
}

export function fieldOptions(context: OwnFields | null): readonly FieldOption[] {
  const own = (context?.ownFields ?? []).map(({ key, label, required }) => ({
    key: `custom.${key}`,
    label,
    required,
  }));
  const common = IMPORT_FIELDS.map(({ key, label, required }) => ({
    key,
    label,
    required: required === true,
  }));
  return [...common, ...own];
}
