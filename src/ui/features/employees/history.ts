/** What an audit record says about an employee: each field with its value before and after, as a person reads it. Pure. */
import { employeeFields } from "../../../shared/domain/employee-fields.ts";
import type { Row } from "../../../shared/protocol/rest/page-calls.ts";
import { type OwnField, ownText, type OwnValues } from "../fields/own-fields.ts";

type Values = Readonly<Record<string, unknown>>;

export interface FieldChange {
  readonly key: string;
  readonly label: string;
  /** Null: there was no value. */
  readonly from: string | null;
  readonly to: string | null;
}

export interface HistoryNeeds {
  readonly language: "zh" | "en";
  readonly labelOf: (dict: string, value: string) => string;
  readonly own: readonly OwnField[];
  /** Labels of what is no field of the form: the account, the end of the employment. */
  readonly others: Readonly<Record<string, string>>;
}

const textOf = (value: unknown): string | null =>
  typeof value === "number" || (typeof value === "string" && value !== "") ? String(value) : null;

const ownOf = (values: Values): OwnValues => {
  const { custom } = values;
  return typeof custom === "object" && custom !== null ? (custom as OwnValues) : {};
};

/** @returns in the order of the form; fields whose value stayed the same are left out */
export function employeeChanges(
  { before, after }: Pick<Row<"audit.list">, "before" | "after">,
  { language, labelOf, own, others }: HistoryNeeds,
): FieldChange[] {
  const was = before ?? {};
  const is = after ?? {};
  const common = employeeFields
    // the name of the department says it
    .filter(({ rule }) => rule.type !== "departmentId")
    .map(({ key, rule, ...names }) => {
      const read = (values: Values): string | null => {
        const value = textOf(values[key]);
        return value !== null && rule.type === "dict" ? labelOf(rule.dict, value) : value;
      };
      return { key, label: names[language], from: read(was), to: read(is) };
    });
  const ownChanges = own.map((field) => ({
    key: `custom.${field.key}`,
    label: field.label,
    from: ownText(field, ownOf(was), labelOf),
    to: ownText(field, ownOf(is), labelOf),
  }));
  const more = Object.entries(others).map(([key, label]) => ({
    key,
    label,
    from: textOf(was[key]),
    to: textOf(is[key]),
  }));
  return [...common, ...ownChanges, ...more].filter(({ from, to }) => from !== to);
}
