/** The fields of the employees' advanced filter, from the table of employee fields. Pure. */
import {
  type EmployeeField,
  employeeFields,
  employeeLabels,
} from "../../../shared/domain/employee-fields.ts";
import type { FieldsInUse } from "../../../shared/domain/fields-in-use.ts";
import type { FormOption } from "../../components/form/fields.ts";
import type { AdvancedField } from "../../components/list/advanced.ts";
import { type OwnField, ownKey } from "../fields/own-fields.ts";

const typeOf = ({ rule }: EmployeeField): AdvancedField["type"] =>
  rule.type === "date" || rule.type === "dict" ? rule.type : "text";

export function employeeAdvanced(
  language: "zh" | "en",
  optionsOf: (dict: string) => readonly FormOption[],
  own: readonly OwnField[],
  inUse: FieldsInUse,
): AdvancedField[] {
  const labels = employeeLabels(language);
  const common = employeeFields
    // The list shows employees alone, and a department is found by its name.
    .filter(({ rule }) => rule.type !== "departmentId")
    .map((field) => ({
      key: field.key,
      label: labels[field.key],
      type: typeOf(field),
      ...(field.rule.type === "dict"
        ? {
            options: optionsOf(field.rule.dict).filter(
              ({ value }) =>
                field.rule.type !== "dict" || field.rule.without?.includes(value) !== true,
            ),
          }
        : {}),
    }));
  const others = own.map(({ key, label, type, dictType }): AdvancedField => ({
    key: ownKey(key),
    label,
    type,
    ...(dictType === null ? {} : { options: optionsOf(dictType) }),
  }));
  return inUse.inOrder([...common, ...others], ({ key }) => key);
}
