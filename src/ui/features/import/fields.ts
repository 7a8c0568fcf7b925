/** Names of the fields that columns can fill, including the company's own. */
import type { EmployeeFieldKey } from "../../../shared/domain/employee-fields.ts";
import { isOwnSetting } from "../../../shared/domain/fields-in-use.ts";
import { allFields } from "../../../shared/domain/import-fields.ts";

export interface FieldOption {
  readonly key: string;
  readonly label: string;
  readonly required: boolean;
}

type Context = Parameters<typeof allFields>[0];
const NO_CONTEXT: Context = { ownFields: [] };

/** @param labelOf the label of a common field in the language of the page */
export const fieldOptions = (
  context: Context | null,
  labelOf: (key: EmployeeFieldKey) => string,
): readonly FieldOption[] =>
  allFields(context ?? NO_CONTEXT).map((field) => ({
    key: field.key,
    label: isOwnSetting(field) ? field.label : labelOf(field.key as EmployeeFieldKey),
    required: field.required === true,
  }));

/** Keys of the fields that a column can fill. A column may name another one, which the company gave up after the person chose it. */
export const fillableKeys = (context: Context | null): ReadonlySet<string> =>
  new Set(allFields(context ?? NO_CONTEXT).map(({ key }) => key));
